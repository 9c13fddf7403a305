using System;
using System.Collections.Generic;
using System.Globalization;
using System.Linq;
using Transport.Journal;
using Transport.Loads.Events;
using Transport.Loads.Journals;
using Transport.Loads.Report;
using Transport.Loads.Rivals;
using Transport.Loads.Workers;

namespace Transport.Loads.Scenarios;

/// <summary>Costs that are numbers and not times: bytes, writes and allocations of events and of a journal. They are the same on every
/// machine and in every round, and the gate compares them exactly.</summary>
internal sealed class CountsScenario : IScenario
{
    /// <summary>The events that are queued behind one write: with those before them three of each kind, so that rounds are equal.</summary>
    private const int Queued = (3 * EventCatalog.Kinds) - CountsJob.Alone - 1;

    /// <summary>The records of the journal.</summary>
    private const int Records = 100;

    private const int RecordBytes = 256;

    public string Name => "counts";

    public string Summary => "bytes, writes and allocations of an event and of a record, which no machine changes";

    public IEnumerable<Row> Run(RunOptions options)
    {
        var link = new List<double[]>();
        using (var sink = new EventSink(new EventCatalog()))
        using (var receiver = new TransportReceiver(sink))
        using (var worker = new LoadWorker(receiver.Secret, "counts", receiver.Address))
        {
            for (int i = -1; i < options.Rounds; i++)   // in the first one code is compiled and segments are made
            {
                sink.Expect(CountsJob.Sent(Queued));
                worker.Go(Queued);
                double[] counts = Array.ConvertAll(worker.Done().Split(' '), t => double.Parse(t, CultureInfo.InvariantCulture));
                sink.WaitForAll(options.Limit);
                if (i >= 0)
                {
                    link.Add(counts);
                }
            }
        }

        double encoded = EncodedEvents.Make(new EventCatalog()).Average(e => e.Length);
        (double bytes, double commits) = CountJournal();
        yield return Make("an event encoded, on average", "B", link.ConvertAll(_ => encoded));
        yield return Make($"an event on the wire, of {Queued} in a queue", "B", link.ConvertAll(c => c[2] / (Queued + 1)));
        yield return Make($"writes of {CountsJob.Alone} events, one after the other", "writes", link.ConvertAll(c => c[0]));
        yield return Make($"writes of {Queued} events that are queued", "writes", link.ConvertAll(c => c[1]));
        yield return Make("allocated by the caller of TrySend", "B/event", link.ConvertAll(c => c[3] / CountsJob.Alone));
        yield return Make($"a record of {RecordBytes} B in a journal", "B", link.ConvertAll(_ => bytes));
        yield return Make("commits of a record that is waited for", "commits", link.ConvertAll(_ => commits));

        Row Make(string metric, string unit, List<double> rounds) => Row.Make(options, Name, metric, unit,
            rounds.ConvertAll<IReadOnlyDictionary<string, double>>(
                v => new Dictionary<string, double>(StringComparer.Ordinal) { [Column.Transport] = v }));
    }

    private static (double Bytes, double Commits) CountJournal()
    {
        using var disk = new JournalDisk();
        using PacketJournal journal = PacketJournal.Open(disk.Path, new JournalOptions { Sync = JournalSync.Always });
        var node = new JournalNode("counts");
        byte[] body = JournalBodies.Make(RecordBytes);
        for (int i = 0; i < Records; i++)
        {
            journal.Append(node, BodySet.Type, body);
        }

        JournalStatus statistics = journal.Status;
        return ((double)statistics.WrittenBytes / Records, (double)statistics.CommitCount / Records);
    }
}
