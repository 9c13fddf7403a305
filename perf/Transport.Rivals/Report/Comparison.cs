using System;
using System.Collections.Generic;
using System.Diagnostics;
using System.Globalization;
using System.IO;
using System.Linq;
using System.Threading;
using Transport.Loads;
using Transport.Loads.Measuring;
using Transport.Loads.Report;
using Transport.Loads.Rivals;
using Transport.Loads.Scenarios;
using Transport.Loads.Scratch;
using Transport.Loads.Workers;
using Transport.Rivals.Jobs;
using Transport.Rivals.Peers;

namespace Transport.Rivals.Report;

/// <summary>The main process: takes each workload through all peers in turn, and writes the page.</summary>
internal sealed class Comparison
{
    private const string Help = """
        Measures this library beside what a user would take instead, on this machine, in turns.

          dotnet run -c Release --project perf/Transport.Rivals -- [--quick] [--rounds N] [--peers A,B] [--markdown FILE] [--svg FILE]

        Peers (spaces become dashes): {0}
        """;

    private readonly RunOptions _options;
    private readonly IReadOnlyList<IPeer> _peers;
    private readonly Dictionary<string, PeerResult> _results;

    private Comparison(RunOptions options, IReadOnlyList<IPeer> peers)
    {
        _options = options;
        _peers = peers;
        _results = peers.ToDictionary(peer => peer.Name, peer => new PeerResult(peer.Name, peer.Shape), StringComparer.Ordinal);
    }

    public static int Run(string[] args)
    {
        bool quick = args.Contains("--quick");
        string? Value(string option) => args.SkipWhile(a => a != option).Skip(1).FirstOrDefault();
        if (args.Contains("--help"))
        {
            Console.WriteLine(Help, string.Join(", ", PeerList.All.Select(PeerList.Word)));
            return 0;
        }

        int rounds = Value("--rounds") is { } given ? int.Parse(given, CultureInfo.InvariantCulture) : quick ? 2 : 9;
        IPeer[] peers = Value("--peers") is { } named ? [.. named.Split(',').Select(PeerList.Named)] : [.. PeerList.All];
        using var interruption = new Interruption(Console.Error.WriteLine);
        using var floor = new CFloor();
        string load = RunStamp.LoadAverage();
        foreach (IPeer missing in peers.Where(peer => peer.Missing is not null))
        {
            Console.Error.WriteLine($"{missing.Name}: left out, {missing.Missing}");
        }

        var options = new RunOptions(rounds, quick, floor, [], Console.Error.WriteLine);
        var comparison = new Comparison(options, [.. peers.Where(peer => peer.Missing is null)]);
        comparison.Measure();
        PeerResult[] results = [.. comparison._results.Values];
        RivalsPage.Write(Console.Out, RunStamp.Now(Machine.This(), args, load), rounds, quick, results);
        if (Value("--markdown") is { } page)
        {
            using var file = new StreamWriter(page);
            RivalsPage.Write(file, RunStamp.Now(Machine.This(), args, load), rounds, quick, results);
        }

        if (Value("--svg") is { } picture)
        {
            File.WriteAllText(picture, RivalsPicture.Draw(results));
        }

        return results.Any(result => result.Faults.Count > 0) ? 1 : 0;
    }

    private void Measure()
    {
        Rounds("decoded", 2_000, (figures, samples) =>
        {
            figures[Figure.Events] = Median(samples, s => s.PacketsPerSecond);
            figures[Figure.Cpu] = Median(samples, s => s.Cpu);
            figures[Figure.Allocated] = Median(samples, s => s.AllocatedBySender + s.AllocatedByReceiver);
        });
        Rounds((1 << 20).ToString(CultureInfo.InvariantCulture), 20, (figures, samples) =>
            figures[Figure.Large] = Median(samples, s => s.PacketsPerSecond) * (1 << 20) / 1e9);
        Each("round trips", (peer, figures) => Ping(peer, figures));
        Each("8 senders", (peer, figures) => FanIn(peer, figures));
        Each("a killed sender", (peer, figures) => Kill(peer, figures));
        Each("a receiver that stops", (peer, figures) => Stop(peer, figures));
        Each("cold start", (peer, figures) => Start(peer, figures));
    }

