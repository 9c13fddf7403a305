using System;
using System.Collections.Generic;
using System.Globalization;
using System.IO;
using System.Linq;
using NUnit.Framework;
using Transport.Testing;

namespace Transport.Journal.Tests.Format;

/// <summary>Journals that an earlier revision left in golden/. Every later one reads, verifies, surveys and continues them alike.</summary>
/// <remarks>
/// Beside each journal stands a text of what was found in it. With TRANSPORT_UPDATE_GOLDEN=1 in the environment a journal or text that is
/// missing is made; one that is there is never changed.
/// </remarks>
internal sealed class GoldenJournalTests
{
    private static readonly DateTimeOffset Time = new(2026, 11, 22, 12, 0, 0, TimeSpan.Zero);

    private TestFolder _folder = null!;

    [SetUp]
    public void MakeFolder() => _folder = new TestFolder();

    [TearDown]
    public void Clean() => _folder.Dispose();

    [TestCase("written")]
    [TestCase("written-killed")]
    [TestCase("written-torn")]
    [TestCase("written-compacted")]
    [TestCase("written-damaged")]
    [TestCase("blocks")]
    [TestCase("blocks-killed")]
    [TestCase("blocks-torn")]
    [TestCase("blocks-compacted")]
    public void A_golden_journal_is_read_as_it_was(string name)
    {
        string golden = Path.Combine(GoldenFolder.Path, name);
        bool isUpdate = Environment.GetEnvironmentVariable("TRANSPORT_UPDATE_GOLDEN") == "1";
        if (isUpdate && !Directory.Exists(golden))
        {
            Make(name, golden);
        }

        string found = string.Join("\n", Describe(golden).Concat(Reopen(golden))) + "\n";
        string expected = golden + ".txt";
        if (isUpdate && !File.Exists(expected))
        {
            File.WriteAllText(expected, found);
        }

        Assert.That(found.Split('\n'), Is.EqualTo(File.ReadAllText(expected).Split('\n')));
    }

    [Test]
    public void A_golden_journal_in_blocks_says_so_in_its_headers()
    {
        byte[] header = File.ReadAllBytes(Path.Combine(GoldenFolder.Path, "blocks", "0000000002.segment"));
        Assert.That(SegmentHeader.Read(header.AsSpan(0, SegmentHeader.Size), out SegmentHeader read), Is.EqualTo(HeaderState.Valid));
        Assert.That(read.Flags & SegmentFlags.Blocks, Is.EqualTo(SegmentFlags.Blocks));
    }

    /// <summary>Reports what verifier, survey and reader find.</summary>
    private static IEnumerable<string> Describe(string directory)
    {
        JournalSurvey survey = PacketJournal.Survey(directory);
        JournalReport report = PacketJournal.Verify(directory);
        yield return Text($"{report.Condition}: {report.Packets} packets, {report.FirstPosition} to {report.LastPosition}");
        yield return Text($"synced: {report.SyncedPosition}");
        yield return Text($"survey: {survey.Report.Condition}, {survey.Openings} openings, {survey.BodyBytes} bytes, sync {survey.Sync}");
        foreach (JournalCount count in survey.Counts)
        {
            yield return Text($"node {count.Node}, type {count.Type}: {count.Packets} packets of {count.BodyBytes} bytes");
        }

        foreach (JournalSegment segment in report.Segments)
        {
            yield return Text($"{segment.File}: epoch {segment.Epoch}, {segment.FirstPosition} to {segment.LastPosition}")
                + Text($", {segment.Packets} packets, {segment.UsedBytes} of {segment.Bytes} bytes");
        }

        foreach (JournalFinding finding in report.Found)
        {
            yield return Text($"finding: {finding.File}, offset {finding.Offset}, position {finding.Position}");
        }

        using JournalReader reader = JournalReader.Open(directory, new JournalReaderOptions { PastDamage = true });
        while (reader.TryRead(out JournalRecord record))
        {
            yield return Text($"{record.Position}: {record.Node} {record.Type} {record.Time.UtcTicks}, {record.Body.Length} bytes")
                + Text($", sum {Crc32C.Of(record.Body):x8}");
        }

        yield return Text($"read: {reader.Condition} at {reader.Position}");
    }

