using System;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using NUnit.Framework;
using Transport.Testing;

namespace Transport.Journal.Tests.Faults;

/// <summary>Files whose sums are right and whose numbers are not: nothing is allocated for them, and nothing is appended that could not be
/// read afterwards.</summary>
[NonParallelizable] // it measures the memory of the process
internal sealed class ClaimTests
{
    private const int SegmentBytes = 64 << 10;

    private TestFolder _folder = null!;

    [SetUp]
    public void MakeFolder()
    {
        _folder = new TestFolder();
        Directory.CreateDirectory(_folder.Journal);
    }

    [TearDown]
    public void RemoveFolder() => _folder.Dispose();

    private static IEnumerable<TestCaseData> Impossible()
    {
        yield return new TestCaseData(Header with { Length = 1L << 50 }, 0L).SetArgDisplayNames("length");
        yield return new TestCaseData(Header with { Reach = long.MaxValue }, 0L).SetArgDisplayNames("reach");
        yield return new TestCaseData(Header with { FirstPosition = long.MaxValue - 2 }, 0L).SetArgDisplayNames("first position");
        yield return new TestCaseData(Header with { Epoch = uint.MaxValue }, 0L).SetArgDisplayNames("epoch");
        yield return new TestCaseData(Header, long.MaxValue - 3).SetArgDisplayNames("position of an Open record");
    }

    /// <summary>What was written behind such numbers was once acknowledged and could not be read.</summary>
    [TestCaseSource(nameof(Impossible))]
    public void Numbers_beyond_all_reach_are_damage(object header, long jump)
    {
        Make((SegmentHeader)header, jump, file: SegmentBytes);
        Assert.That(Assert.Throws<JournalException>(() => PacketJournal.Open(_folder.Journal))!.Fault, Is.EqualTo(JournalFault.Damaged));
    }

    [TestCase(long.MaxValue)]
    [TestCase(-5000L)]
    public void An_openings_reach_is_taken_within_reason(long reach)
    {
        Make(Header, 0, SegmentBytes, reach);
        using (PacketJournal journal = PacketJournal.Open(_folder.Journal))
        {
            Assert.That(journal.Append(3), Is.GreaterThan(2));
        }

        Assert.That(Numbered.ReadAll(_folder.Journal).Select(p => p.Number), Is.EqualTo([1L, 2L, 3L]));
    }

    [Test]
    public void A_time_beyond_all_times_is_shown()
    {
        Make(Header, 0, SegmentBytes, time: long.MaxValue);
        Assert.That(Numbered.ReadAll(_folder.Journal), Has.Count.EqualTo(2));
    }

    /// <summary>A file may be as long as it likes: only what its sum was checked of is taken into memory as a whole.</summary>
    [Test]
    [Platform("Linux")]
    public void No_memory_is_taken_for_a_length_that_is_only_claimed([Values] bool isNext)
    {
        const int Claimed = 500 << 20;
        Make(Header with { Length = Claimed + (1 << 20) }, 0, Claimed + (1 << 20));
        using (FileStream file = File.OpenWrite(_folder.Segment(1)))
        {
            byte[] claim = new byte[RecordHeader.Size];
            RecordHeader.Begin(claim, RecordKind.Packet, isNext ? 3 : 7, 1, 1024, 0, Claimed, 1);
            RecordHeader.Finish(claim, _chain, 0);
            file.Position = isNext ? _end : _end + 4096;
            file.Write(claim, 0, claim.Length);
        }

        long before = GC.GetTotalMemory(false);
        using (var reader = JournalReader.Open(_folder.Journal))
        {
            Assert.That(reader.ReadAll(), Has.Count.EqualTo(2));
            Assert.That(reader.Condition, Is.EqualTo(JournalCondition.Torn));
            Assert.That(GC.GetTotalMemory(false) - before, Is.LessThan(Claimed / 10),
                "what was taken for a large object is there until a full collection");
        }

        Assert.That(PacketJournal.Verify(_folder.Journal).Condition, Is.EqualTo(JournalCondition.Torn));
        Assert.That(GC.GetTotalMemory(false) - before, Is.LessThan(Claimed / 10));
    }

