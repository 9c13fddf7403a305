using System;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using NUnit.Framework;
using Transport.Testing;

namespace Transport.Journal.Tests.Reading;

/// <summary>What readers show.</summary>
internal sealed class ReaderTests
{
    private static readonly DateTimeOffset Start = new(2026, 1, 1, 0, 0, 0, TimeSpan.Zero);

    private TestFolder _folder = null!;

    [SetUp]
    public void MakeJournal()
    {
        _folder = new TestFolder();
        using PacketJournal journal = PacketJournal.Open(_folder.Journal, new JournalOptions { SegmentBytes = 64 << 10 });
        JournalNode[] nodes = [new("n1"), new("n2"), new("n3")];
        for (int i = 1; i <= 300; i++)
        {
            journal.Append(nodes[i % 3], (ushort)(1000 + (i % 5)), Numbered.Body(i, 500), Start.AddSeconds(i));
        }
    }

    [TearDown]
    public void RemoveFolder() => _folder.Dispose();

    [Test]
    public void Filters_agree()
    {
        long[] shown = Shown(new JournalReaderOptions
        {
            From = 50, Nodes = ["n1", "n2"], Types = [1001, 1003], After = Start.AddSeconds(60), Before = Start.AddSeconds(200),
        });
        Assert.That(shown, Is.EqualTo(Enumerable.Range(60, 140).Where(i => i % 3 is 0 or 1 && i % 5 is 1 or 3 && (i % 3 is 0 or 1))
            .Select(i => (long)i)));
        Assert.That(shown, Is.Not.Empty);
    }

    [Test]
    public void Every_field_comes_back()
    {
        using var reader = JournalReader.Open(_folder.Journal, new JournalReaderOptions { From = 7 });
        Assert.That(reader.TryRead(out JournalRecord record), Is.True);
        Assert.That((record.Position, record.Node, record.Type, record.Time), Is.EqualTo((7L, "n2", (ushort)1002, Start.AddSeconds(7))));
        Assert.That(record.Body.ToArray(), Is.EqualTo(Numbered.Body(7, 500)));
        Assert.That(reader.Position, Is.EqualTo(7));
    }

    /// <summary>Records kept in a list read as zeros. They fit into none now; in another local, they throw.</summary>
    [Test]
    public void A_record_that_is_kept_throws_once_the_reader_has_gone_on()
    {
        var reader = JournalReader.Open(_folder.Journal);
        Assert.That(reader.TryRead(out JournalRecord first), Is.True);
        byte[] copy = first.ToArray();
        Assert.That(reader.TryRead(out JournalRecord second), Is.True);
        Assert.That(IsOver(first), Is.True);
        Assert.That((IsOver(second), first.Position, second.Position), Is.EqualTo((false, 1L, 2L)));
        reader.Dispose();
        Assert.That(IsOver(second), Is.True);
        Assert.That(copy, Is.EqualTo(Numbered.Body(1, 500)));
        Assert.That(first.ToString(), Is.EqualTo("1: type 1001 from n2, 500 bytes"));
    }

    [Test]
    public void A_loop_a_handler_and_single_reads_show_the_same([Values(1, 7, 1_000)] int atMost)
    {
        List<(long, string)> looped = [], handed = [];
        using (JournalReader reader = JournalReader.Open(_folder.Journal))
        {
            foreach (JournalRecord record in reader)
            {
                looped.Add((record.Position, Convert.ToBase64String(record.ToArray())));
            }
        }

        using (JournalReader reader = JournalReader.Open(_folder.Journal))
        {
            while (reader.Read(record => handed.Add((record.Position, Convert.ToBase64String(record.ToArray()))), atMost) == atMost)
            {
                Assert.That(handed, Has.Count.EqualTo(reader.Position));
            }
        }

        Assert.That(handed, Is.EqualTo(looped));
        Assert.That(looped, Is.EqualTo(Enumerable.Range(1, 300).Select(i => ((long)i, Convert.ToBase64String(Numbered.Body(i, 500))))));
    }

