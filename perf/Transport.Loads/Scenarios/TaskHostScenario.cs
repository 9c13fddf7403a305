using System;
using System.Collections.Generic;
using System.Diagnostics;
using System.Globalization;
using System.Linq;
using System.Threading;
using System.Threading.Tasks;
using Transport.Loads.Measuring;
using Transport.Loads.Report;
using Transport.Loads.Rivals;
using Transport.Loads.TaskHosts;
using Transport.Loads.Workers;

namespace Transport.Loads.Scenarios;

/// <summary>The traffic of MSBuild's task hosts in a large rebuild, as its team counted it, with 1, 4 and 16 hosts.</summary>
internal sealed class TaskHostScenario : IScenario
{
    private static readonly int[] Hosts = [1, 4, 16];

    public string Name => "taskhost";

    public string Summary => "the traffic of MSBuild's task hosts in a large rebuild, beside MSBuild's shape and bare sockets";

    public IEnumerable<Row> Run(RunOptions options)
    {
        var traffic = new HostTraffic();
        foreach (int hosts in Hosts)
        {
            foreach (Row row in Run(options, traffic, hosts))
            {
                yield return row;
            }
        }
    }

    private IEnumerable<Row> Run(RunOptions options, HostTraffic traffic, int hosts)
    {
        Dictionary<string, Side> sides = HostColumn.All.ToDictionary(
            column => column, column => new Side(column, traffic, hosts), StringComparer.Ordinal);
        var rounds = new List<Dictionary<string, HostRound>>();
        try
        {
            for (int i = options.Quick ? -1 : -2; i < options.Rounds; i++)
            {
                var round = Turns.Rotated(sides.Keys, Math.Max(0, i))
                    .ToDictionary(column => column, column => sides[column].Run(options.Quick ? 16 : 1), StringComparer.Ordinal);
                if (i >= 0)
                {
                    rounds.Add(round);
                }
            }
        }
        finally
        {
            foreach (Side side in sides.Values)
            {
                side.Dispose();
            }
        }

        Row Make(string metric, string unit, Func<HostRound, double> value, string against, Target? target) => Row.Make(
            options, Name, $"{(hosts == 1 ? "1 host" : $"{hosts} hosts")}: {metric}", unit, Row.Pick(rounds, value), against, target);
        yield return Make("time", "s", r => r.Seconds, HostColumn.Pipe1M, Target.AtMost(0.7));
        yield return Make("time, beside 128 KB", "s", r => r.Seconds, HostColumn.Pipe128K, null);
        yield return Make("CPU of both sides", "us/request", r => r.Cpu, HostColumn.Pipe1M, null);
        yield return Make("request p50", "us", r => r.Waits.P50 / 1000, HostColumn.Bare, null);
        yield return Make("request p99", "us", r => r.Waits.P99 / 1000, HostColumn.Bare, hosts == Hosts[^1] ? Target.AtMost(1.5) : null);
        yield return Make("peak memory of the hosts", "MB", r => r.Peak / 1e6, HostColumn.Pipe1M, null);
        if (hosts == Hosts[^1])
        {
            // With tables is the column that is judged here.
            yield return Row.Make(options, Name, "bytes with tables", "MB", rounds.ConvertAll<IReadOnlyDictionary<string, double>>(
                r => new Dictionary<string, double>(StringComparer.Ordinal)
                {
                    [Column.Transport] = r[HostColumn.Tables].Bytes / 1e6, [Column.Request] = r[Column.Transport].Bytes / 1e6,
                }), Column.Request, Target.AtMost(0.35));
        }
    }

    private sealed record HostRound(double Seconds, double Cpu, Distribution Waits, long Bytes, long Peak);

    /// <summary>One column: a process with the hosts, and what asks them.</summary>
    private sealed class Side : IDisposable
    {
        private readonly HostTraffic _traffic;
        private readonly int _hosts;
        private readonly LoadWorker _worker;
        private readonly IHosts _asked;

        public Side(string column, HostTraffic traffic, int hosts)
        {
            _traffic = traffic;
            _hosts = hosts;
            _worker = new LoadWorker(string.Empty, "taskhost", column, hosts.ToString(CultureInfo.InvariantCulture));
            _worker.Go("address");
            _asked = HostColumn.Connect(column, traffic, _worker.Done().Split(' '));
        }

        /// <summary>Asks for every so many-th request of a rebuild.</summary>
        public HostRound Run(int step)
        {
            int[] numbers = [.. Enumerable.Range(0, HostTraffic.Requests).Where(number => number % step == 0)];
            long[] waits = new long[numbers.Length];
            long bytes = _asked.WireBytes, logs = _asked.Logs;
            int next = -1;
            _worker.Go("begin");
            _worker.Done();
            Usage before = Usage.Now();
            Task[] asking = [.. Enumerable.Range(0, _hosts).Select(host => Task.Factory.StartNew(
                () => AskAsync(host), CancellationToken.None, TaskCreationOptions.LongRunning, TaskScheduler.Default).Unwrap())];
            Task.WaitAll(asking);
            Usage here = Usage.Now() - before;
            Usage there = _worker.Stop();
            long expected = numbers.Sum(number => _traffic.LogsOf(number));
            if (_asked.Logs - logs != expected)
            {
                throw new LoadException($"{_asked.Logs - logs} of {expected} log packets came.");
            }

            return new HostRound(here.Seconds, (here.CpuMicros + there.CpuMicros) / numbers.Length, Distribution.Of(waits),
                _asked.WireBytes - bytes, _worker.Peak());

            async Task AskAsync(int host)
            {
                for (int i = Interlocked.Increment(ref next); i < numbers.Length; i = Interlocked.Increment(ref next))
                {
                    long start = Stopwatch.GetTimestamp();
                    await _asked.AskAsync(host, numbers[i]).ConfigureAwait(false);
                    waits[i] = Stopwatch.GetTimestamp() - start;
                }
            }
        }

        public void Dispose()
        {
            _asked.Dispose();
            _worker.Dispose();
        }
    }
}
