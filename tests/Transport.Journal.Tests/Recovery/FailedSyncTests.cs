using System;
using System.Collections.Generic;
using System.Linq;
using NUnit.Framework;
using Transport.Journal.Tests.Disk;
using Transport.Testing;

namespace Transport.Journal.Tests.Recovery;

/// <summary>
/// A failed flush is final. Linux calls the pages clean afterwards, so the next flush of the same file returns 0 although the data are
/// lost.
/// </summary>
internal sealed class FailedSyncTests
{
    private const string First = "0000000001.segment";
    private const string Note = "0000000001.failed";

    private SimulatedDisk _disk = null!;

    [SetUp]
    public void MakeDisk() => _disk = new SimulatedDisk(15);

    [TestCase("sync")]
    [TestCase("write")]
    [TestCase("blocks")]
    public void A_failure_is_thrown_by_every_later_write_sync_roll_and_close(string call)
    {
        SimulatedBlocks? device = call == "blocks" ? new SimulatedBlocks(_disk, 2) : null;
        OpenedJournal opened = Opening.Run(_disk.Store(), Options(device), "write");
        SegmentWriter writer = opened.Writer;
        if (device is not null)
        {
            writer.UseBlocks(device, static _ => { });
        }

        writer.Write(Batch(writer, 1, 100), oneAppend: false);
        writer.Sync();
        long synced = writer.Synced;
        int failures = 0;
        _disk.Inject = (name, file) => name == call && file == First && failures++ == 0 ? StoreError.Broken : StoreError.None;
        JournalException failure = Assert.Throws<JournalException>(() =>
        {
            writer.Write(Batch(writer, 1, 100), oneAppend: false);
            writer.Sync();
        })!;
        byte[] before = _disk.Names[First].Snapshot();
        Action[] later =
        [
            writer.Sync,
            () => writer.Write(Batch(writer, 1, 100), oneAppend: false),
            () => writer.Write(Batch(writer, 1, 65_000), oneAppend: false),   // does not fit: begins the next segment
            () => writer.WriteControl(RecordKind.Gap, writer.Written, default),
            writer.WriteMark,
            writer.WriteIdleMark,
            () => writer.WriteClose(0),
            writer.Sync,
        ];
        foreach (Action action in later)
        {
            Assert.That(Assert.Throws<JournalException>(() => action())!.Fault, Is.EqualTo(failure.Fault));
        }

        Assert.That(writer.Synced, Is.EqualTo(synced));
        Assert.That(_disk.Names.Keys.Count(n => n.EndsWith(FileNames.SegmentEnd, StringComparison.Ordinal)), Is.EqualTo(1));
        Assert.That(_disk.Names[First].Snapshot(), Is.EqualTo(before), "nothing is written any more");
        writer.Dispose();
        opened.Directory.Dispose();
    }

    /// <summary>
    /// What a revision left behind that believed the second flush: a note for a segment that others follow, and contents in the page cache
    /// alone.
    /// </summary>
    [Test]
    public void Every_segments_note_counts_on_opening()
    {
        int count = ThreeSegments();
        byte[] bytes = _disk.Names[First].Snapshot();
        var lost = new SimulatedInode();
        lost.SetLength(bytes.Length);
        lost.Write(0, bytes.AsSpan(0, SegmentHeader.Size));
        lost.Sync();
        lost.Write(SegmentHeader.Size, bytes.AsSpan(SegmentHeader.Size));
        lost.LoseDirty(new NothingPersists());
        _disk.ChangeNames(names => names[First] = lost);
        _disk.Put(Note, []);
        Open().Dispose();
        Assert.That(_disk.Names.Keys, Does.Not.Contain(Note));
        SimulatedDisk after = _disk.Restart(1);
        Assert.That(Numbers(after), Is.EqualTo(Enumerable.Range(1, count)));
        Assert.That(JournalVerifier.Verify(after.Store()).IsValid, Is.True);
    }

    [Test]
    public void An_opening_that_heeds_a_note_may_be_cut_at_any_call()
    {
        for (int cut = 1; ; cut++)
        {
            _disk = new SimulatedDisk(cut);
            int count = ThreeSegments();
            _disk.Put(Note, []);
            _disk.Put("0000000099.failed", []);   // its segment was dropped long ago
            _disk.CutAt = _disk.Calls + cut;
            bool isOver = false;
            try
            {
                Open().Dispose();
                isOver = !_disk.IsCut;
            }
            catch (JournalException) when (_disk.IsCut)
            {
                // At this call, or one after it.
            }

            _disk = _disk.Restart(cut);
            Open().Dispose();
            Assert.That(_disk.Names.Keys.Where(n => n.EndsWith(FileNames.FailedEnd, StringComparison.Ordinal)), Is.Empty, $"cut {cut}");
            Assert.That(Numbers(_disk), Is.EqualTo(Enumerable.Range(1, count)), $"cut {cut}");
            Assert.That(JournalVerifier.Verify(_disk.Store()).IsValid, Is.True, $"cut {cut}");
            if (isOver)
            {
                Assert.That(cut, Is.GreaterThan(5));
                return;
            }
        }
    }

    [Test]
    public void A_noted_segment_that_cannot_be_synced_again_is_reported_and_its_note_stays()
    {
        int count = ThreeSegments();
        _disk.Put(Note, []);
        _disk.Inject = (call, file) => call == "sync" && file == First ? StoreError.Broken : StoreError.None;
        Assert.That(Assert.Throws<JournalException>(() => Open())!.Fault, Is.EqualTo(JournalFault.WriteFailed));
        Assert.That(_disk.Names.Keys, Does.Contain(Note));
        _disk.Inject = null;
        Open().Dispose();
        Assert.That(_disk.Names.Keys, Does.Not.Contain(Note));
        Assert.That(Numbers(_disk), Is.EqualTo(Enumerable.Range(1, count)));
    }

    private static AppendBatch Batch(SegmentWriter writer, long number, int length)
    {
        var queue = new AppendQueue(16 << 10, 256 << 10, writer.Epoch, bytes => new byte[bytes]);
        queue.Put(writer.Written + 1, Numbered.Node, 1024, Numbered.Body(number, length), time: 1, AppendNote.Last);
        return queue.TakeAll()!;
    }

    private static IEnumerable<long> Numbers(SimulatedDisk disk)
    {
        using var reader = JournalReader.Open(disk.Store(), null, null);
        return [.. reader.ReadAll().Select(r => r.Number)];
    }

    /// <summary>Writes a journal of three segments whose writer was killed.</summary>
    private int ThreeSegments()
    {
        PacketJournal journal = Open();
        int number = 0;
        while (!_disk.Names.ContainsKey("0000000003.segment"))
        {
            journal.Append(++number, 9000);
        }

        journal.Dispose();
        return number;
    }

    private PacketJournal Open() => PacketJournal.Open("simulated", Options());

    private JournalOptions Options(SimulatedBlocks? blocks = null) => new()
    {
        Store = _disk.Store(),
        Blocks = blocks,
        SegmentBytes = 64 << 10,
        MaxPacketBytes = 128 << 10,
        BatchBytes = 16 << 10,
        MaxQueuedBytes = 256 << 10,
        IdleMarkMilliseconds = 0,
    };

    private sealed class NothingPersists : Random
    {
        public override int Next(int maxValue) => maxValue - 1;
    }
}
