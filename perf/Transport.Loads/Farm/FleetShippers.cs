using System;
using System.Collections.Generic;
using System.Diagnostics;
using System.Globalization;
using System.IO;
using System.Linq;
using System.Threading.Tasks;
using NATS.Client.Core;
using Transport.Journal;
using Transport.Loads.Events;
using Transport.Nats;

namespace Transport.Loads.Farm;

/// <summary>One of the processes of the load <c>fleet</c>: many machines, each with a journal of its own that is shipped.</summary>
internal static class FleetShippers
{
    /// <summary>The word after which this program is one.</summary>
    public const string Word = "fleet-shippers";

    private static readonly TimeSpan s_burst = TimeSpan.FromMilliseconds(200);

    /// <summary>Returns the subject of a process's machines.</summary>
    public static string SubjectOf(int process) => string.Create(CultureInfo.InvariantCulture, $"transport.journal.g{process}");

    /// <summary>Returns the name of a machine.</summary>
    public static string MachineOf(int number) => string.Create(CultureInfo.InvariantCulture, $"m{number}");

    /// <summary>Ships until the input ends; each line of it is answered with what was appended, in how many blocks, and the CPU in
    /// ms.</summary>
    /// <param name="args">URL, folder, first machine, machines, packets of each, packets a second of each.</param>
    public static async Task<int> RunAsync(string[] args)
    {
        int[] numbers = [.. args.Skip(2).Select(word => int.Parse(word, CultureInfo.InvariantCulture))];
        (int first, int machines, int packets, int perSecond) = (numbers[0], numbers[1], numbers[2], numbers[3]);
        byte[][] events = EncodedEvents.Make(new EventCatalog());
        await using var connection = new NatsConnection(new NatsOpts { Url = args[0] });
        List<(PacketJournal Journal, JournalShipper Shipper)> all = [];
        for (int i = first; i < first + machines; i++)
        {
            PacketJournal journal = PacketJournal.Open(
                Path.Combine(args[1], MachineOf(i)), new JournalOptions { SegmentBytes = 2 << 20, Sync = JournalSync.EverySecond });
            all.Add((journal, JournalShipper.Start(connection, journal, new ShipperOptions
            {
                Machine = MachineOf(i), Stream = { Subject = SubjectOf(first / machines) },
                MaxDelay = TimeSpan.FromMilliseconds(200), WindowBytes = 1 << 20,
            })));
        }

        Console.WriteLine("ready");
        _ = Console.ReadLine();
        Task appending = Task.Run(() => AppendAsync([.. all.Select(one => one.Journal)], events, packets, perSecond));
        do
        {
            Console.WriteLine(string.Create(CultureInfo.InvariantCulture,
                $"{all.Sum(one => one.Journal.Appended)} {all.Sum(one => one.Shipper.Status.Blocks)} "
                    + $"{Environment.CpuUsage.TotalTime.TotalMilliseconds:0}"));
        }
        while (Console.ReadLine() is not null);

        await appending.ConfigureAwait(false);
        foreach ((PacketJournal journal, JournalShipper shipper) in all)
        {
            await shipper.DisposeAsync().ConfigureAwait(false);
            await journal.DisposeAsync().ConfigureAwait(false);
        }

        return 0;
    }

    private static async Task AppendAsync(PacketJournal[] journals, byte[][] events, int packets, int perSecond)
    {
        var node = new JournalNode("n1");
        var clock = Stopwatch.StartNew();
        for (int done = 0; done < packets;)
        {
            // Events come in bursts, and these machines share two cores: one by one their writers alone would take both.
            await Task.Delay(s_burst).ConfigureAwait(false);
            int due = Math.Min(packets, (int)(clock.Elapsed.TotalSeconds * perSecond));
            foreach (PacketJournal journal in journals)
            {
                for (int number = done; number < due; number++)
                {
                    while (journal.TryAppend(node, LoadEventFormatter.Type.Id, events[number % events.Length], out _) != SendResult.Queued)
                    {
                        await journal.CommitAsync(journal.Appended).ConfigureAwait(false);
                    }
                }
            }

            done = due;
        }
    }
}