    /// <summary>Interleaved rounds of all peers; both ends of each are processes of their own.</summary>
    private void Rounds(string what, int least, Action<Dictionary<string, double>, List<Sample>> take)
    {
        var courses = new Dictionary<string, PairCourse>(StringComparer.Ordinal);
        var samples = new Dictionary<string, List<Sample>>(StringComparer.Ordinal);
        try
        {
            Each(what, (peer, _) =>
            {
                string job = $"{PeerList.Word(peer)}/{what}";
                courses[peer.Name] = new PairCourse(_options, WorkerKind.Net, WorkerKind.Net, job, "send", least);
                courses[peer.Name].WarmUp();
                samples[peer.Name] = [];
            });
            for (int i = 0; i < _options.Rounds; i++)
            {
                foreach (string name in Turns.Rotated(samples.Keys, i).Where(courses.ContainsKey))
                {
                    Try(name, what, () => samples[name].Add(courses[name].Run()));
                }
            }
        }
        finally
        {
            foreach (PairCourse course in courses.Values)
            {
                course.Dispose();
            }
        }

        foreach ((string name, List<Sample> taken) in samples.Where(pair => pair.Value.Count > 0))
        {
            take(_results[name].Figures, taken);
        }
    }

    private void Ping(IPeer peer, Dictionary<string, double> figures)
    {
        int count = _options.Quick ? 300 : 3_000;
        using LoadWorker receiver = Receiver(peer);
        using LoadWorker sender = Sender(peer, receiver, 0);
        for (int i = 0; i < (_options.Quick ? 1 : 3); i++)
        {
            double[] times = Numbers(sender, "ping", count);   // the last of several, warm
            (figures[Figure.Ping], figures[Figure.PingWorst]) = (times[0], times[1]);
        }
    }

    private void FanIn(IPeer peer, Dictionary<string, double> figures)
    {
        double rate = figures.GetValueOrDefault(Figure.Events, 10_000);
        int each = Math.Clamp((int)(rate * (_options.Quick ? 0.1 : 0.5) / PeerSink.Senders), 500, 250_000);
        using LoadWorker receiver = Receiver(peer);
        LoadWorker[] senders = [.. Enumerable.Range(0, PeerSink.Senders).Select(n => Sender(peer, receiver, n))];
        try
        {
            var rates = new List<double>();
            for (int i = 0; i < (_options.Quick ? 2 : 5); i++)
            {
                receiver.Go("expect", each * PeerSink.Senders);
                receiver.Done();
                long start = Stopwatch.GetTimestamp();
                Array.ForEach(senders, sender => sender.Go(each));
                receiver.On("wait");
                receiver.Done();
                rates.Add(each * PeerSink.Senders / Stopwatch.GetElapsedTime(start).TotalSeconds);
                Array.ForEach(senders, sender => sender.Done());
            }

            figures[Figure.FanIn] = Interval.Of(rates).Median;
            figures[Figure.Memory] = Numbers(receiver, "memory")[0] / 1024;
        }
        finally
        {
            Array.ForEach(senders, sender => sender.Dispose());
        }
    }

    private void Kill(IPeer peer, Dictionary<string, double> figures)
    {
        var noticed = new List<double>();
        var lost = new List<double>();
        for (int i = 0; i < (_options.Quick ? 2 : 20); i++)
        {
            using Bursts bursts = Bursts.Create();
            (long arrived, double after) = peer is TransportPeer
                ? TailTrial.RunAsync(bursts).GetAwaiter().GetResult() : KillOne(peer, bursts);
            lost.Add(Math.Max(0, bursts.Taken - arrived));   // one may have arrived whose count was not yet written
            noticed.Add(after);
        }

        figures[Figure.Lost] = lost.Sum() / lost.Count;
        figures[Figure.LostAtMost] = lost.Max();
        figures[Figure.Noticed] = Interval.Of(noticed).Median;
    }

