using System;
using System.Buffers;
using System.Collections.Generic;
using System.Globalization;
using System.IO;
using System.Linq;
using System.Threading;
using Transport.Journal;
using Transport.Loads.Events;
using Transport.Loads.Journals;
using Transport.Loads.Report;
using Transport.Loads.Rivals;
using Transport.Loads.Workers;

namespace Transport.Loads.Scenarios;

/// <summary>A sender whose main node is away for 10 s at 100,000 events a second: nothing lost, nothing seen twice, memory within its
/// budgets; and one that is killed meanwhile and started again.</summary>
internal sealed class JournalSpillScenario : IScenario
{
    private const int MostRounds = 3;   // each takes half a minute

    /// <summary>What a sender may hold by the defaults: the link's budget, an eighth of it for the way back, the journal's queue.</summary>
    private const double Budget = ((8 << 20) * 1.125) + (8 << 20);

    private const long SecondFirst = EventCatalog.FirstId + (1L << 30);

    private static readonly TimeSpan s_limit = TimeSpan.FromSeconds(100);

    public string Name => "journal-spill";

    public string Summary => "a main node that is away for 10 s at 100 k events/s, and a sender that is killed meanwhile";

    public IEnumerable<Row> Run(RunOptions options)
    {
        int rate = options.Quick ? 20_000 : 100_000;
        int away = options.Quick ? 1_000 : 10_000;
        var rounds = new List<Dictionary<string, double>>();
        for (int i = 0; i < Math.Min(options.Rounds, MostRounds); i++)
        {
            var values = new Dictionary<string, double>(StringComparer.Ordinal);
            Away(values, rate, away);
            Kill(values, rate, away / 2);
            rounds.Add(values);
        }

        Row Make(string metric, string unit, Target? target = null) => Row.Make(
            options,
            Name,
            metric,
            unit,
            rounds.ConvertAll<IReadOnlyDictionary<string, double>>(v => new Dictionary<string, double>(StringComparer.Ordinal)
            {
                [Column.Transport] = v[metric],
            }),
            target: target);
        return
        [
            Make(Lost, "events", Target.ValueAtMost(0)),
            Make(Seen, "events", Target.ValueAtMost(0)),
            Make(Full, "events", Target.ValueAtMost(0)),
            Make(Memory, "MB", Target.ValueAtMost(Budget * 1.15 / 1e6)),
            Make(Spilled, "events"),
            Make(Again, "events"),
            Make(CaughtUp, "s"),
            Make(P50, "ns"),
            Make(P999, "ns"),
            Make(Longest, "ns"),
            Make(KilledSpilled, "events"),
            Make(KilledLost, "events", Target.ValueAtMost(0)),
            Make(KilledSeen, "events", Target.ValueAtMost(0)),
        ];
    }

    private const string Lost = "away: lost", Seen = "away: seen twice or out of order", Full = "away: answered Full",
        Memory = "away: most managed memory more than before", Spilled = "away: spilled",
        Again = "away: came again and dropped", CaughtUp = "away: from the last event until all is acknowledged",
            P50 = "away: one Send p50", P999 = "away: one Send p99.9", Longest = "away: one Send max",
        KilledSpilled = "killed: in the journal at the kill", KilledLost = "killed: of these lost",
            KilledSeen = "killed: seen twice or out of order";

    private static void Away(Dictionary<string, double> values, int rate, int away)
    {
        using var disk = new JournalDisk();
        using var main = new SpillMain(disk.Path);
        main.Arrive();
        using var worker = new LoadWorker(string.Empty, "spill", disk.Path, Text(EventCatalog.FirstId));
        worker.Go("run", rate, away * 3 / 2);
        Pause(away / 5);
        main.Leave();
        Pause(away);
        main.Arrive();
        double[] sent = Numbers(worker.Done());
        worker.On("finish");
        double[] finished = Numbers(worker.Done());
        if (finished[1] != 1)
        {
            throw new LoadException($"Not everything was acknowledged within {s_limit.TotalSeconds} s.");
        }

        main.Leave();
        values[Lost] = sent[0] - main.Ids.Distinct().Count();
        values[Seen] = main.Duplicates;
        values[Full] = sent[1];
        values[Memory] = sent[2] / 1e6;
        values[Spilled] = sent[4];
        values[Again] = main.Receiver.Duplicates;
        values[CaughtUp] = finished[0];
        values[P50] = sent[5];
        values[P999] = sent[7];
        values[Longest] = sent[8];
    }

    private static void Kill(Dictionary<string, double> values, int rate, int away)
    {
        using var disk = new JournalDisk();
        using var main = new SpillMain(disk.Path);
        main.Arrive();
        using (var first = new LoadWorker(string.Empty, "spill", disk.Path, Text(EventCatalog.FirstId)))
        {
            first.Go("run", rate, away * 10);
            Pause(away / 2);
            main.Leave();
            Pause(away);
            first.Kill();
        }

        HashSet<long> spilled = InJournal(Path.Combine(disk.Path, "spill", "normal"));
        using (var second = new LoadWorker(string.Empty, "spill", disk.Path, Text(SecondFirst)))
        {
            second.Go("run", rate, away);
            Pause(away / 2);
            main.Arrive();
            second.Done();
            second.On("finish");
            if (Numbers(second.Done())[1] != 1)
            {
                throw new LoadException($"Not everything was acknowledged within {s_limit.TotalSeconds} s.");
            }
        }

        main.Leave();
        values[KilledSpilled] = spilled.Count;
        spilled.ExceptWith(main.Ids);
        values[KilledLost] = spilled.Count;
        values[KilledSeen] = main.Duplicates;
    }

    private static HashSet<long> InJournal(string path)
    {
        using JournalReader reader = JournalReader.Open(path, new JournalReaderOptions { Types = [LoadEventFormatter.Type.Id] });
        var ids = new HashSet<long>();
        while (reader.TryRead(out JournalRecord record))
        {
            ids.Add(record.Read(LoadEventFormatter.Type).Id);
        }

        return ids;
    }

    private static double[] Numbers(string answer) =>
        Array.ConvertAll(answer.Split(' '), word => double.Parse(word, CultureInfo.InvariantCulture));

    private static string Text(long number) => number.ToString(CultureInfo.InvariantCulture);

    private static void Pause(int milliseconds)
    {
        using var never = new ManualResetEventSlim();
        never.Wait(milliseconds);
    }
}