    [Test]
    public void What_a_handler_throws_ends_the_read_behind_its_packet()
    {
        using var reader = JournalReader.Open(_folder.Journal);
        Assert.That(() => reader.Read(record => throw new InvalidOperationException($"at {record.Position}")),
            Throws.InvalidOperationException.With.Message.EqualTo("at 1"));
        Assert.That(reader.Read(_ => { }), Is.EqualTo(299));
        Assert.That(() => reader.Read(_ => { }, -1), Throws.InstanceOf<ArgumentOutOfRangeException>());
        Assert.That(() => reader.Read(null!), Throws.ArgumentNullException);
    }

#if NET
    [Test]
    public void A_loop_over_a_segment_allocates_nothing()
    {
        using var folder = new TestFolder();
        using (PacketJournal journal = PacketJournal.Open(folder.Journal))
        {
            JournalNode[] nodes = [new("n1"), new("n2")];
            for (int i = 1; i <= 5_000; i++)
            {
                journal.Append(nodes[i % 2], 1024, Numbered.Body(i, 500));
            }
        }

        using var reader = JournalReader.Open(folder.Journal);
        Assert.That(reader.Read(_ => { }, 1_000), Is.EqualTo(1_000));
        long before = GC.GetAllocatedBytesForCurrentThread(), bytes = 0, records = 0;
        foreach (JournalRecord record in reader)
        {
            bytes += record.Body.Length;
            if (++records == 3_999)
            {
                break;   // the end of a journal is looked at with care, and costs some
            }
        }

        Assert.That((GC.GetAllocatedBytesForCurrentThread() - before, bytes), Is.EqualTo((0L, 3_999 * 500L)));
    }
#endif

    [TestCase(0)]
    [TestCase(1)]
    [TestCase(150)]
    [TestCase(300)]
    public void Reading_begins_anywhere(int from) => Assert.That(
        Shown(new JournalReaderOptions { From = from }), Is.EqualTo(Enumerable.Range(Math.Max(from, 1), 301 - Math.Max(from, 1))));

    [Test]
    public void What_is_not_there_yet_is_nothing() => Assert.That(Shown(new JournalReaderOptions { From = 301 }), Is.Empty);

    [Test]
    public void No_journal_is_reported_and_nothing_is_made()
    {
        string other = Path.Combine(_folder.Root, "other");
        Assert.That(Fault(() => JournalReader.Open(other)), Is.EqualTo(JournalFault.NotAJournal));
        Assert.That(Fault(() => PacketJournal.Verify(other)), Is.EqualTo(JournalFault.NotAJournal));
        Assert.That(Fault(() => PacketJournal.Open(other, new JournalOptions { Create = false })), Is.EqualTo(JournalFault.NotAJournal));
        Assert.That(Directory.Exists(other), Is.False);
        Directory.CreateDirectory(other);
        File.WriteAllText(Path.Combine(other, "notes.txt"), "mine");
        Assert.That(Fault(() => PacketJournal.Verify(other)), Is.EqualTo(JournalFault.NotAJournal));
        Assert.That(Fault(() => PacketJournal.Open(other)), Is.EqualTo(JournalFault.NotAJournal));
        Assert.That(Directory.GetFiles(other), Has.Length.EqualTo(1), "nothing is left in a directory of others");
        Assert.That(Fault(() => JournalReader.Open(Path.Combine(other, "notes.txt"))), Is.EqualTo(JournalFault.NotAJournal));
    }

