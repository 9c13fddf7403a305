using System;
using System.Collections.Generic;
using System.Linq;
using System.Threading.Tasks;
using NUnit.Framework;
using Transport.Journal.Tests.Disk;
using Transport.Testing;
using Transport.Testing.Wires;

namespace Transport.Journal.Tests.Appending;

/// <summary>A journal that has reached <see cref="JournalOptions.MaxBytes"/>: what it refuses is not in it, what it takes later
/// is.</summary>
internal sealed class FullJournalTests
{
    private SimulatedDisk _disk = null!;

    [SetUp]
    public void MakeDisk() => _disk = new SimulatedDisk(23);

    [Test]
    public void Of_a_refused_append_of_several_packets_nothing_is_kept([Values] JournalSync sync, [Values] bool blocks)
    {
        if (blocks && sync is JournalSync.EverySecond or JournalSync.None)
        {
            Assert.Pass("such a journal is written, not sent in blocks");
        }

        long kept = 0;
        using (PacketJournal journal = Open(sync, blocks))
        {
            for (int inLast = 0; inLast < 7; inLast += journal.Status.Segments - 1)
            {
                journal.Append(++kept, 1000);
            }

            JournalPacket[] packets = [.. Enumerable.Repeat(new JournalPacket(Numbered.Node, 7, Numbered.Body(0, 1000)), blocks ? 25 : 56)];
            Assert.That(Assert.Throws<JournalException>(() => journal.Append(packets))!.Fault, Is.EqualTo(JournalFault.JournalFull));
            Assert.That(Read().Count(r => r.Number == 0), Is.Zero, "although there is capacity for the first ones");
            journal.Append(++kept, 1000);
            journal.Compact(new JournalRetention { Watermark = kept });
            journal.Append(packets);
        }

        Assert.That(Read().Count(r => r.Number == 0), Is.EqualTo(blocks ? 25 : 56));
        Assert.That(JournalVerifier.Verify(_disk.Store()).IsValid, Is.True);
    }

    /// <summary>The next opening gives out positions above those that this one may have given out, and it knows a bound of them.</summary>
    [Test]
    public void A_position_is_not_used_twice_however_many_appends_were_refused_before_a_kill([Values] JournalSync sync)
    {
        long given;
        PacketJournal journal = Open(sync);
        try
        {
            while (true)
            {
                journal.Append(1, 1000);
            }
        }
        catch (JournalException full)
        {
            Assert.That(full.Fault, Is.EqualTo(JournalFault.JournalFull));
        }

        JournalPacket[] packets = [.. Enumerable.Range(0, 40).Select(_ => new JournalPacket(Numbered.Node, 7, Numbered.Body(2, 1000)))];
        for (int i = 0; i < 500; i++)
        {
            Assert.Throws<JournalException>(() => journal.Append(packets));
        }

        journal.Compact(new JournalRetention { Watermark = journal.Committed + 1 });
        SimulatedDisk after = _disk.Restart(1);   // a cut before the next packet is written
        Assert.That(journal.TryAppend(Numbered.Node, 7, Numbered.Body(3), out given), Is.EqualTo(SendResult.Queued));
        journal.Dispose();
        _disk = after;
        using PacketJournal again = Open(sync);
        Assert.That(again.Append(4), Is.GreaterThan(given));
    }

    /// <summary>Who has looked at <see cref="PacketJournal.Appended"/> before the refusal may wait for it afterwards.</summary>
    [Test]
    public async Task A_position_that_was_refused_is_not_waited_for([Values] JournalSync sync)
    {
        await using PacketJournal journal = Open(sync);
        while (journal.Status.Segments < 2)
        {
            journal.Append(1, 1000);
        }

        long before = journal.Appended;
        JournalPacket[] packets = [.. Enumerable.Repeat(new JournalPacket(Numbered.Node, 7, Numbered.Body(2, 1000)), 70)];
        Assert.Throws<JournalException>(() => journal.Append(packets));
        long refused = before + packets.Length;
        Assert.That(journal.Appended, Is.EqualTo(journal.Committed));
        journal.Commit(refused);
        await journal.CommitAsync(refused).AsTask().Within("nothing is there to wait for");
        Assert.Throws<ArgumentOutOfRangeException>(() => journal.Commit(refused + 1));
        long next = journal.Append(3);
        Assert.That((next, journal.Committed), Is.EqualTo((journal.Appended, next)));
        await journal.CommitAsync(refused).AsTask().Within("nor now");
    }

    private List<(long Position, long Number)> Read()
    {
        using var reader = JournalReader.Open(_disk.Store(), null, null);
        return reader.ReadAll();
    }

    private PacketJournal Open(JournalSync sync = JournalSync.GroupCommit, bool blocks = false) => PacketJournal.Open(
        "simulated", new JournalOptions
    {
        Store = _disk.Store(),
        StoreForReaders = _disk.Store,
        Blocks = blocks ? new SimulatedBlocks(_disk, 2) : null,
        Sync = sync,
        SegmentBytes = 64 << 10,
        MaxBytes = 128 << 10,
        MaxPacketBytes = 60_000,
        MaxQueuedBytes = 64 << 10,
        BatchBytes = 16 << 10,
    });
}
