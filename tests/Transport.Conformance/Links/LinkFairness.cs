using System;
using System.Collections.Generic;
using System.Linq;
using System.Threading;
using System.Threading.Tasks;
using NUnit.Framework;
using Transport.Conformance.Wires;
using Transport.Testing.Links;
using Transport.Testing.Wires;

namespace Transport.Conformance.Links;

/// <summary>Senders that wait for capacity get it in their order, whatever else is sent meanwhile.</summary>
[TestFixtureSource(typeof(WireKinds), nameof(WireKinds.All))]
internal sealed class LinkFairness(string wire)
{
    private const int Budget = 256 << 10;

    [Test]
    public async Task A_packet_above_the_whole_budget_that_waits_gets_in_beside_a_steady_log([Values] bool blocking)
    {
        await using LinkRig rig = await LinkRig.OpenAsync(wire, worker: o => o.MaxQueuedBytes = 8 * Budget);
        rig.Main.Start(new PacketRouter().On(TestPackets.Numbered, (_, _) => { }));
        rig.Worker.Start(new PacketRouter());
        using var stop = new CancellationTokenSource();
        long logged = 0;
        int full = 0;
        Task log = WireReading.OnThread(() =>
        {
            var line = new Numbered(0, 0, new byte[1_000]);
            while (!stop.IsCancellationRequested)
            {
                if (rig.Worker.TrySend(TestPackets.Numbered, line, policy: LanePolicy.Drop) == SendResult.Queued)
                {
                    Interlocked.Increment(ref logged);
                }
                else
                {
                    Volatile.Write(ref full, 1);
                }
            }
        });
        Assert.That(await Task.Run(() => SpinWait.SpinUntil(() => Volatile.Read(ref full) == 1, WithinExtensions.Bound)), Is.True,
            "the log fills the queue");
        var large = new Numbered(1, 1, new byte[16 * Budget]);
        var sending = new TaskCompletionSource<SendResult>(TaskCreationOptions.RunContinuationsAsynchronously);
        long before = Interlocked.Read(ref logged);
        Task sender = WireReading.OnThread(() => sending.SetResult(blocking
            ? rig.Worker.Send(TestPackets.Numbered, large, TimeSpan.MaxValue)
            : rig.Worker.SendAsync(TestPackets.Numbered, large).AsTask().GetAwaiter().GetResult()));
        bool came = await Task.Run(() =>
            SpinWait.SpinUntil(() => sending.Task.IsCompleted || Interlocked.Read(ref logged) - before > 100_000, WithinExtensions.Bound));
        bool gotIn = sending.Task.IsCompleted;
        stop.Cancel();
        await log.Within("the log");
        await sender.Within("the large packet");
        Assert.That((came, gotIn), Is.EqualTo((true, true)), $"{Interlocked.Read(ref logged) - before} lines of the log got in before it");
        Assert.That(await sending.Task, Is.EqualTo(SendResult.Queued));
    }

    /// <summary>The log takes all capacity as it comes, so the queue never runs empty while the log is let in. The budget is far above what
    /// a socket holds.</summary>
    [Test]
    public async Task A_packet_above_the_whole_budget_gets_in_although_the_log_never_lets_the_queue_run_empty()
    {
        const int Refills = 20;
        (RawPeer peer, Link main) = await RawPeer.OpenAsync(wire, o => o.MaxQueuedBytes = 8 << 20);
        await using RawPeer rawPeer = peer;
        main.Start(new PacketRouter());
        var log = new Numbered(0, 0, new byte[60_000]);
        Fill();
        Task<SendResult> large = main.SendAsync(TestPackets.Numbered, new Numbered(1, 1, new byte[10 << 20])).AsTask();
        int refills = 0;
        while (!large.IsCompleted && refills < Refills)
        {
            if (main.TrySend(TestPackets.Numbered, log) == SendResult.Queued)
            {
                Fill();
                refills++;
            }
            else
            {
                await peer.ReadAsync();
            }
        }

        Assert.That(large.IsCompleted, Is.True, $"the log was let in {refills} times meanwhile");
        Assert.That(await large, Is.EqualTo(SendResult.Queued));
        main.Abort("done");

        void Fill()
        {
            while (main.TrySend(TestPackets.Numbered, log) == SendResult.Queued)
            {
            }
        }
    }