    [Test]
    public void A_survey_counts()
    {
        JournalSurvey survey = PacketJournal.Survey(_folder.Journal);
        Assert.That(survey.Report.IsValid, Is.True);
        Assert.That(survey.Counts.Sum(c => c.Packets), Is.EqualTo(300));
        Assert.That(survey.Counts, Has.Count.EqualTo(15));
        Assert.That(survey.Counts.Single(c => c.Node == "n1" && c.Type == 1003).Packets, Is.EqualTo(20));
        Assert.That((survey.Earliest, survey.Latest),
            Is.EqualTo(((DateTimeOffset?)Start.AddSeconds(1), (DateTimeOffset?)Start.AddSeconds(300))));
        Assert.That(survey.PacketsPerSecond, Is.EqualTo(300 / 299.0).Within(0.001));
        Assert.That(survey.BackEnd, Does.StartWith("write ("));
        Assert.That((survey.Sync, survey.Openings), Is.EqualTo(((JournalSync?)JournalSync.GroupCommit, 1)));
        Assert.That(survey.Commits!.Value.Count, Is.EqualTo(300));
        Assert.That(survey.Commits.Value.Median, Is.GreaterThan(TimeSpan.Zero).And.AtMost(survey.Commits.Value.Percentile99));
        Assert.That(survey.Commits.Value.Longest, Is.AtLeast(survey.Commits.Value.Percentile99));
        Assert.That(survey.Commits.Value.LongestSync, Is.GreaterThan(TimeSpan.Zero), "a pause's mark or a full segment may have it");
    }

    /// <summary>Each packet was once looked for among all nodes and types there are: 5,000 nodes made a survey take 14 times as
    /// long.</summary>
    [TestCase(3, 1)]
    [TestCase(8, 1)]
    [TestCase(9, 1)]
    [TestCase(2000, 3)]
    public void Each_of_many_nodes_and_types_is_counted_and_shown_by_itself(int nodes, int types)
    {
        string other = Path.Combine(_folder.Root, "many");
        var all = new List<(string Node, ushort Type)>();
        using (PacketJournal journal = PacketJournal.Open(other, new JournalOptions { Sync = JournalSync.None }))
        {
            JournalNode[] names =
                [.. Enumerable.Range(0, nodes).Select(i => new JournalNode(i % 2 == 0 ? $"n{i}" : new string('x', 59) + i))];
            for (int i = 0; i < 2 * nodes * types; i++)
            {
                JournalNode node = names[i % nodes];
                ushort type = (ushort)(1024 + (i / nodes % types));
                Assert.That(journal.TryAppend(node, type, Numbered.Body(i), out _), Is.EqualTo(SendResult.Queued));
                all.Add((node.Name, type));
            }
        }

        JournalSurvey survey = PacketJournal.Survey(other);
        Assert.That(survey.Counts, Has.Count.EqualTo(nodes * types));
        Assert.That(survey.Counts.Select(c => (c.Node, c.Type)), Is.EquivalentTo(all.Distinct()));
        Assert.That(survey.Counts.All(c => c.Packets == 2), Is.True);
        using var reader = JournalReader.Open(other, new JournalReaderOptions { Nodes = ["n0", "n2"] });
        var shown = new List<(string, ushort)>();
        while (reader.TryRead(out JournalRecord record))
        {
            shown.Add((record.Node, record.Type));
        }

        Assert.That(shown, Is.EqualTo(all.Where(a => a.Node is "n0" or "n2")));
    }

    [Test]
    public void Compaction_drops_whole_segments()
    {
        JournalCompaction done = PacketJournal.Compact(_folder.Journal, new JournalRetention { Watermark = 200 });
        Assert.That(done.DroppedSegments, Is.EqualTo(1));
        Assert.That(done.OldestPosition, Is.GreaterThan(1).And.AtMost(200));
        Assert.That(Shown(new JournalReaderOptions()),
            Is.EqualTo(Enumerable.Range((int)done.OldestPosition, 301 - (int)done.OldestPosition)));
        Assert.That(PacketJournal.Verify(_folder.Journal).IsValid, Is.True);
        JournalException gone = Assert.Throws<JournalException>(() => Shown(new JournalReaderOptions { From = 1 }))!;
        Assert.That((gone.Fault, gone.OldestPosition), Is.EqualTo((JournalFault.Compacted, done.OldestPosition)));
        using PacketJournal journal = PacketJournal.Open(_folder.Journal);
        Assert.That(journal.Append(301), Is.EqualTo(301));
    }