    /// <summary>A record that was just begun when the power was cut once went into the file as long as it claimed to be: up to a whole
    /// segment of zeros.</summary>
    [TestCase(0, 40)]
    [TestCase(100, 144)]
    [TestCase(300_000, 300_040)]
    public void Of_a_torn_record_as_much_is_kept_as_was_written(int written, int kept)
    {
        const int Claimed = 700 << 10, Length = 1 << 20;
        Make(Header with { Length = Length, Flags = SegmentFlags.Recycled }, 0, Length);
        byte[] claim = new byte[RecordHeader.Size + written];
        RecordHeader.Begin(claim, RecordKind.Packet, 3, 1, 1024, 0, Claimed, 1);
        RecordHeader.Finish(claim, _chain, 0);
        claim.AsSpan(RecordHeader.Size).Fill(7);
        using (FileStream file = File.OpenWrite(_folder.Segment(1)))
        {
            file.Position = _end;
            file.Write(claim, 0, claim.Length);
        }

        using var journal = PacketJournal.Open(_folder.Journal);
        Assert.That((journal.Recovery.Found, journal.Recovery.CutBytes), Is.EqualTo((JournalCondition.Torn, kept)));
        byte[] torn = File.ReadAllBytes(journal.Recovery.TornFile!);
        Assert.That(torn, Is.EqualTo(claim.Concat(new byte[kept - claim.Length])));
    }

    [Test]
    public void A_packet_longer_than_any_window_is_read()
    {
        byte[] body = [.. Enumerable.Range(0, 9_000_000).Select(i => (byte)(i * 31))];
        using (PacketJournal journal = PacketJournal.Open(_folder.Journal))
        {
            journal.Append(Numbered.Node, 1, body);
            journal.Append(Numbered.Node, 2, new byte[1]);
        }

        using var reader = JournalReader.Open(_folder.Journal);
        Assert.That(reader.TryRead(out JournalRecord record) && record.Body.SequenceEqual(body), Is.True);
        Assert.That(reader.TryRead(out record) && record.Type == 2, Is.True);
        Assert.That(PacketJournal.Verify(_folder.Journal).IsValid, Is.True);
    }

    private static SegmentHeader Header => new()
    {
        Journal = Guid.NewGuid(), Sequence = 1, Length = SegmentBytes, FirstPosition = 1, Epoch = 1, Time = 1, Reach = 100,
    };

    private uint _chain;
    private int _end;

    /// <summary>Writes a segment of two packets.</summary>
    private void Make(SegmentHeader header, long jump, long file, long reach = 100, long time = 1)
    {
        byte[] bytes = new byte[SegmentBytes];
        _chain = header.Write(bytes).Sum;
        _end = SegmentHeader.Size;
        long position = header.FirstPosition - 1 + jump;
        byte[] notes = new OpenNotes(reach, JournalSync.GroupCommit, 1, "write").ToBytes();
        Put(bytes, RecordKind.Open, position, header.Epoch, 0, notes, time);
        Put(bytes, RecordKind.Packet, position + 1, header.Epoch, 1024, Numbered.Body(1), time);
        Put(bytes, RecordKind.Packet, position + 2, header.Epoch, 1024, Numbered.Body(2), time);
        using FileStream segment = File.Create(_folder.Segment(1));
        segment.Write(bytes, 0, bytes.Length);
        segment.SetLength(file);
        File.Create(Path.Combine(_folder.Journal, "lock")).Dispose();
    }

    private void Put(byte[] bytes, RecordKind kind, long position, uint epoch, ushort type, byte[] body, long time)
    {
        int whole = (int)RecordHeader.WholeSize(0, body.Length);
        Span<byte> record = bytes.AsSpan(_end, whole);
        RecordHeader.Begin(record, kind, position, epoch, type, 0, body.Length, time);
        body.AsSpan().CopyTo(record.Slice(RecordHeader.Size));
        _chain = RecordHeader.Finish(record, _chain, 0);
        _end += whole;
    }
}
