using System;
using System.Collections.Generic;
using System.Globalization;
using Transport.Links;
using Transport.Loads.Report;
using Transport.Loads.Rivals;
using Transport.Loads.Workers;
using Transport.Receiving;
using Transport.Wires;

namespace Transport.Loads.Scenarios;

/// <summary>What links cost a main node that carry nothing: memory, threads, wake-ups. The main node is a process of its own; this one holds the other ends.</summary>
internal sealed class IdleLinksScenario : IScenario
{
    private const int MostRounds = 3;    // each takes many seconds
    private const int Watched = 6_000;   // ms; a link pings after 5 s of silence

    private const int Settled = 2_500;   // ms; a send loop's thread lingers for 2 s after its last write

    private static readonly int[] s_links = [0, 1, 64, 512];

    public string Name => "idle-links";

    public string Summary => "memory, threads and wake-ups of 1, 64, 512 idle links of a main node";

    public IEnumerable<Row> Run(RunOptions options)
    {
        var rounds = new List<Dictionary<int, double[]>>();
        for (int i = 0; i < (options.Quick ? 1 : Math.Min(options.Rounds, MostRounds)); i++)
        {
            rounds.Add(Round(options));
        }

        Row Make(string metric, string unit, Func<Dictionary<int, double[]>, double> value, Target? target = null) =>
            Row.Make(options, Name, metric, unit, rounds.ConvertAll<IReadOnlyDictionary<string, double>>(r => new Dictionary<string, double>(StringComparer.Ordinal) { [Column.Transport] = value(r) }), target: target);
        yield return Make("private memory of the first link", "KiB", r => (r[1][0] - r[0][0]) / 1024, Target.ValueAtMost(1.2 * 1024, 4096));
        foreach (int links in (int[])[64, 512])
        {
            yield return Make($"private memory of each further link of {links}", "KiB", r => (r[links][0] - r[1][0]) / 1024 / (links - 1), Target.ValueAtMost(8, 64));
            yield return Make($"managed memory of each further link of {links}", "KiB", r => (r[links][1] - r[1][1]) / 1024 / (links - 1));
            yield return Make($"threads more with {links} than with 1", "threads", r => r[links][2] - r[1][2], Target.ValueAtMost(2, 8));
            yield return Make($"wake-ups a second, {links} links", "1/s", r => r[links][3]);
        }

        yield return Make("wake-ups a second, 1 link", "1/s", r => r[1][3]);
        yield return Make("wake-ups a second, no link", "1/s", r => r[0][3]);
    }

    private static Dictionary<int, double[]> Round(RunOptions options)
    {
        var links = new List<Link>();
        var values = new Dictionary<int, double[]>();
        using var main = new LoadWorker(string.Empty, "idle");
        int watched = options.Quick ? 500 : Watched;
        foreach (int wanted in s_links)
        {
            main.Go("expect", wanted - links.Count);
            string[] words = main.Done().Split(' ');
            foreach (string secret in words[1..])
            {
                Link link = Link.ConnectAsync(WireEndpoint.Parse(words[0]), LinkSecret.Parse(secret)).GetAwaiter().GetResult();
                link.Start(new PacketRouter());
                links.Add(link);
            }

            main.Go("measure", watched, options.Quick ? 200 : Settled);
            double[] state = Array.ConvertAll(main.Done().Split(' '), w => double.Parse(w, CultureInfo.InvariantCulture));
            state[3] /= watched / 1000.0;
            values[wanted] = state;
        }

        foreach (Link link in links)
        {
            link.Abort("the load is over");
        }

        return values;
    }
}
