using System;
using System.Collections.Generic;
using System.Linq;
using System.Text;
using System.Threading;
using System.Threading.Tasks;
using NUnit.Framework;
using Transport.Journal.Tests.Disk;
using Transport.Testing;
using Transport.Testing.Disks;
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
    public async Task A_journal_without_capacity_is_an_exception_for_who_asks_for_it_and_nothing_counts_as_flushed()
    {
        var disk = new SimulatedDisk(7);
        var options = new JournalOptions { Store = disk.Store(), SegmentBytes = 64 << 10, MaxBytes = 128 << 10, MaxPacketBytes = 16 << 10 };
        await using PacketJournal journal = PacketJournal.Open("simulated", options);
        var store = new JournalPacketStore(journal, Numbered.Node) { WaitsForCapacity = false };
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

    /// <summary>Each packet that found the disk full ended its link: a pool of workers ended with it, and did not come back once there was
    /// space.</summary>
    [Test]
    [Platform("Linux")]
    public async Task A_full_disk_holds_a_link_up_longer_than_its_silence_and_ends_nothing()
    {
        using SmallFileSystem disk = await SmallFileSystem.MountAsync(System.IO.Path.Combine(_folder.Root, "disk"), "size=4m");
        string filler = System.IO.Path.Combine(disk.Path, "filler");
        await using PacketJournal journal = PacketJournal.Open(
            System.IO.Path.Combine(disk.Path, "journal"),
            new JournalOptions { SegmentBytes = 64 << 10, MaxPacketBytes = 32 << 10, MaxQueuedBytes = 64 << 10 });
        System.IO.File.WriteAllBytes(filler, new byte[3 << 20]);
        long handled = 0;
        await using var rig = new LinkListenerPair(
            new LinkOptions { Heartbeat = Short(1_000), MaxQueuedBytes = 64 << 10 },
            new PacketRouter().UseStore(new JournalPacketStore(journal)).OnRaw(1024, _ => Interlocked.Increment(ref handled)));
        Link worker = await rig.ConnectAsync();
        byte[] body = new byte[10_000];
        (body[0], body[1], body[2], body[3], body[4]) = (0xc6, 0, 0, 0x27, 0x0b);   // bin of 9,995 bytes
        long queued = 0;
        bool SendUntilFull()
        {
            long before = queued;
            while (worker.TrySendRaw(1024, body) == SendResult.Queued)
            {
                queued++;
            }

            return queued > before;
        }

        await Wait.UntilAsync(() => !SendUntilFull() && journal.Obstacle is not null, "the disk is full, and the sender hears of it");
        var full = System.Diagnostics.Stopwatch.StartNew();
        await Wait.UntilAsync(() => full.Elapsed > TimeSpan.FromSeconds(3), "three times the silence passes");
        Assert.That(worker.IsOpen, Is.True);
        System.IO.File.Delete(filler);
        await Wait.UntilAsync(
            () => SendUntilFull() || !worker.IsOpen,
            () => $"there is space, and it goes on by itself: {journal.Obstacle}, {journal.Failure}, {journal.Appended} appended, "
                + $"{journal.Committed} committed, {queued} queued, {Interlocked.Read(ref handled)} handled, {worker.Receipt}");
        Assert.That(worker.IsOpen, Is.True, () => $"{worker.Completion.Status} {worker.Receipt}");
        LinkEnd end = await worker.CloseAsync().Within("the close");
        Assert.That(end.ToString(), Is.EqualTo("clean"));
        Assert.That(end.Receipt.Acknowledged, Is.EqualTo(queued));
        Assert.That(handled, Is.EqualTo(queued));
        Assert.That(journal.Synced, Is.AtLeast(queued));
        Assert.That(journal.Obstacle, Is.Null);
    }

    [Test]
    [Platform("Linux")]
    public async Task Who_waits_for_space_hears_of_the_journals_end()
    {
        using SmallFileSystem disk = await SmallFileSystem.MountAsync(System.IO.Path.Combine(_folder.Root, "disk"), "size=300k");
        PacketJournal journal = PacketJournal.Open(
            System.IO.Path.Combine(disk.Path, "journal"),
            new JournalOptions { SegmentBytes = 64 << 10, MaxPacketBytes = 64 << 10, MaxQueuedBytes = 64 << 10 });
        System.IO.File.WriteAllBytes(System.IO.Path.Combine(disk.Path, "filler"), new byte[200 << 10]);
        var store = new JournalPacketStore(journal, Numbered.Node);
        var waiting = new List<Task>();
        for (int i = 0; i < 3; i++)
        {
            waiting.Add(store.AppendAsync(new RawPacket(1024, Lane.Normal, new byte[40_000]), default).AsTask());
            waiting.Add(store.FlushAsync(default).AsTask());
        }

        await Wait.UntilAsync(() => journal.Obstacle is not null, "the disk is full");
        journal.Dispose();
        await Task.WhenAny(Task.WhenAll(waiting), Task.Delay(TimeSpan.FromMinutes(1)));
        Assert.That(waiting.Select(one => one.IsCompleted), Is.All.True);
        waiting.ForEach(static one => _ = one.Exception);
    }

    /// <summary>Closing on a full disk takes CloseTimeout, and says what is not safe. The main node, which reads nothing, notices that its
    /// worker has gone at the next Ping, and gives up what it cannot store a SilenceTimeout later.</summary>
    [Test]
    [Platform("Linux")]
    public async Task A_close_on_a_full_disk_takes_CloseTimeout_and_reports_what_is_not_flushed()
    {
        using SmallFileSystem disk = await SmallFileSystem.MountAsync(System.IO.Path.Combine(_folder.Root, "disk"), "size=1m");
        await using PacketJournal journal = PacketJournal.Open(
            System.IO.Path.Combine(disk.Path, "journal"),
            new JournalOptions { SegmentBytes = 64 << 10, MaxPacketBytes = 32 << 10, MaxQueuedBytes = 64 << 10 });
        System.IO.File.WriteAllBytes(System.IO.Path.Combine(disk.Path, "filler"), new byte[900 << 10]);
        await using var rig = new LinkListenerPair(
            new LinkOptions { CloseTimeout = TimeSpan.FromSeconds(1), MaxQueuedBytes = 64 << 10, Heartbeat = Short() },
            new PacketRouter().UseStore(new JournalPacketStore(journal)));
        Link worker = await rig.ConnectAsync();
        byte[] body = new byte[10_000];
        (body[0], body[1], body[2], body[3], body[4]) = (0xc6, 0, 0, 0x27, 0x0b);
        await Wait.UntilAsync(
            () =>
            {
                while (worker.TrySendRaw(1024, body) == SendResult.Queued)
                {
                }

                return journal.Obstacle is not null;
            },
            "the disk is full");
        LinkEnd end = await worker.CloseAsync().Within("the close");
        LinkEnd main = await rig.MainEnd.Within("the main node's end");
        Assert.That(end.Fault, Is.EqualTo(TransportFault.Timeout));
        Assert.That(end.Receipt.Acknowledged, Is.LessThan(end.Receipt.Sent + end.Receipt.Dropped));
        Assert.That(main.Receipt.Flushed, Is.LessThan(main.Receipt.Received), "and both ends know");
        Assert.That(end.Receipt.Acknowledged, Is.AtMost(main.Receipt.Flushed));
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

    private static HeartbeatOptions Short(int silence = 300) =>
        new() { PingInterval = TimeSpan.FromMilliseconds(100), SilenceTimeout = TimeSpan.FromMilliseconds(silence) };

    /// <summary>A listener, and one link to it.</summary>
    private sealed class LinkListenerPair(LinkOptions options, PacketRouter router) : IAsyncDisposable
    {
        private readonly LinkListener _listener = LinkListener.Start(WireKind.UnixSocket, options);
        private Link? _main;

        public Task<LinkEnd> MainEnd => _main!.Completion;

        public async Task<Link> ConnectAsync()
        {
            LinkTicket ticket = _listener.Expect("n1");
            Link worker = await Link.ConnectAsync(_listener.Endpoint, ticket.Secret, options);
            worker.Start(new PacketRouter());
            _main = await ticket.WaitForLinkAsync();
            _main.Start(router);
            return worker;
        }

        public ValueTask DisposeAsync() => _listener.DisposeAsync();
    }

    private static RawPacket Packet(ushort type, string text) => new(type, Lane.Normal, Encoding.ASCII.GetBytes(text));
}