    [Test]
    public async Task All_sends_that_wait_are_served_and_others_are_answered_full_meanwhile()
    {
        (RawPeer peer, Link main) = await RawPeer.OpenAsync(wire, o => o.MaxQueuedBytes = Budget);
        await using RawPeer rawPeer = peer;
        main.Start(new PacketRouter());
        Assert.That(main.TrySend(TestPackets.Numbered, new Numbered(9, 0, new byte[5_000_000]), Lane.Bulk), Is.EqualTo(SendResult.Queued));
        int[] sizes = [200_000, 10, 600_000, 10, 100_000, 10];
        Task<SendResult>[] waiting =
            [.. sizes.Select((size, i) => main.SendAsync(TestPackets.Numbered, new Numbered(0, i, new byte[size])).AsTask())];
        using var cancel = new CancellationTokenSource();
        Task<SendResult> cancelled =
            main.SendAsync(TestPackets.Numbered, new Numbered(0, 99, new byte[1_000]), cancellationToken: cancel.Token).AsTask();
        Task<SendResult> last = main.SendAsync(TestPackets.Numbered, new Numbered(0, sizes.Length, new byte[1])).AsTask();
        Assert.That(waiting.Append(last).Count(t => t.IsCompleted), Is.Zero);
        Assert.That(main.TrySend(TestPackets.Numbered, new Numbered(9, 1, [])), Is.EqualTo(SendResult.Full));
        Assert.That(main.TrySendRaw(1024, [0xc0]), Is.EqualTo(SendResult.Full));
        Assert.That(main.TrySend(TestPackets.Numbered, new Numbered(9, 1, []), Lane.Urgent), Is.EqualTo(SendResult.Queued),
            "the urgent lane's reserve");
        cancel.Cancel();
        Assert.That(async () => await cancelled.Within("the cancelled wait"), Throws.InstanceOf<OperationCanceledException>());
        Task<List<RawFrame>> reading = peer.ReadToEndAsync();
        Assert.That(await Task.WhenAll(waiting.Append(last)).Within("capacity"), Is.All.EqualTo(SendResult.Queued));
        Assert.That(SpinWait.SpinUntil(() => main.Counters.QueuedBytes == 0, WithinExtensions.Bound), Is.True,
            "every reserved byte was used or given back");
        main.Abort("done");
        long[] order = [.. (await reading.Within("the frames"))
            .Where(f => f.Lane == 2 && !f.HasMore && f.Body.Length > 3 && f.Body[0] == 0x93).Select(f => (long)f.Body[2])];
        Assert.That(order, Is.EquivalentTo(new long[] { 1, 3, 5, 6 }),
            "those of one frame; capacity is given in order (WaitingLineTests), and two that have capacity may run in either order");
    }

    [Test]
    public async Task Who_waits_in_line_hears_of_the_end_of_the_link([Values] bool abort)
    {
        (RawPeer peer, Link main) = await RawPeer.OpenAsync(wire, o => o.MaxQueuedBytes = Budget);
        await using RawPeer rawPeer = peer;
        main.Start(new PacketRouter());
        Assert.That(main.TrySend(TestPackets.Numbered, new Numbered(9, 0, new byte[5_000_000]), Lane.Bulk), Is.EqualTo(SendResult.Queued));
        Task<SendResult>[] waiting = [.. Enumerable.Range(0, 20).Select(i =>
            main.SendAsync(TestPackets.Numbered, new Numbered(0, i, new byte[100 * i]), i % 3 == 0 ? Lane.Urgent : Lane.Bulk).AsTask())];
        if (abort)
        {
            main.Abort("enough");
        }
        else
        {
            _ = main.CloseAsync();
        }

        SendResult[] results = await Task.WhenAll(waiting).Within("the answers");
        Assert.That(results.Where((_, i) => i % 3 != 0), Is.All.EqualTo(SendResult.Closed));
        main.Abort("done");
    }

    /// <summary>Who holds the counters looks at them again and again.</summary>
    [Test]
    public async Task The_queued_bytes_are_right_while_the_peer_stands_still()
    {
        (RawPeer peer, Link main) = await RawPeer.OpenAsync(wire, o => o.MaxQueuedBytes = 8 << 20);
        await using RawPeer rawPeer = peer;
        main.Start(new PacketRouter());
        LinkCounters counters = main.Counters;
        Assert.That(main.TrySend(TestPackets.Numbered, new Numbered(0, 0, new byte[5_000_000]), Lane.Bulk), Is.EqualTo(SendResult.Queued));
        await Stalled.StandsAsync(() => counters.BytesSent, () => true);
        long before = counters.QueuedBytes;
        Assert.That(main.TrySend(TestPackets.Numbered, new Numbered(0, 0, new byte[100_000]), Lane.Bulk), Is.EqualTo(SendResult.Queued));
        Assert.That(counters.QueuedBytes - before, Is.GreaterThan(100_000));
        main.Abort("done");
    }

    /// <summary>Users hold the counters, and may lock what they hold.</summary>
    [Test]
    public async Task A_link_starts_while_a_user_holds_a_lock_on_its_counters()
    {
        await using LinkRig rig = await LinkRig.OpenAsync(wire);
        rig.Worker.Start(new PacketRouter());
        using var held = new ManualResetEventSlim();
        using var release = new ManualResetEventSlim();
        Task holder = WireReading.OnThread(() =>
        {
            lock (rig.Main.Counters)
            {
                held.Set();
                release.Wait();
            }
        });
        held.Wait();
        Task starting = WireReading.OnThread(() => rig.Main.Start(new PacketRouter()));
        bool started = await Task.Run(() => SpinWait.SpinUntil(() => starting.IsCompleted, TimeSpan.FromSeconds(10)));
        release.Set();
        await Task.WhenAll(holder, starting).Within("the start");
        Assert.That(started, Is.True);
    }
}
