using System;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using System.Threading;
using System.Threading.Tasks;
using NUnit.Framework;
using Transport.Testing.Links;
using Transport.Testing.Wires;

namespace Transport.Conformance.Links;

/// <summary>Links over which nothing goes: they hold one small buffer and two threads, and wake when something comes.</summary>
[Platform("Linux", Reason = "Threads are counted in /proc.")]
[NonParallelizable] // it counts the process's threads
internal sealed class LinkIdle
{
    private const int Many = 24;

    [Test]
    public async Task Holds_its_smallest_window_and_nothing_else()
    {
        await using LinkRig rig = await LinkRig.OpenAsync(WireKinds.Unix);
        int handled = 0;
        rig.Main.Start(new PacketRouter().On(TestPackets.Numbered, (_, _) => Interlocked.Increment(ref handled)));
        rig.Worker.Start(new PacketRouter());
        for (int i = 0; i < 3; i++)
        {
            Assert.That(rig.Worker.TrySend(TestPackets.Numbered, new Numbered(0, i, new byte[100])), Is.EqualTo(SendResult.Queued));
            Assert.That(SpinWait.SpinUntil(() => Volatile.Read(ref handled) == i + 1, WithinExtensions.Bound), Is.True,
                "an idle link wakes for a packet");
            bool small = SpinWait.SpinUntil(() => rig.MainPool.Held == 1 && rig.WorkerPool.Held == 1, WithinExtensions.Bound);
            Assert.That(small, Is.True, "segments rented while nothing is under way");
        }
    }

    [Test]
    public async Task The_last_link_takes_what_the_pool_has_kept_with_it()
    {
        var pool = new ShelfPool(20 << 20);
        await using LinkRig rig = await LinkRig.OpenAsync(WireKinds.Unix, o => o.Pool = pool);
        rig.Main.Start(new PacketRouter().On(TestPackets.Numbered, (_, _) => { }));
        rig.Worker.Start(new PacketRouter());
        Assert.That(rig.Worker.TrySend(TestPackets.Numbered, new Numbered(0, 0, new byte[5_000_000])), Is.EqualTo(SendResult.Queued));
        for (int i = 0; i < 50; i++)
        {
            Assert.That(rig.Main.TrySend(TestPackets.Numbered, new Numbered(0, i, new byte[60_000])), Is.EqualTo(SendResult.Queued));
        }

        Assert.That((await rig.Main.CloseAsync().Within("the close")).IsClean, Is.True);
        Assert.That(SpinWait.SpinUntil(() => (pool.Out, pool.KeptBytes) == (0, 0), WithinExtensions.Bound), Is.True,
            $"{pool.KeptBytes} bytes are kept for nobody, {pool.Out} segments are out");
    }

    [Test]
    public async Task Each_has_two_threads_that_end_with_it()
    {
        await ThreadsAre(0, "threads of the tests before");
        LinkOptions options = new LinkOptions().WithPatience();
        using var folder = new TestFolder();
        var ends = new List<Link>();
        WireEndpoint endpoint = EndpointDirectory.NewEndpoint(WireKind.UnixSocket, folder.Settings);
        LinkListener listener = LinkListener.Start(endpoint, new LinkOptions().WithPatience());
        for (int i = 0; i < Many; i++)
        {
            LinkTicket ticket = listener.Expect($"n{i}");
            ends.Add(await Link.ConnectAsync(listener.Endpoint, ticket.Secret, options).Within("connecting"));
            ends.Add(await ticket.WaitForLinkAsync().Within("accepting"));
        }

        foreach (Link link in ends)
        {
            link.Start(new PacketRouter());
        }

        await ThreadsAre(2 * ends.Count, "threads of idle links");
        LinkEnd[] closed = await Task.WhenAll(ends.Select(link => link.CloseAsync())).Within("closing");
        Assert.That(closed.Select(end => end.IsClean), Is.All.True);
        await listener.DisposeAsync();
        await ThreadsAre(0, "threads without a link");
    }

    [Test]
    public async Task A_wait_ends_where_the_link_is_aborted([Values] bool byThePeer)
    {
        await using LinkRig rig = await LinkRig.OpenAsync(WireKinds.Unix);
        rig.Main.Start(new PacketRouter());
        rig.Worker.Start(new PacketRouter());
        Assert.That(SpinWait.SpinUntil(() => rig.Main.Reading.IsWaiting, WithinExtensions.Bound), Is.True, "the main node's link waits");
        (byThePeer ? rig.Worker : rig.Main).Abort("enough");
        LinkEnd end = await rig.Main.Completion.Within("the end");
        Assert.That(end.Fault, Is.EqualTo(byThePeer ? TransportFault.PeerGone : TransportFault.Aborted));
    }

    private static async Task ThreadsAre(int count, string what)
    {
        int now = -1;
        bool isReached = await Task.Run(() => SpinWait.SpinUntil(() => (now = LinkThreads().Count) == count, WithinExtensions.Bound));
        Assert.That(isReached, Is.True, () =>
            $"{what}: {now} threads, expected {count}; {LiveLinks.All.Count} links are open:\n" + string.Join("\n", LinkThreads()));
    }

    private static List<string> LinkThreads()
    {
        var found = new List<string>();
        foreach (string task in Directory.GetDirectories("/proc/self/task"))
        {
            try
            {
                string name = File.ReadAllText(Path.Combine(task, "comm")).Trim();   // cut after 15 characters
                bool isOfLink = name.StartsWith("transport recei", StringComparison.Ordinal)
                    || name.StartsWith("transport send", StringComparison.Ordinal);
                if (isOfLink)
                {
                    found.Add($"{name} in {File.ReadAllText(Path.Combine(task, "syscall")).Trim()}");
                }
            }
            catch (Exception e) when (e is IOException or UnauthorizedAccessException)
            {
                // it has just ended
            }
        }

        return found;
    }
}
