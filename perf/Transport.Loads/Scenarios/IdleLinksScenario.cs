using System;
using System.Collections.Generic;
using System.Globalization;
using System.Net.Sockets;
using Transport.Loads.Report;
using Transport.Loads.Rivals;
using Transport.Loads.Workers;

namespace Transport.Loads.Scenarios;

/// <summary>What links cost a main node that carry nothing: memory, threads, wake-ups. The main node is a process of its own; this one
/// holds the other ends.</summary>
/// <remarks>
/// The first link is measured in a fresh process, beside a bare socket in another: most of it is the code that is compiled for it. The
/// others are measured in a process that had as many links before and lost them, and whose compiler does not profile: what it needs for
/// itself, a few MB at some time or other, would else be spread over the links.
/// </remarks>
internal sealed class IdleLinksScenario : IScenario
{
    private const int MostRounds = 3;    // each takes many seconds
    private const int Watched = 6_000;   // ms; a link pings after 5 s of silence

    private const int Settled = 2_500;   // ms; a send loop's thread lingers for 2 s after its last write
    private static readonly int[] s_links = [1, 64, 512];

    public string Name => "idle-links";

    public string Summary => "memory, threads and wake-ups of 1, 64, 512 idle links of a main node";

    public IEnumerable<Row> Run(RunOptions options)
    {
        var rounds = new List<Dictionary<int, double[]>>();
        var firsts = new List<IReadOnlyDictionary<string, double>>();
        for (int i = 0; i < (options.Quick ? 1 : Math.Min(options.Rounds, MostRounds)); i++)
        {
            firsts.Add(new Dictionary<string, double>(StringComparer.Ordinal)
            {
                [Column.Transport] = FirstLink(options) / 1024, [Column.Raw] = FirstSocket(options) / 1024,
            });
            rounds.Add(Round(options));
        }

        Row Make(string metric, string unit, Func<Dictionary<int, double[]>, double> value, Target? target = null) =>
            Row.Make(options, Name, metric, unit, rounds.ConvertAll<IReadOnlyDictionary<string, double>>(
                r => new Dictionary<string, double>(StringComparer.Ordinal) { [Column.Transport] = value(r) }), target: target);
        yield return Row.Make(
            options, Name, "private memory of the first link", "KiB", firsts, Column.Raw, Target.ValueAtMost(4.5 * 1024, 6144));
        foreach (int links in (int[])[64, 512])
        {
            yield return Make($"private memory of each further link of {links}", "KiB", r => (r[links][0] - r[1][0]) / 1024 / (links - 1),
                links == s_links[^1] ? Target.ValueAtMost(250, 500) : null);
            yield return Make($"managed memory of each further link of {links}", "KiB", r => (r[links][1] - r[1][1]) / 1024 / (links - 1));
            yield return Make($"threads of each further link of {links}, without the runtime's pool", "threads", r =>
                (r[links][2] - r[1][2]) / (links - 1), Target.ValueAtMost(2));
            yield return Make($"threads of the runtime's pool, {links} links", "threads", r => r[links][4]);
            yield return Make($"wake-ups a second, {links} links", "1/s", r => r[links][3]);
        }

        yield return Make("wake-ups a second, 1 link", "1/s", r => r[1][3]);
        yield return Make("wake-ups a second, no link", "1/s", r => r[0][3]);
    }

    private static Dictionary<int, double[]> Round(RunOptions options)
    {
        var links = new List<Link>();
        var shared = new LinkOptions();   // one poller for all the other ends
        var values = new Dictionary<int, double[]>();
        using var main = new LoadWorker(WorkerKind.Net.With("DOTNET_TieredPGO", "0"), string.Empty, "idle");
        int watched = options.Quick ? 500 : Watched;
        int settle = options.Quick ? 200 : Settled;
        values[0] = Measure(main, watched, settle);
        Connect(main, links, shared, s_links[^1]);
        Measure(main, watched, settle);
        Abort(links);
        main.Go("drain");
        main.Done();
        foreach (int wanted in s_links)
        {
            Connect(main, links, shared, wanted);
            values[wanted] = Measure(main, watched, settle);
        }

        Abort(links);
        return values;
    }

    private static double FirstLink(RunOptions options)
    {
        var links = new List<Link>();
        using var main = new LoadWorker(string.Empty, "idle");
        int settle = options.Quick ? 200 : Settled;
        double before = Measure(main, 1, settle)[0];
        Connect(main, links, new LinkOptions(), 1);
        double after = Measure(main, 1, settle)[0];
        Abort(links);
        return after - before;
    }

    private static double FirstSocket(RunOptions options)
    {
        using var main = new LoadWorker(string.Empty, "idle-raw");
        int settle = options.Quick ? 200 : Settled;
        double before = Measure(main, 1, settle)[0];
        main.Go("expect");
        using Socket socket = LocalSocket.Connect(main.Done());
        byte[] bytes = new byte[100];
        socket.Send(bytes);
        socket.Receive(bytes);
        return Measure(main, 1, settle)[0] - before;
    }

    private static void Connect(LoadWorker main, List<Link> links, LinkOptions options, int wanted)
    {
        main.Go("expect", wanted - links.Count);
        string[] words = main.Done().Split(' ');
        foreach (string secret in words[1..])
        {
            Link link = Link.ConnectAsync(WireEndpoint.Parse(words[0]), LinkSecret.Parse(secret), options).GetAwaiter().GetResult();
            link.Start(new PacketRouter());
            links.Add(link);
        }
    }

    private static void Abort(List<Link> links)
    {
        foreach (Link link in links)
        {
            link.Abort("the load is over");
        }

        links.Clear();
    }

    private static double[] Measure(LoadWorker main, int watched, int settle)
    {
        main.Go("measure", watched, settle);
        double[] state = Array.ConvertAll(main.Done().Split(' '), w => double.Parse(w, CultureInfo.InvariantCulture));
        if (state.Length > 3)
        {
            state[3] /= watched / 1000.0;
        }

        return state;
    }
}
