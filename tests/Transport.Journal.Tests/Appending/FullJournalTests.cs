using System.Collections.Generic;
using System.Linq;
using NUnit.Framework;
using Transport.Journal.Tests.Disk;

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
        if (blocks && sync is JournalSync.EverySecond or JournalSync.No)
        {
            Assert.Pass("such a journal is written, not sent in blocks");
        }

        long kept = 0;
        using (PacketJournal journal = Open(sync, blocks))
        {
            for (int inLast = 0; inLast < 7; inLast += journal.Statistics.Segments - 1)
            {
                journal.Append(++kept, 1000);
            }

            JournalPacket[] packets = [.. Enumerable.Repeat(new JournalPacket(Packets.Node, 7, Packets.Body(0, 1000)), blocks ? 25 : 56)];
            Assert.That(Assert.Throws<JournalException>(() => journal.Append(packets))!.Fault, Is.EqualTo(JournalFault.JournalFull));
            Assert.That(Read().Count(r => r.Number == 0), Is.Zero, "although there is room for the first ones");
            journal.Append(++kept, 1000);
            journal.Compact(new JournalRetention { Watermark = kept });
            journal.Append(packets);
        }

        Assert.That(Read().Count(r => r.Number == 0), Is.EqualTo(blocks ? 25 : 56));
        Assert.That(JournalVerifier.Verify(_disk.Store()).IsSound, Is.True);
    }

    private List<(long Position, long Number)> Read()
    {
        using var reader = JournalReader.Open(_disk.Store(), null, null);
        return reader.ReadAll();
    }

    private PacketJournal Open(JournalSync sync = JournalSync.Group, bool blocks = false) => PacketJournal.Open("simulated", new JournalOptions
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
