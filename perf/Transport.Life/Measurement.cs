using System;
using System.Collections.Generic;
using System.Diagnostics;
using System.Globalization;
using System.IO;
using System.Linq;
using System.Text;
using System.Threading.Tasks;

namespace Transport.Life;

/// <summary>Measures each kind beside the others, one round of all after the other, and writes a table of medians.</summary>
/// <param name="folder">Where perf/life.sh has published.</param>
/// <param name="rounds">How often each figure is taken.</param>
internal sealed class Measurement(string folder, int rounds)
{
    private const int WarmMillions = 3;

    /// <summary>How long a worker is idle before its memory is read, so that its start is over.</summary>
    private static readonly TimeSpan Settled = TimeSpan.FromMilliseconds(300);

    private readonly Dictionary<string, List<double>> _values = new(StringComparer.Ordinal);

    public async Task<string> RunAsync()
    {
        Kind[] kinds = [.. new[] { "jit", "ready", "native" }.Select(name => new Kind(name, folder))];
        await using MainNode main = MainNode.Start();
        for (int round = -1; round < rounds; round++)
        {
            foreach (Kind kind in kinds)
            {
                await TakeAsync(main, kind, isWarmUp: round < 0).ConfigureAwait(false);
            }
        }

        return Table(kinds);
    }

    private static double PrivateMegabytes(int processId) => File.ReadLines($"/proc/{processId}/smaps_rollup")
        .Where(line => line.StartsWith("Private_", StringComparison.Ordinal) && !line.StartsWith("Private_Hugetlb",
            StringComparison.Ordinal))
        .Sum(line => double.Parse(line.Split(' ', StringSplitOptions.RemoveEmptyEntries)[1], CultureInfo.InvariantCulture)) / 1024;

    private static double[] Cpu(IReadOnlyList<string> lines) =>
        [.. lines.Select(line => double.Parse(line["cpu ".Length..], CultureInfo.InvariantCulture))];

    private async Task TakeAsync(MainNode main, Kind kind, bool isWarmUp)
    {
        async Task<IReadOnlyList<string>> OursAsync(string[] arguments, Func<int, Task>? connected = null) =>
            await OurWorker.RunAsync(main, kind.Ours, arguments, connected).ConfigureAwait(false);
        async Task<IReadOnlyList<string>> BareAsync(string[] arguments, Func<int, Task>? connected = null) =>
            await BareProcess.RunAsync(kind.Bare, folder, arguments, connected).ConfigureAwait(false);

        double ours = await TimedAsync(() => OursAsync(["once"])).ConfigureAwait(false);
        double bare = await TimedAsync(() => BareAsync(["once"])).ConfigureAwait(false);
        if (isWarmUp)
        {
            return;
        }

        Note(kind, "life", ours, bare);
        double ourMemory = 0;
        _ = await OursAsync(["idle"], async id =>
        {
            await Task.Delay(Settled).ConfigureAwait(false);
            ourMemory = PrivateMegabytes(id);
        }).ConfigureAwait(false);
        double bareMemory = 0;
        _ = await BareAsync(["idle"], async id =>
        {
            await Task.Delay(Settled).ConfigureAwait(false);
            bareMemory = PrivateMegabytes(id);
        }).ConfigureAwait(false);
        Note(kind, "memory", ourMemory, bareMemory);
        string millions = WarmMillions.ToString(CultureInfo.InvariantCulture);
        double[] ourCpu = Cpu(await OursAsync(["events", millions]).ConfigureAwait(false));
        double[] bareCpu = Cpu(await BareAsync(["events", millions]).ConfigureAwait(false));
        Note(kind, "first", ourCpu[0], bareCpu[0]);
        Note(kind, "warm", ourCpu[^1], bareCpu[^1]);
    }

    private static async Task<double> TimedAsync(Func<Task> run)
    {
        long start = Stopwatch.GetTimestamp();
        await run().ConfigureAwait(false);
        return Stopwatch.GetElapsedTime(start).TotalMilliseconds;
    }

    private void Note(Kind kind, string what, double ours, double bare)
    {
        Add($"{kind.Name} {what}", ours);
        Add($"{kind.Name} {what} bare", bare);
        Add($"{kind.Name} {what} ratio", ours / bare);
    }

    private void Add(string name, double value)
    {
        if (!_values.TryGetValue(name, out List<double>? values))
        {
            _values.Add(name, values = []);
        }

        values.Add(value);
    }

    private double Median(string name)
    {
        double[] sorted = [.. _values[name].Order()];
        return sorted[sorted.Length / 2];
    }

    private string Table(Kind[] kinds)
    {
        var table = new StringBuilder();
        _ = table.Append("| | life, ms | bare | x bare | idle, private MB | bare | first million, CPU ms | bare | third million | bare ")
            .AppendLine("| size, MB | bare |")
            .AppendLine("|---|---|---|---|---|---|---|---|---|---|---|---|");
        foreach (Kind kind in kinds)
        {
            string Value(string what) => Median($"{kind.Name} {what}").ToString("0.0", CultureInfo.InvariantCulture);
            _ = table.AppendLine(string.Join(
                " | ",
                [
                    "| " + kind.Name, Value("life"), Value("life bare"), Median($"{kind.Name} life ratio").ToString("0.00",
                        CultureInfo.InvariantCulture),
                    Value("memory"), Value("memory bare"), Value("first"), Value("first bare"), Value("warm"), Value("warm bare"),
                    (Kind.SizeOf(kind.Ours) / 1e6).ToString("0.0", CultureInfo.InvariantCulture),
                    (Kind.SizeOf(kind.Bare) / 1e6).ToString("0.0", CultureInfo.InvariantCulture) + " |",
                ]));
        }

        double first = Median("native first") / Median("jit warm");
        return table.AppendLine().Append(string.Create(
            CultureInfo.InvariantCulture,
            $"Native: life {Median("native life ratio"):0.00} x bare (target 1.5), idle {Median("native memory"):0.0} MB (12), "
            + $"first million {first:0.00} x the JIT's third (1.2).")).ToString();
    }
}
