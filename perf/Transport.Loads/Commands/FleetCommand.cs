using System;
using System.Collections.Generic;
using System.Diagnostics;
using System.Globalization;
using System.IO;
using System.Linq;
using System.Threading.Tasks;
using NATS.Client.Core;
using NATS.Client.JetStream;
using NATS.Client.JetStream.Models;
using NATS.Client.KeyValueStore;
using Transport.Journal;
using Transport.Loads.Events;
using Transport.Loads.Farm;
using Transport.Loads.Journals;
using Transport.Loads.Report;
using Transport.Loads.Scratch;
using Transport.Nats;

namespace Transport.Loads.Commands;

/// <summary><c>fleet FILE.svg [PACKETS]</c>: 200 machines in 4 processes ship journals to one server and 4 receivers; how far the receivers
/// are behind, as a picture, and that nothing is missing.</summary>
internal static class FleetCommand
{
    public const string Word = "fleet";

    private const int Processes = 4, MachinesOfEach = 50, PerSecond = 250;

    private static readonly TimeSpan s_limit = TimeSpan.FromMinutes(10), s_between = TimeSpan.FromMilliseconds(500);

    public static async Task<int> RunAsync(string[] args)
    {
        int packets = 25_000;
        if (args.Length is not (1 or 2) || (args.Length == 2 && !int.TryParse(args[1], CultureInfo.InvariantCulture, out packets)))
        {
            Console.Error.WriteLine($"{Word} takes one or two words: FILE.svg [PACKETS], the packets of each of the 200 machines.");
            return 2;
        }

        if (FarmServer.Missing is { } why)
        {
            Console.Error.WriteLine($"{why}: install it (Debian: apt-get install nats-server)");
            return 1;
        }

        using var folder = new ScratchFolder(Word);
        using var server = new FarmServer(folder.Location);
        List<NatsConnection> connections = [];
        List<JournalReceiver> receivers = [];
        for (int i = 0; i < Processes; i++)
        {
            connections.Add(server.Connect());
            if (i == 0)
            {
                await CreateAsync(connections[0]).ConfigureAwait(false);
            }

            receivers.Add(JournalReceiver.Start(connections[i], ReceivedIn(folder, i), new ReceiverOptions
            {
                Name = string.Create(CultureInfo.InvariantCulture, $"r{i}"), Stream = { Subject = FleetShippers.SubjectOf(i) },
                ConfigureJournal = journal => journal.SegmentBytes = 2 << 20,
            }));
        }

        LineProcess[] shippers = [.. Enumerable.Range(0, Processes).Select(i => Shippers(server.Url, folder.Location, i, packets))];
        List<(double At, long Appended, long Received)> samples = [];
        long[] last = await FollowAsync(shippers, receivers, (long)packets * Processes * MachinesOfEach, samples).ConfigureAwait(false);
        double seconds = samples[^1].At;
        using var self = Process.GetCurrentProcess();
        double cpu = (last[2] + self.TotalProcessorTime.TotalMilliseconds) * 1000 / samples[^1].Received;
        long onServer = (await new NatsJSContext(connections[0]).GetStreamAsync("TRANSPORT").ConfigureAwait(false)).Info.State.Bytes;
        foreach (LineProcess process in shippers)
        {
            process.Dispose();
        }

        foreach ((JournalReceiver receiver, NatsConnection connection) in receivers.Zip(connections))
        {
            await receiver.DisposeAsync().ConfigureAwait(false);
            await connection.DisposeAsync().ConfigureAwait(false);
        }

        int whole = Enumerable.Range(0, Processes).Sum(i => Check(ReceivedIn(folder, i), packets));
        long most = samples.Max(one => one.Appended - one.Received);
        string figures = string.Create(CultureInfo.InvariantCulture,
            $"{whole} of {Processes * MachinesOfEach} journals whole; {samples[^1].Received:N0} packets in {seconds:0} s, "
                + $"{last[1]:N0} blocks ({last[1] / seconds:0}/s), {onServer / 1e6:0} MB on the server "
                + $"({(double)onServer / samples[^1].Received:0} B a packet); at most {most:N0} behind; "
                + $"{cpu:0.0} us of CPU a packet, writers and both ends");
        Console.WriteLine(figures);
        File.WriteAllText(args[0], Draw(samples, figures).ToString());
        return whole == Processes * MachinesOfEach ? 0 : 1;
    }