    [Test]
    public void Compaction_by_age_looks_at_the_last_packet_of_a_segment()
    {
        var clock = new FixedClock(Start.AddSeconds(300 + 100));
        Assert.That(PacketJournal.Compact(_folder.Journal, new JournalRetention
        {
            MaxAge = TimeSpan.FromSeconds(1000),
        }, clock).DroppedSegments, Is.Zero);
        Assert.That(PacketJournal.Compact(_folder.Journal, new JournalRetention
        {
            MaxBytes = 0, Watermark = 1,
        }, clock).DroppedSegments, Is.Zero, "the watermark holds back");
        Assert.That(PacketJournal.Compact(_folder.Journal, new JournalRetention { MaxBytes = 0 }, clock).DroppedSegments, Is.EqualTo(2));
        Assert.That(PacketJournal.Verify(_folder.Journal).Segments, Has.Count.EqualTo(1));
    }

    /// <summary>A negative number is a mistake in somebody's arithmetic; once it dropped all but the last segment.</summary>
    [Test]
    public void Compaction_refuses_negative_numbers()
    {
        JournalRetention[] wrong = [new() { MaxBytes = -1 }, new() { MaxAge = TimeSpan.FromTicks(-1) }, new() { Watermark = -1 }];
        foreach (JournalRetention retention in wrong)
        {
            Assert.Throws<ArgumentException>(() => PacketJournal.Compact(_folder.Journal, retention));
            using PacketJournal journal = PacketJournal.Open(_folder.Journal);
            Assert.Throws<ArgumentException>(() => journal.Compact(retention));
        }

        Assert.That(Shown(new JournalReaderOptions()), Has.Length.EqualTo(300));
    }

    [Test]
    public void A_missing_segment_is_damage()
    {
        File.Delete(_folder.Segment(2));
        JournalReport report = PacketJournal.Verify(_folder.Journal);
        Assert.That(report.Condition, Is.EqualTo(JournalCondition.Damaged));
        using var reader = JournalReader.Open(_folder.Journal);
        List<(long Position, long Number)> shown = reader.ReadAll();
        Assert.That(shown, Is.Not.Empty.And.Count.LessThan(300));
        Assert.That(reader.Condition, Is.EqualTo(JournalCondition.Damaged));
        Assert.That(Numbered.ReadAll(_folder.Journal, pastDamage: true).Last().Number, Is.EqualTo(300));
        Assert.That(Fault(() => PacketJournal.Open(_folder.Journal)), Is.EqualTo(JournalFault.Damaged));
    }

    [Test]
    public void One_damaged_copy_of_a_header_is_reported_and_healed()
    {
        byte[] bytes = File.ReadAllBytes(_folder.Segment(2));
        bytes[50] ^= 4;
        File.WriteAllBytes(_folder.Segment(2), bytes);
        JournalReport report = PacketJournal.Verify(_folder.Journal);
        Assert.That((report.Condition, report.IsValid, report.Findings.Count), Is.EqualTo((JournalCondition.Closed, false, 1)));
        Assert.That(Shown(new JournalReaderOptions()), Has.Length.EqualTo(300));
        PacketJournal.Open(_folder.Journal).Dispose();
        Assert.That(PacketJournal.Verify(_folder.Journal).IsValid, Is.True);
    }

    private static JournalFault Fault(Action what) => Assert.Throws<JournalException>(what)!.Fault;

    private static bool IsOver(JournalRecord record)
    {
        try
        {
            _ = record.Body;
            return false;
        }
        catch (ObjectDisposedException)
        {
            return true;
        }
    }

    private long[] Shown(JournalReaderOptions options)
    {
        using var reader = JournalReader.Open(_folder.Journal, options);
        return [.. reader.ReadAll().Select(r => r.Number)];
    }
}
