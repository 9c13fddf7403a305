using System;
using System.Linq;
using System.Threading.Tasks;
using NUnit.Framework;
using Transport.Journal.Tests.Disk;
using Transport.Testing;

namespace Transport.Journal.Tests.Appending;

/// <summary>A packet for which there is no memory is the caller's exception and nobody else's trouble.</summary>
internal sealed class MemoryTests
{
    private const int Large = 1 << 20;

    private SimulatedDisk _disk = null!;

    [SetUp]
    public void MakeDisk() => _disk = new SimulatedDisk(1);

    [Test]
    public async Task A_packet_without_memory_leaves_no_hole_in_the_positions(
        [Values("Append", "AppendAsync", "TryAppend", "several")] string how)
    {
        using (PacketJournal journal = Open())
        {
            Assert.That(journal.Append(1), Is.EqualTo(1));
            _ = Assert.CatchAsync<OutOfMemoryException>(async () => await AppendLargeAsync(journal, how));
            Assert.That(journal.Failure, Is.Null);
            journal.Append(2);
            journal.Append(3);
        }

        using (var reader = JournalReader.Open(_disk.Store(), null, null))
        {
            Assert.That(reader.ReadAll().Select(packet => packet.Number), Is.EqualTo(new[] { 1, 2, 3 }));
        }

        using PacketJournal again = Open();
        Assert.That(again.Recovery.Found, Is.EqualTo(JournalCondition.Closed));
        Assert.That(await again.AppendAsync(Numbered.Node, 1024, Numbered.Body(4)), Is.EqualTo(how == "several" ? 6 : 4));
    }

    private static async Task AppendLargeAsync(PacketJournal journal, string how)
    {
        byte[] large = Numbered.Body(9, Large);
        switch (how)
        {
            case "Append":
                journal.Append(Numbered.Node, 1024, large);
                break;
            case "AppendAsync":
                await journal.AppendAsync(Numbered.Node, 1024, large);
                break;
            case "TryAppend":
                _ = journal.TryAppend(Numbered.Node, 1024, large, out _);
                break;
            default:
                journal.Append(new[] { Packet(Numbered.Body(7)), Packet(Numbered.Body(8)), Packet(large) });
                break;
        }
    }

    private static JournalPacket Packet(byte[] body) => new(Numbered.Node, 1024, body);

#pragma warning disable MA0012 // the exception is what the test is about
    private PacketJournal Open() => PacketJournal.Open("simulated", new JournalOptions
    {
        Store = _disk.Store(), BatchBytes = Large / 4, SegmentBytes = 4 * Large,
        Allocate = static bytes => bytes < Large ? new byte[bytes] : throw new OutOfMemoryException("no memory for a large packet"),
    });
#pragma warning restore MA0012
}