    /// <summary>Reports what happens if a copy is opened for writing.</summary>
    private IEnumerable<string> Reopen(string golden)
    {
        string copy = _folder.CopyOf(golden, "copy");
        long appended;
        string opened;
        try
        {
            using PacketJournal journal = PacketJournal.Open(copy, Options(JournalBackEnd.Write));
            appended = journal.Append(1000);
            opened = Text($"opened: {journal.Recovery.Found}, epoch {journal.Epoch}, appended {appended}");
        }
        catch (JournalException e)
        {
            return [Text($"opened: {e.Fault}")];
        }

        Assert.That(PacketJournal.Verify(copy).IsValid, Is.True);
        using var reader = JournalReader.Open(copy, new JournalReaderOptions { From = appended });
        Assert.That(reader.TryRead(out JournalRecord last), Is.True);
        Assert.That(Numbered.NumberOf(last), Is.EqualTo(1000));
        return [opened, .. Directory.GetFiles(copy).Select(f => Path.GetFileName(f)!).OrderBy(f => f, StringComparer.Ordinal)];
    }

    private void Make(string name, string golden)
    {
        JournalBackEnd backEnd = name.StartsWith("blocks", StringComparison.Ordinal) ? JournalBackEnd.Uring : JournalBackEnd.Write;
        string kind = name.Substring(name.IndexOf('-') + 1);
        string left = _folder.Journal;
        int count = backEnd == JournalBackEnd.Uring ? 15 : 30;   // a commit in blocks takes 4 KiB
        using (PacketJournal journal = PacketJournal.Open(left, Options(backEnd)))
        {
            Append(journal, 1, count);
        }

        using (PacketJournal journal = PacketJournal.Open(left, Options(backEnd)))
        {
            Append(journal, count + 1, 2 * count);
            if (kind == "compacted")
            {
                _ = journal.Compact(new JournalRetention { Watermark = count * 4 / 3 });
                Append(journal, (2 * count) + 1, 3 * count);
            }

            left = kind is "killed" or "torn" ? _folder.CopyOf(left, "killed") : left;
        }

        JournalSegment last = PacketJournal.Verify(left).Segments.Last();
        if (kind == "torn")
        {
            Overwrite(Path.Combine(left, last.File), last.UsedBytes - (backEnd == JournalBackEnd.Uring ? 4000 : 800), 800);
        }
        else if (kind == "damaged")
        {
            Overwrite(Path.Combine(left, "0000000001.segment"), 20_000, 100);
        }

        Directory.CreateDirectory(golden);
        foreach (string file in Directory.GetFiles(left).Where(f => Path.GetFileName(f) != "lock"))
        {
            File.Copy(file, Path.Combine(golden, Path.GetFileName(file)));
        }
    }

    private static void Append(PacketJournal journal, int from, int to)
    {
        JournalNode[] nodes = [new("n1"), new("node-two"), new("x")];
        for (int i = from; i <= to; i++)
        {
            int length = i % 7 == 0 ? 0 : 100 + (i * 613 % 3500);
            byte[] body = new byte[length];
            for (int at = 0; at < length; at++)
            {
                body[at] = (byte)(1 + ((i + at) % 50));   // no zeros: what a torn write leaves out is seen
            }

            journal.Append(nodes[i % 3], (ushort)(1024 + (i % 4)), body, Time.AddMilliseconds(i));
        }
    }

    private static void Overwrite(string file, long offset, int count)
    {
        using var stream = new FileStream(file, FileMode.Open, FileAccess.Write, FileShare.None);
        stream.Position = offset;
        stream.Write(new byte[count], 0, count);
    }

    private static JournalOptions Options(JournalBackEnd backEnd) => new JournalOptions
    {
        SegmentBytes = 64 << 10,
        BackEnd = backEnd,
        TimeProvider = new FixedClock(Time),
        IdleMarkMilliseconds = 0,
    };

    private static string Text(FormattableString text) => text.ToString(CultureInfo.InvariantCulture);
}
