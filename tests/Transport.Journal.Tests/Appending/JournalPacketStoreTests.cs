using System;
using System.Collections.Generic;
using System.Linq;
using System.Text;
using System.Threading.Tasks;
using NUnit.Framework;
using Transport.Journal.Tests.Disk;
using Transport.Testing;
using Transport.Testing.Wires;

namespace Transport.Journal.Tests.Appending;

/// <summary>A main node's packets in a journal.</summary>
internal sealed class JournalPacketStoreTests
{
    private TestFolder _folder = null!;

    [SetUp]
    public void MakeFolder() => _folder = new TestFolder();

    [TearDown]
    public void Clean() => _folder.Dispose();

    [Test]
    public async Task What_is_flushed_is_in_the_journal_with_node_and_type()
    {
        await using PacketJournal journal = PacketJournal.Open(_folder.Journal);
        var first = new JournalPacketStore(journal, new JournalNode("n1"));
        var second = new JournalPacketStore(journal, new JournalNode("n2"));
        await first.FlushAsync(default);
        for (int i = 0; i < 100; i++)
        {
            await first.AppendAsync(Packet(1024, $"one {i}"), default);
            await second.AppendAsync(Packet(1025, $"two {i}"), default);
        }

        await first.FlushAsync(default).AsTask().Within("the first flush");
        Assert.That(journal.Synced, Is.AtLeast(first.LastPosition));
        await second.FlushAsync(default).AsTask().Within("the second flush");
        Assert.That(journal.Synced, Is.AtLeast(second.LastPosition));
        var read = new List<string>();
        using JournalReader reader = JournalReader.Open(_folder.Journal);
        while (reader.TryRead(out JournalRecord record))
        {
            read.Add($"{record.Node} {record.Type} {Encoding.ASCII.GetString(record.Body.ToArray())}");
        }

        Assert.That(read, Is.EqualTo(Enumerable.Range(0, 100).SelectMany(i => new[] { $"n1 1024 one {i}", $"n2 1025 two {i}" })));
    }

    [Test]
    public async Task One_store_for_several_links_names_the_node_of_each_packet()
    {
        await using PacketJournal journal = PacketJournal.Open(_folder.Journal);
        var store = new JournalPacketStore(journal);
        string[] names = [.. Enumerable.Range(1, 1500).Select(i => $"n{i}")];   // more than it remembers
        var contexts = names.Select(name => new PacketContext(new Transport.Testing.Links.FakeSender(), name)).ToArray();
        for (int round = 0; round < 2; round++)
        {
            foreach (PacketContext context in contexts)
            {
                await store.AppendAsync(Packet(1024, context.Node) with { Context = context }, default);
            }
        }

        await store.FlushAsync(default).AsTask().Within("the flush");
        using JournalReader reader = JournalReader.Open(_folder.Journal);
        var read = new List<string>();
        while (reader.TryRead(out JournalRecord record))
        {
            Assert.That(Encoding.ASCII.GetString(record.Body.ToArray()), Is.EqualTo(record.Node));
            read.Add(record.Node);
        }

        Assert.That(read, Is.EqualTo(names.Concat(names)));
        Assert.Throws<InvalidOperationException>(() => _ = store.AppendAsync(Packet(1024, "no link"), default), "whose it is is not known");
    }

    [Test]
    public async Task A_journal_without_capacity_is_an_exception_and_nothing_counts_as_flushed()
    {
        var disk = new SimulatedDisk(7);
        var options = new JournalOptions { Store = disk.Store(), SegmentBytes = 64 << 10, MaxBytes = 128 << 10, MaxPacketBytes = 16 << 10 };
        await using PacketJournal journal = PacketJournal.Open("simulated", options);
        var store = new JournalPacketStore(journal, Numbered.Node);
        JournalException? refused = null;
        for (int i = 0; i < 1000 && refused is null; i++)
        {
            try
            {
                await store.AppendAsync(new RawPacket(1024, Lane.Normal, new byte[1000]), default).AsTask().Within("an append");
                await store.FlushAsync(default).AsTask().Within("a flush");
            }
            catch (JournalException e)
            {
                refused = e;
            }
        }

        Assert.That(refused!.Fault, Is.EqualTo(JournalFault.JournalFull));
        Assert.That(journal.Failure, Is.Null, "it can go on once there is capacity");
    }

    /// <summary>Of two links that share a store, the one that appended first may come to note its position last.</summary>
    [Test]
    public async Task A_store_that_two_links_share_flushes_up_to_the_highest_position_of_either()
    {
        await using PacketJournal journal = PacketJournal.Open(_folder.Journal);
        var store = new JournalPacketStore(journal, Numbered.Node);
        Assert.That(journal.TryAppend(Numbered.Node, 1024, [1], out long first), Is.EqualTo(SendResult.Queued));
        Assert.That(journal.TryAppend(Numbered.Node, 1024, [2], out long second), Is.EqualTo(SendResult.Queued));

        store.Note(second);
        store.Note(first);

        Assert.That(store.LastPosition, Is.EqualTo(second));
        await store.FlushAsync(default).AsTask().Within("the flush");
        Assert.That(journal.Synced, Is.EqualTo(second));
    }

    [Test]
    public async Task A_closed_journal_ends_the_link()
    {
        PacketJournal journal = PacketJournal.Open(_folder.Journal);
        var store = new JournalPacketStore(journal, Numbered.Node);
        await journal.CloseAsync();
        JournalException? closed = await Assert.ThrowsAsync<JournalException>(
            () => store.AppendAsync(Packet(1024, "late"), default).AsTask());
        Assert.That(closed!.Fault, Is.EqualTo(JournalFault.Closed));
    }

    private static RawPacket Packet(ushort type, string text) => new(type, Lane.Normal, Encoding.ASCII.GetBytes(text));
}
