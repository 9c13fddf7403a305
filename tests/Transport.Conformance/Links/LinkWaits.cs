using System;
using System.Threading;
using System.Threading.Tasks;
using NUnit.Framework;
using Transport.Testing.Clock;
using Transport.Testing.Links;
using Transport.Testing.Wires;

namespace Transport.Conformance.Links;

/// <summary>How long a wait for capacity lasts, and what the receipt says of the packet if it was in vain.</summary>
[TestFixture(WireKinds.Memory)]
[TestFixture(WireKinds.Unix)]
internal sealed class LinkWaits(string wire)
{
    private static readonly Numbered Packet = new(0, 1, new byte[20_000]);

    [Test]
    public async Task An_infinite_deadline_waits_until_there_is_capacity()
    {
        (RawPeer peer, Link main) = await OpenFullAsync();
        await using RawPeer rawPeer = peer;
        main.Start(new PacketRouter());
        var begins = new TaskCompletionSource<bool>(TaskCreationOptions.RunContinuationsAsynchronously);
        Task<SendResult> waiting = Task.Factory.StartNew(
            () =>
            {
                begins.SetResult(true);
                return main.Send(TestPackets.Numbered, Packet, Timeout.InfiniteTimeSpan);
            },
            CancellationToken.None,
            TaskCreationOptions.LongRunning,
            TaskScheduler.Default);
        await begins.Task.Within("the wait");
        Assert.That(main.Send(TestPackets.Numbered, Packet, TimeSpan.FromMilliseconds(200)), Is.EqualTo(SendResult.Full));
        Assert.That(waiting.IsCompleted, Is.False);
        Task reading = peer.ReadToEndAsync();
        Assert.That(await waiting.Within("capacity"), Is.EqualTo(SendResult.Queued));
        Assert.That(main.Receipt.Refused, Is.EqualTo(1));
        main.Abort("done");
        await reading.Within("the end");
    }

    [Test]
    public async Task Any_other_negative_deadline_counts_as_zero([Values(long.MinValue, -TimeSpan.TicksPerSecond)] long ticks)
    {
        (RawPeer peer, Link main) = await OpenFullAsync();
        await using RawPeer rawPeer = peer;
        main.Start(new PacketRouter());
        var deadline = TimeSpan.FromTicks(ticks);
        Assert.That(main.Send(TestPackets.Numbered, Packet, deadline), Is.EqualTo(SendResult.Full));
        Assert.That(main.Receipt.Refused, Is.EqualTo(1));
        TransportException? unanswered = await Assert.ThrowsAsync<TransportException>(
            () => main.RequestAsync(TestPackets.Text, TestPackets.Text, "?", deadline).Within("the answer"));
        Assert.That(unanswered!.Fault, Is.EqualTo(TransportFault.RequestTimeout));
        Assert.That((await main.CloseAsync(timeout: deadline).Within("the close")).Fault, Is.EqualTo(TransportFault.Timeout));
    }

    [Test]
    public async Task A_packet_whose_wait_ends_because_its_handler_is_blocked_counts_as_refused([Values] bool blocking)
    {
        var clock = new ManualClock();
        (RawPeer peer, Link main) = await OpenFullAsync(o => o.TimeProvider = clock);
        await using RawPeer rawPeer = peer;
        var began = new TaskCompletionSource<bool>(TaskCreationOptions.RunContinuationsAsynchronously);
        var thrown = new TaskCompletionSource<TransportException>(TaskCreationOptions.RunContinuationsAsynchronously);
        main.Start(new PacketRouter().On(TestPackets.Text, async (text, context) =>
        {
            began.SetResult(true);
            try
            {
                _ = blocking
                    ? main.Send(TestPackets.Numbered, Packet, TimeSpan.MaxValue)
                    : await main.SendAsync(TestPackets.Numbered, Packet);
            }
            catch (TransportException stuck)
            {
                thrown.SetResult(stuck);
            }
        }));
        peer.Send(2, TestPackets.Text.Id, Bodies.Value("go"));
        await began.Task.Within("the handler");
        for (int looks = 0; looks < 1000 && !SpinWait.SpinUntil(() => thrown.Task.IsCompleted, TimeSpan.FromMilliseconds(20)); looks++)
        {
            clock.Advance(TimeSpan.FromSeconds(5));   // not faster than the sender can look around
        }

        Assert.That((await thrown.Task.Within("the end of the wait")).Fault, Is.EqualTo(TransportFault.HandlerBlocked));
        Assert.That((main.Receipt.Refused, main.Receipt.Dropped), Is.EqualTo((1L, 0L)));
        Task reading = peer.ReadToEndAsync();
        main.Abort("done");
        await reading.Within("the end");
    }

    /// <summary>Opens a link whose peer reads nothing, and fills its queue.</summary>
    private async Task<(RawPeer Peer, Link Main)> OpenFullAsync(Action<LinkOptions>? options = null)
    {
        (RawPeer peer, Link main) = await RawPeer.OpenAsync(wire, o =>
        {
            o.MaxQueuedBytes = 64 << 10;
            options?.Invoke(o);
        });
        Assert.That(main.TrySend(TestPackets.Numbered, new Numbered(0, 0, new byte[5_000_000])), Is.EqualTo(SendResult.Queued));
        return (peer, main);
    }
}
