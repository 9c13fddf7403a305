using System;
using System.Threading;
using System.Threading.Tasks;
using NUnit.Framework;
using Transport.Testing.Clock;
using Transport.Testing.Links;
using Transport.Testing.Wires;

namespace Transport.Conformance.Links;

/// <summary>What happens to the connecting side between Welcome and its link.</summary>
internal sealed class ConnectorTests
{
    [Test]
    public async Task A_deadline_that_passes_as_Welcome_comes_does_not_cut_the_link()
    {
        var clock = new LateClock();
        LinkRig rig = await LinkRig.OpenAsync("memory", worker: o => o.TimeProvider = clock);
        await using (rig.ConfigureAwait(false))
        {
            clock.First!();   // the handshake's: a timer that is disposed may be calling already
            rig.Main.Start(new PacketRouter());
            rig.Worker.Start(new PacketRouter());
            LinkEnd end = await rig.Worker.CloseAsync().Within("the close").ConfigureAwait(false);
            Assert.That(end.IsClean, Is.True, end.ToString());
        }
    }

    [Test]
    public async Task Cancelling_before_Welcome_is_read_gives_no_link()
    {
        using WireRig rig = WireKinds.Open("memory");
        var listener = new LinkListener(rig.Listener, new LinkOptions { Node = "main" }.WithPatience());
        await using (listener.ConfigureAwait(false))
        {
            using var cancel = new CancellationTokenSource();
            LinkTicket ticket = listener.Expect("n1");
            var wire = new TestWire(await rig.ConnectAsync().Within("connecting").ConfigureAwait(false)) { AfterRead = cancel.Cancel };
            LinkOptions options = new LinkOptions().WithPatience();
            Task<Link> connecting = LinkConnector.ConnectAsync(wire, ticket.Secret, options, cancel.Token);
            await Assert.CatchAsync<OperationCanceledException>(() => connecting.Within("the cancelled handshake")).ConfigureAwait(false);
            Link main = await ticket.WaitForLinkAsync().Within("the main node's link").ConfigureAwait(false);
            main.Start(new PacketRouter());
            Assert.That((await main.Completion.Within("the end").ConfigureAwait(false)).Fault, Is.EqualTo(TransportFault.PeerGone));
        }
    }

    [Test]
    public async Task A_link_that_cannot_be_made_leaves_neither_a_wire_nor_a_timer()
    {
        var clock = new ManualClock();
        using WireRig rig = WireKinds.Open("memory");
        var listener = new LinkListener(rig.Listener, new LinkOptions { Node = "main" }.WithPatience());
        await using (listener.ConfigureAwait(false))
        {
            LinkTicket ticket = listener.Expect("n1");
            var wire = new TestWire(await rig.ConnectAsync().Within("connecting").ConfigureAwait(false)) { OnKind = Fail };
            Task<Link> connecting = LinkConnector.ConnectAsync(wire, ticket.Secret, new LinkOptions { TimeProvider = clock });
            await Assert.CatchAsync<InvalidOperationException>(() => connecting.Within("the failure")).ConfigureAwait(false);
            Assert.That((wire.IsDisposed, clock.Timers), Is.EqualTo((true, 0)));
            Link main = await ticket.WaitForLinkAsync().Within("the main node's link").ConfigureAwait(false);
            main.Start(new PacketRouter());
            Assert.That((await main.Completion.Within("the end").ConfigureAwait(false)).Fault, Is.EqualTo(TransportFault.PeerGone));
        }

        static void Fail() => throw new InvalidOperationException("a defect");
    }

    /// <summary>The system's clock, which keeps the first callback that it was given.</summary>
    private sealed class LateClock : TimeProvider
    {
        public Action? First { get; private set; }

        public override ITimer CreateTimer(TimerCallback callback, object? state, TimeSpan dueTime, TimeSpan period)
        {
            First ??= () => callback(state);
            return base.CreateTimer(callback, state, dueTime, period);
        }
    }

    /// <summary>A wire that shows the test some of its calls.</summary>
    private sealed class TestWire(IWire inner) : IWire
    {
        public Action? AfterRead { get; init; }

        public Action? OnKind { get; init; }

        public bool IsDisposed { get; private set; }

        public WireKind Kind
        {
            get
            {
                OnKind?.Invoke();
                return inner.Kind;
            }
        }

        public PeerIdentity Peer => inner.Peer;

        public int Read(byte[] buffer, int offset, int count, int patience)
        {
            int read = inner.Read(buffer, offset, count, patience);
            AfterRead?.Invoke();
            return read;
        }

        public void Write(byte[] buffer, int offset, int count) => inner.Write(buffer, offset, count);

        public void Shutdown() => inner.Shutdown();

        public void Abort() => inner.Abort();

        public void Dispose()
        {
            inner.Dispose();
            IsDisposed = true;
        }
    }
}
