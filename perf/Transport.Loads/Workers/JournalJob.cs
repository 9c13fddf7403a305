using System;
using System.Collections.Generic;
using System.Diagnostics;
using System.Globalization;
using System.IO;
using System.Linq;
using Transport.Journal;
using Transport.Loads.Journals;
using Transport.Loads.Measuring;

namespace Transport.Loads.Workers;

/// <summary>This library's journals, in a process of their own. Orders: open NAME SEGMENT KEPT LOAD…, run NAME MILLISECONDS, close NAME,
/// and of a closed one: verify NAME, read NAME, reopen NAME.</summary>
internal sealed class JournalJob(string folder) : IJob
{
    private readonly Dictionary<string, JournalTrial> _open = new(StringComparer.Ordinal);

    public string Run(string[] order)
    {
        try
        {
            return Do(order);
        }
        catch (Exception e) when (e is LoadException or JournalException)
        {
            return "fault " + e.Message.ReplaceLineEndings(" ");
        }
    }

    public void Dispose()
    {
        // The process ends; what is not closed is as after a kill.
    }

    private static string Text(JournalSample s) =>
        string.Create(CultureInfo.InvariantCulture, $"{s.Records} {s.Seconds:r} {s.CpuMicros:f0} {s.Allocated:f0} {s.Wait}");

    private static long Number(string word) => long.Parse(word, CultureInfo.InvariantCulture);

    private static long Read(string path)
    {
        using JournalReader reader = JournalReader.Open(path);
        long count = 0;
        while (reader.TryRead(out _))
        {
            count++;
        }

        return count;
    }

    private static long Reopen(string path)
    {
        using PacketJournal journal = PacketJournal.Open(path);
        return journal.Appended;
    }

    private static JournalSample Measure(Func<long> work)
    {
        Usage before = Usage.Now();
        long records = work();
        Usage used = Usage.Now() - before;
        return new JournalSample(records, used.Seconds, used.CpuMicros, used.Allocated);
    }

    private string Do(string[] order)
    {
        string path = Path.Combine(folder, order[1]);
        switch (order[0])
        {
            case "open":
                _open.Add(order[1], new JournalTrial(path, JournalLoad.Parse(order.AsSpan(4)), Number(order[2]), Number(order[3])));
                return _open[order[1]].BackEnd;
            case "run":
                return Text(_open[order[1]].Run(Number(order[2])));
            case "close":
                _open.Remove(order[1], out JournalTrial? trial);
                return trial!.Close(path).ToString(CultureInfo.InvariantCulture);
            case "verify":
                return Text(Measure(() => PacketJournal.Verify(path) is { IsValid: true } report
                    ? report.Packets
                    : throw new LoadException($"verify: {PacketJournal.Verify(path).Findings[0]}")));
            case "read":
                return Text(Measure(() => Read(path)));
            case "reopen":
                return Text(Measure(() => Reopen(path)));
            default:
                throw new LoadException($"No such order: {order[0]}.");
        }
    }
}