    /// <summary>Makes the one stream of all.</summary>
    private static async Task CreateAsync(NatsConnection connection)
    {
        var jetStream = new NatsJSContext(connection);
        await jetStream.CreateStreamAsync(new StreamConfig("TRANSPORT", ["transport.journal.>"])).ConfigureAwait(false);
        await new NatsKVContext(jetStream).CreateStoreAsync(new NatsKVConfig("TRANSPORT_positions") { History = 1 }).ConfigureAwait(false);
    }

    private static string ReceivedIn(ScratchFolder folder, int i) =>
        Path.Combine(folder.Location, string.Create(CultureInfo.InvariantCulture, $"received{i}"));

    private static LineProcess Shippers(string url, string folder, int i, int packets)
    {
        string[] words =
        [
            FleetShippers.Word, url, folder, .. new[] { i * MachinesOfEach, MachinesOfEach, packets, PerSecond }
                .Select(number => number.ToString(CultureInfo.InvariantCulture)),
        ];
        bool isHost = string.Equals(Path.GetFileNameWithoutExtension(Environment.ProcessPath), "dotnet", StringComparison.Ordinal);
        string[] host = isHost ? [typeof(FleetCommand).Assembly.Location] : [];
        return new LineProcess(Environment.ProcessPath!, [.. host, .. words]);
    }

    /// <summary>Looks again and again how far all are, until all is received.</summary>
    /// <returns>What the shippers said last: packets, blocks, CPU in ms.</returns>
    private static async Task<long[]> FollowAsync(
        LineProcess[] shippers, List<JournalReceiver> receivers, long all, List<(double At, long Appended, long Received)> samples)
    {
        var clock = Stopwatch.StartNew();
        while (true)
        {
            long received = receivers.Sum(one => one.Status.Journals.Sum(journal => journal.Position));
            long[][] said = [.. shippers.Select(one => one.Ask("how far").Split(' ')
                .Select(word => long.Parse(word, CultureInfo.InvariantCulture)).ToArray())];
            samples.Add((clock.Elapsed.TotalSeconds, said.Sum(one => one[0]), received));
            if (received >= all)
            {
                return [said.Sum(one => one[0]), said.Sum(one => one[1]), said.Sum(one => one[2])];
            }

            if (clock.Elapsed > s_limit || receivers.Any(one => one.Completion.IsCompleted))
            {
                throw new LoadException(string.Create(CultureInfo.InvariantCulture, $"{received} of {all} were received."));
            }

            await Task.Delay(s_between).ConfigureAwait(false);
        }
    }

    /// <returns>How many journals have every packet, once and in order.</returns>
    private static int Check(string folder, int packets)
    {
        byte[][] events = EncodedEvents.Make(new EventCatalog());
        int whole = 0;
        foreach (string directory in Directory.GetDirectories(folder).Where(one => Directory.GetFiles(one, "origin").Length > 0))
        {
            using JournalReader reader = JournalReader.Open(directory);
            int number = 0;
            while (reader.TryRead(out JournalRecord record) && record.Body.SequenceEqual(events[number % events.Length]))
            {
                number++;
            }

            whole += number == packets && !reader.TryRead(out _) ? 1 : 0;
        }

        return whole;
    }

    private static Svg Draw(List<(double At, long Appended, long Received)> samples, string figures)
    {
        double most = samples.Max(one => Math.Max(1, one.Appended - one.Received));
        var svg = new Svg("packets that are appended and not received, over seconds", figures.Split("; at most")[0], (0, samples[^1].At),
            (100, most * 1.5), logX: false);
        for (int i = 1; i < samples.Count; i++)
        {
            svg.Line(samples[i - 1].At, Behind(samples[i - 1]), samples[i].At, Behind(samples[i]), "#1b6ca8");
        }

        for (int at = 0; at <= samples[^1].At; at += 20)
        {
            svg.Below(at, at.ToString(CultureInfo.InvariantCulture));
        }

        return svg;

        static double Behind((double At, long Appended, long Received) one) => Math.Max(100, one.Appended - one.Received);
    }
}