    private static (long Arrived, double Noticed) KillOne(IPeer peer, Bursts bursts)
    {
        using LoadWorker receiver = Receiver(peer);
        using LoadWorker sender = Sender(peer, receiver, 0);
        sender.Go("flood", bursts.Path);
        sender.Done();
        bursts.WaitForTheMiddle();
        long killed = Stopwatch.GetTimestamp();
        sender.Kill();
        double[] said = Numbers(receiver, "lost", peer.NoticesLoss ? 10_000 : 1_000);
        return ((long)said[0], said[1] == 0 ? double.PositiveInfinity : (said[1] - killed) * 1000 / Stopwatch.Frequency);
    }

    private void Stop(IPeer peer, Dictionary<string, double> figures)
    {
        int seconds = _options.Quick ? 2 : 10;
        using LoadWorker receiver = Receiver(peer);
        using LoadWorker sender = Sender(peer, receiver, 0);
        sender.Go(100);
        sender.Done();
        Signal(receiver, "STOP");
        try
        {
            // Those that wait go on only when the receiver does, a second behind the end.
            sender.Go("pace", 5_000, seconds);
            Thread.Sleep(TimeSpan.FromSeconds(seconds + 1));
        }
        finally
        {
            Signal(receiver, "CONT");
        }

        double[] said = Array.ConvertAll(sender.Done().Split(' '), text => double.Parse(text, CultureInfo.InvariantCulture));
        (figures[Figure.Longest], figures[Figure.Refused], figures[Figure.Behind], figures[Figure.SenderMemory]) =
            (said[0], said[1], Math.Max(0, said[2]), said[3] / 1024);
    }

    private void Start(IPeer peer, Dictionary<string, double> figures)
    {
        var times = new List<double>();
        for (int i = 0; i < (_options.Quick ? 1 : 5); i++)
        {
            using LoadWorker receiver = Receiver(peer);
            receiver.Go("address", 0);
            string[] address = receiver.Done().Split(' ');
            long start = Stopwatch.GetTimestamp();
            using var sender = new LoadWorker(WorkerKind.Net, address[1], "send", address[0], $"{PeerList.Word(peer)}/decoded", "0");
            sender.Go(1);
            sender.Done();
            times.Add((Numbers(receiver, "first")[0] - start) * 1000 / Stopwatch.Frequency);
        }

        figures[Figure.Start] = Interval.Of(times).Median;
    }

    private static LoadWorker Receiver(IPeer peer) => new(WorkerKind.Net, string.Empty, "receive", $"{PeerList.Word(peer)}/decoded");

    private static LoadWorker Sender(IPeer peer, LoadWorker receiver, int number)
    {
        receiver.Go("address", number);
        string[] address = receiver.Done().Split(' ');
        return new LoadWorker(WorkerKind.Net, address[1], "send", address[0], $"{PeerList.Word(peer)}/decoded",
            number.ToString(CultureInfo.InvariantCulture));
    }

    private static double[] Numbers(LoadWorker worker, params object[] order)
    {
        worker.Go(order);
        return Array.ConvertAll(worker.Done().Split(' '), text => double.Parse(text, CultureInfo.InvariantCulture));
    }

    private static void Signal(LoadWorker worker, string signal)
    {
        using Process kill = Process.Start("kill", [$"-{signal}", worker.Id.ToString(CultureInfo.InvariantCulture)]);
        kill.WaitForExit();
    }

    private static double Median(List<Sample> samples, Func<Sample, double> value) => Interval.Of(samples.Select(value)).Median;

    private void Each(string workload, Action<IPeer, Dictionary<string, double>> run)
    {
        foreach (IPeer peer in _peers)
        {
            var clock = Stopwatch.StartNew();
            Try(peer.Name, workload, () => run(peer, _results[peer.Name].Figures));
            _options.Say($"{workload}, {peer.Name}: {clock.Elapsed.TotalSeconds:f1} s");
        }
    }

    /// <summary>What fails for one peer is said in its row, and the others are measured.</summary>
    private void Try(string peer, string workload, Action run)
    {
        try
        {
            run();
        }
        catch (Exception fault)
        {
            _results[peer].Faults.Add($"{workload}: {(fault is LoadException ? fault.Message : fault.ToString())}");
        }
    }
}
