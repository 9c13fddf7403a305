using System;
using System.Threading;
using System.Threading.Tasks;
using NUnit.Framework;
using Transport.Testing.Clock;
using Transport.Testing.Links;
using Transport.Testing.Wires;

namespace Transport.Conformance.Links;

/// <summary>Both sides have said Goodbye, and the peer still owes the Ack of what this side sent.</summary>
[TestFixtureSource(typeof(WireKinds), nameof(WireKinds.All))]
internal sealed class LinkUnacknowledged(string wire)
{
    private static readonly TimeSpan CloseTimeout = TimeSpan.FromHours(1);

    [Test]
    public async Task The_end_waits_for_the_last_Ack_as_long_as_closing_may_take()
    {
        var clock = new ManualClock();
        (RawPeer peer, Task<LinkEnd> closing) = await CloseBothAsync(clock);
        await using RawPeer rawPeer = peer;
        clock.Advance(CloseTimeout - TimeSpan.FromSeconds(1));
        peer.Send(0, RawPeer.Ack, Bodies.Map(("packets", 3)));
        peer.Wire.Shutdown();
        LinkEnd end = await closing.Within("the end");
        Assert.That(end.IsClean, Is.True, end.ToString());
        Assert.That(end.Receipt.NoLossKnown, Is.True, end.Receipt.ToString());
    }

    [Test]
    public async Task A_peer_that_has_acknowledged_everything_has_five_seconds_to_close()
    {
        var clock = new ManualClock();
        (RawPeer peer, Task<LinkEnd> closing) = await CloseBothAsync(clock);
        await using RawPeer rawPeer = peer;
        long start = clock.GetTimestamp();
        peer.Send(0, RawPeer.Ack, Bodies.Map(("packets", 3)));
        bool ended = SpinWait.SpinUntil(() =>
        {
            clock.Advance(TimeSpan.FromSeconds(1));
            return closing.IsCompleted;
        }, WithinExtensions.Bound);
        Assert.That(ended, Is.True);
        LinkEnd end = await closing;
        Assert.That(end.IsClean, Is.True, end.ToString());
        Assert.That(clock.GetElapsedTime(start), Is.LessThan(CloseTimeout));
    }

    [TestCase("end of stream", true, TransportFault.PeerGone, "the peer did not acknowledge 2 packets before it closed")]
    [TestCase("limit", true, TransportFault.Timeout, "Closing took longer than 3600 s: 3 packets sent, 1 acknowledged")]
    [TestCase("limit", false, TransportFault.Timeout, "the peer did not acknowledge 2 packets within 3600 s")]
    [TestCase("abort", true, TransportFault.Aborted, "enough")]
    public async Task An_end_with_packets_that_are_not_acknowledged_is_not_clean(
        string how, bool bothClose, TransportFault fault, string reason)
    {
        var clock = new ManualClock();
        (RawPeer peer, Task<LinkEnd> closing) = await CloseBothAsync(clock, bothClose);
        await using RawPeer rawPeer = peer;
        peer.Send(0, RawPeer.Ack, Bodies.Map(("packets", 1)));
        Link main = await peer.Ticket.WaitForLinkAsync();
        Assert.That(SpinWait.SpinUntil(() => main.Receipt.Acknowledged == 1, WithinExtensions.Bound), Is.True);
        switch (how)
        {
            case "end of stream":
                peer.Wire.Shutdown();
                break;
            case "limit":
                clock.Advance(CloseTimeout);
                break;
            case "abort":
                main.Abort("enough");
                break;
        }

        LinkEnd end = await closing.Within("the end");
        Assert.That(end.Fault, Is.EqualTo(fault), end.ToString());
        Assert.That(end.Reason, Does.Contain(reason));
        Assert.That((end.Receipt.Sent, end.Receipt.Acknowledged), Is.EqualTo((3L, 1L)));
    }

    /// <summary>Sends three packets to a peer that says Goodbye before it has handled one; closes, or answers the peer's Goodbye.</summary>
    /// <returns>The peer, and the close, which waits for nothing but the Ack and the end of the stream.</returns>
    private async Task<(RawPeer Peer, Task<LinkEnd> Closing)> CloseBothAsync(ManualClock clock, bool bothClose = true)
    {
        (RawPeer peer, Link main) = await RawPeer.OpenAsync(wire, o => (o.TimeProvider, o.CloseTimeout) = (clock, CloseTimeout));
        main.Start(new PacketRouter());
        for (int i = 0; i < 3; i++)
        {
            Assert.That(main.TrySend(TestPackets.Text, "unhandled"), Is.EqualTo(SendResult.Queued));
        }

        Task<LinkEnd> closing = bothClose ? main.CloseAsync() : main.Completion;
        if (bothClose)
        {
            await peer.ReadUntilAsync(RawPeer.Goodbye);
        }

        peer.SendGoodbye(0);
        await peer.ReadToEndAsync();
        return (peer, closing);
    }
}
