using System;
using System.Diagnostics;
using System.Globalization;
using System.IO;
using System.Threading.Tasks;
using Transport.Loads.Measuring;

namespace Transport.Loads.Journals;

/// <summary>A redis server of the load's own on a Unix socket, and redis-benchmark, the client that comes with it, in front of it. Nothing
/// of it is on the network.</summary>
/// <remarks>CPU is that of both; the server's own goes in steps of 10 ms.</remarks>
internal sealed class RedisServer : IDisposable
{
    private static readonly TimeSpan s_limit = TimeSpan.FromSeconds(20);

    private readonly string _socket;
    private readonly Process _server;

    private RedisServer(string folder, string sync)
    {
        string files = Directory.CreateDirectory(Path.Combine(folder, $"redis-{sync}")).FullName;
        _socket = Path.Combine(files, "s");
        var start = new ProcessStartInfo(Repository.OnPath("redis-server")!)
        {
            UseShellExecute = false, RedirectStandardOutput = true, RedirectStandardInput = true,
        };
        foreach (string word in (string[])[
            "--port", "0", "--unixsocket", _socket, "--dir", files, "--daemonize", "no", "--save", string.Empty,
            "--appendonly", "yes", "--appendfsync", sync, "--auto-aof-rewrite-percentage", "0"])
        {
            start.ArgumentList.Add(word);
        }

        var ready = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
        _server = new Process { StartInfo = start };
        _server.OutputDataReceived += (_, line) =>
        {
            if (line.Data is null)
            {
                ready.TrySetException(new LoadException("redis-server ended before it was ready."));
            }
            else if (line.Data.Contains("ready to accept connections", StringComparison.OrdinalIgnoreCase))
            {
                ready.TrySetResult();
            }
        };
        _server.Start();
        _server.BeginOutputReadLine();
        ready.Task.WaitAsync(s_limit).GetAwaiter().GetResult();
    }

    /// <summary>Finds out why there is no such column; null if there is one.</summary>
    public static string? Missing() =>
        Repository.OnPath("redis-server") is null ? "no redis-server here" : Repository.OnPath("redis-benchmark") is null
            ? "no redis-benchmark here" : null;

    /// <summary>Starts one; null if it is not installed or cannot be started.</summary>
    /// <param name="folder">Where its files go.</param>
    /// <param name="sync">Its policy: always, everysec, no.</param>
    public static RedisServer? Start(string folder, string sync) => Missing() is null ? new RedisServer(folder, sync) : null;

    /// <summary>Makes a load of SETs.</summary>
    /// <param name="clients">Connections.</param>
    /// <param name="pipelined">Requests that a connection sends before it waits.</param>
    /// <param name="size">Bytes of a value.</param>
    public IJournalRival Set(int clients, int pipelined, int size) => new Client(this, clients, pipelined, size);

    public void Dispose()
    {
        _server.Kill();   // its files are thrown away
        _server.WaitForExit();
        _server.Dispose();
    }

    private double CpuMicros()
    {
        _server.Refresh();
        return _server.TotalProcessorTime.TotalMicroseconds;
    }

    private sealed class Client(RedisServer server, int clients, int pipelined, int size) : IJournalRival
    {
        private double _perSecond = 10_000;

        public JournalSample Run(int milliseconds)
        {
            long count = Math.Max(clients * pipelined, (long)(_perSecond * milliseconds / 1000));
            double before = server.CpuMicros() + CpuTime.OfChildren();
            string[] line = Benchmark(count).Split(',');
            double cpu = server.CpuMicros() + CpuTime.OfChildren() - before;
            double Value(int i) => double.Parse(line[i].Trim('"'), CultureInfo.InvariantCulture);
            _perSecond = Value(1);
            return new JournalSample(
                count, count / _perSecond, cpu, Wait: new Distribution(Value(4) * 1e6, Value(6) * 1e6, double.NaN, Value(7) * 1e6));
        }

        public void Dispose()
        {
            // The server goes by itself.
        }

        private string Benchmark(long count)
        {
            string[] arguments = ["-s", server._socket, "-t", "set", "--csv", "--precision", "3", "-c", Text(clients), "-P",
                Text(pipelined), "-d", Text(size), "-n", Text(count)];
            using Process client = Process.Start(new ProcessStartInfo(Repository.OnPath("redis-benchmark")!, arguments)
            {
                UseShellExecute = false, RedirectStandardOutput = true,
            })!;
            string[] lines = client.StandardOutput.ReadToEnd().Split('\n', StringSplitOptions.RemoveEmptyEntries);
            client.WaitForExit();
            return Array.Find(lines, l => l.StartsWith("\"SET\"", StringComparison.Ordinal))
                ?? throw new LoadException($"redis-benchmark ended with {client.ExitCode} and said: {string.Join(' ', lines)}");
        }

        private static string Text(long number) => number.ToString(CultureInfo.InvariantCulture);
    }
}
