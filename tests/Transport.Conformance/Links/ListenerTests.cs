using System;
using System.Collections.Generic;
using System.Linq;
using System.Threading;
using System.Threading.Tasks;
using NUnit.Framework;
using Transport.Testing.Clock;
using Transport.Testing.Links;
using Transport.Testing.Wires;

namespace Transport.Conformance.Links;

/// <summary>What happens to a connection between its Welcome and its link.</summary>
internal sealed class ListenerTests
{
    private readonly ManualClock _clock = new();
    private readonly TaskCompletionSource<bool> _welcomed = new(TaskCreationOptions.RunContinuationsAsynchronously);

    [Test]
    public async Task A_connection_that_becomes_a_link_while_its_listener_ends_still_pings()
    {
        using var free = new ManualResetEventSlim();
        using WireRig rig = WireKinds.Open("memory");
        var options = new LinkOptions { Node = "main", TimeProvider = _clock };
        var listener = new LinkListener(new Wrapping(rig.Listener, wire => new AfterWelcome(wire, kind: Hold)), options);
        LinkTicket ticket = listener.Expect("n1");
        using IWire client = await SayHelloAsync(rig, ticket).ConfigureAwait(false);
        await _welcomed.Task.Within("Welcome").ConfigureAwait(false);
        Task ending = listener.DisposeAsync().AsTask();
        Assert.That(ending.IsCompleted, Is.False, "its thread is about to make the link");
        free.Set();
        await ending.Within("the listener's end").ConfigureAwait(false);
        Link link = await ticket.WaitForLinkAsync().Within("the link").ConfigureAwait(false);
        link.Start(new PacketRouter());
        _clock.Advance(TimeSpan.FromSeconds(7));
        Assert.That((await ReadTypeAsync(client).Within("Ping").ConfigureAwait(false)), Is.EqualTo(RawPeer.Ping));
        link.Abort("the test is over");
        await link.Completion.Within("the end").ConfigureAwait(false);
        Assert.That(SpinWait.SpinUntil(() => _clock.Armed == 0, WithinExtensions.Bound), Is.True, "the last link takes the timer with it");

        void Hold()
        {
            _welcomed.TrySetResult(true);
            free.Wait(WithinExtensions.Bound);
        }
    }

    [Test]
    public async Task A_dispose_of_a_listener_waits_for_its_end_and_a_connection_accepted_meanwhile_is_given_up()
    {
        var wires = new LateListener();
        var listener = new LinkListener(wires, new LinkOptions { Node = "main", TimeProvider = _clock });
        Assert.That(SpinWait.SpinUntil(() => wires.IsAsked, WithinExtensions.Bound), Is.True);
        Task first = listener.DisposeAsync().AsTask(), second = listener.DisposeAsync().AsTask();
        Assert.That((first.IsCompleted, second.IsCompleted), Is.EqualTo((false, false)), "it still accepts");
        (MemoryWire accepted, MemoryWire client) = MemoryWire.CreatePair();
        using (client)
        {
            wires.Accept(accepted);
            await Task.WhenAll(first, second).Within("the listener's end").ConfigureAwait(false);
            int count = await client.ReadAsync(new byte[1], 0, 1).Within("the stream's end, though the clock stands still")
                .ConfigureAwait(false);
            Assert.That(count, Is.Zero);
        }
    }

    [Test]
    public async Task Handshakes_at_the_same_moment_never_make_more_links_than_MaxLinks()
    {
        for (int round = 0; round < 50; round++)
        {
            using WireRig rig = WireKinds.Open("memory");
            var listener = new LinkListener(rig.Listener, new LinkOptions { Node = "main", MaxLinks = 1 }.WithPatience());
            await using (listener.ConfigureAwait(false))
            {
                LinkTicket[] tickets = [listener.Expect("n1"), listener.Expect("n2"), listener.Expect("n3")];
                Task<int>[] answers = [.. tickets.Select(async ticket =>
                {
                    using IWire client = await WriteHelloAsync(rig, ticket).ConfigureAwait(false);
                    return await ReadTypeAsync(client).Within("the answer").ConfigureAwait(false);
                })];
                int[] types = await Task.WhenAll(answers).Within("the answers").ConfigureAwait(false);
                Assert.That(types.Count(type => type == RawPeer.Welcome), Is.EqualTo(1), $"round {round}: {string.Join(" ", types)}");
                Link link = await tickets[Array.IndexOf(types, RawPeer.Welcome)].WaitForLinkAsync()
                    .Within("the link").ConfigureAwait(false);
                link.Abort("the test is over");
                await link.Completion.Within("the end").ConfigureAwait(false);
            }
        }
    }

    [Test]
    public async Task A_ticket_whose_link_cannot_be_made_after_Welcome_completes_with_the_reason()
    {
        using WireRig rig = WireKinds.Open("memory");
        var wires = new Wrapping(rig.Listener, wire => new AfterWelcome(wire, kind: Fail));
        var listener = new LinkListener(wires, new LinkOptions { Node = "main", TimeProvider = _clock });
        await using (listener.ConfigureAwait(false))
        {
            LinkTicket ticket = listener.Expect("n1");
            using IWire client = await SayHelloAsync(rig, ticket).ConfigureAwait(false);
            Task<TransportException?> failing = Assert.ThrowsAsync<TransportException>(() => ticket.WaitForLinkAsync()
                .Within("the ticket"));
            Assert.That((await failing.ConfigureAwait(false))!.Message, Does.Contain("n1").And.Contain("a defect"));
            Assert.That((listener.Links, listener.RefusedConnections), Is.EqualTo((0, 1L)));
        }

        Assert.That(_clock.Timers, Is.Zero, "the link that was not made keeps no timer");

        static void Fail() => throw new InvalidOperationException("a defect");
    }

    [Test]
    public async Task A_listener_that_fails_reports_everybody_who_waits_for_a_connection()
    {
        var wires = new FailingListener();
        var listener = new LinkListener(wires, new LinkOptions { Node = "main" });
        await using (listener.ConfigureAwait(false))
        {
            LinkTicket ticket = listener.Expect("n1");
            wires.Fail();
            Task<TransportException?> failing = Assert.ThrowsAsync<TransportException>(() => ticket.WaitForLinkAsync()
                .Within("the ticket"));
            TransportException failed = (await failing.ConfigureAwait(false))!;
            Assert.That(failed.Fault, Is.EqualTo(TransportFault.ConnectFailed));
            Assert.That(failed.Message, Does.Contain($"{wires.Endpoint}").And.Contain("a defect"));
            Assert.That(() => listener.Expect("n2"), Throws.InstanceOf<TransportException>().With.Message.EqualTo(failed.Message));
        }
    }

    [Test]
    public async Task A_callback_that_throws_does_not_end_the_listener()
    {
        var wires = new MemoryWireListener("failing once");
        var listener = new LinkListener(new FailingOnce(wires), new LinkOptions { Node = "main" }.WithPatience());
        await using (listener.ConfigureAwait(false))
        {
            int failures = 0;
            listener.AcceptFailed = _ =>
            {
                failures++;
                throw new InvalidOperationException("the callback's own");
            };
            LinkTicket ticket = listener.Expect("n1");
            Task<Link> connecting = LinkConnector.ConnectAsync(wires.Connect(), ticket.Secret, new LinkOptions().WithPatience());
            Link worker = await connecting.Within("the link").ConfigureAwait(false);
            Assert.That(failures, Is.EqualTo(1));
            Link main = await ticket.WaitForLinkAsync().Within("the main node's link").ConfigureAwait(false);
            await Task.WhenAll(main.CloseAsync(), worker.CloseAsync()).Within("the close").ConfigureAwait(false);
        }
    }

    [Test]
    public async Task A_connection_that_is_pending_when_the_listener_stops_is_refused_with_that_reason()
    {
        using WireRig rig = WireKinds.Open("memory");
        var refused = new TaskCompletionSource<RefusedConnection>(TaskCreationOptions.RunContinuationsAsynchronously);
        var options = new LinkOptions { Node = "main", TimeProvider = _clock };
        var listener = new LinkListener(rig.Listener, options);
        listener.ConnectionRefused += (_, connection) => refused.SetResult(connection);
        using IWire client = await rig.ConnectAsync().Within("connecting").ConfigureAwait(false);
        Assert.That(SpinWait.SpinUntil(() => _clock.Armed > 0, WithinExtensions.Bound), Is.True, "it is pending");
        await listener.DisposeAsync().AsTask().Within("the listener's end").ConfigureAwait(false);
        RefusedConnection reported = await refused.Task.Within("the refusal").ConfigureAwait(false);
        Assert.That(reported.Code, Is.EqualTo("Aborted"));
        Assert.That(reported.Message, Does.Contain("listener was stopped"));
    }

    /// <summary>Connects, says Hello, and reads Welcome.</summary>
    private async Task<IWire> SayHelloAsync(WireRig rig, LinkTicket ticket)
    {
        IWire client = await WriteHelloAsync(rig, ticket).ConfigureAwait(false);
        Assert.That(await ReadTypeAsync(client).Within("Welcome").ConfigureAwait(false), Is.EqualTo(RawPeer.Welcome));
        return client;
    }

    private static async Task<IWire> WriteHelloAsync(WireRig rig, LinkTicket ticket)
    {
        IWire client = await rig.ConnectAsync().Within("connecting").ConfigureAwait(false);
        byte[] hello = RawFrame.Bytes(0, RawPeer.Hello, RawPeer.HelloBody(RawPeer.FromHex(ticket.Secret.Reveal())));
        client.Write(hello, 0, hello.Length);
        return client;
    }

    private static async Task<int> ReadTypeAsync(IWire wire)
    {
        byte[] head = await wire.ReadExactlyAsync(10).ConfigureAwait(false);
        await wire.ReadExactlyAsync(RawFrame.Length(head, 0)).ConfigureAwait(false);
        return (head[3] << 8) | head[4];
    }

    /// <summary>Gives each accepted wire to the test before the listener has it.</summary>
    private sealed class Wrapping(IWireListener inner, Func<IWire, IWire> wrap) : IWireListener
    {
        public WireEndpoint Endpoint => inner.Endpoint;

        public void Wait(IReadOnlyList<IWire> wires, ICollection<int> ready, bool accept) =>
            inner.Wait([.. wires.Select(wire => ((AfterWelcome)wire).Inner)], ready, accept);

        public IWire? TryAccept() => inner.TryAccept() is { } wire ? wrap(wire) : null;

        public void Wake() => inner.Wake();

        public void Dispose() => inner.Dispose();
    }

    /// <summary>
    /// A wire on which something happens when it is asked for its kind after the first write, which is Welcome.
    /// </summary>
    private sealed class AfterWelcome(IWire inner, Action kind) : IWire
    {
        private volatile bool _written;

        public IWire Inner => inner;

        public WireKind Kind
        {
            get
            {
                if (_written)
                {
                    kind();
                }

                return inner.Kind;
            }
        }

        public PeerIdentity Peer => inner.Peer;

        public int Read(byte[] buffer, int offset, int count, int patience) => inner.Read(buffer, offset, count, patience);

        public void Write(byte[] buffer, int offset, int count)
        {
            inner.Write(buffer, offset, count);
            _written = true;
        }

        public void Shutdown() => inner.Shutdown();

        public void Abort() => inner.Abort();

        public void Dispose() => inner.Dispose();
    }

    /// <summary>A listener that fails when the test says so.</summary>
    private sealed class FailingListener : IWireListener
    {
        private readonly ManualResetEventSlim _fails = new();

        public WireEndpoint Endpoint { get; } = new(WireKinds.OfMemory, "failing");

        public void Fail() => _fails.Set();

        public void Wait(IReadOnlyList<IWire> wires, ICollection<int> ready, bool accept)
        {
            _fails.Wait(WithinExtensions.Bound);
            throw new InvalidOperationException("a defect");
        }

        public IWire? TryAccept() => null;

        public void Wake()
        {
        }

        public void Dispose()
        {
        }
    }

    /// <summary>A listener whose first connection cannot be taken at its first try.</summary>
    private sealed class FailingOnce(IWireListener inner) : IWireListener
    {
        private bool _hasFailed;

        public WireEndpoint Endpoint => inner.Endpoint;

        public void Wait(IReadOnlyList<IWire> wires, ICollection<int> ready, bool accept) => inner.Wait(wires, ready, accept);

        public IWire? TryAccept()
        {
            bool fails = !_hasFailed;
            _hasFailed = true;
            return fails ? throw new System.IO.IOException("out of descriptors") : inner.TryAccept();
        }

        public void Wake() => inner.Wake();

        public void Dispose() => inner.Dispose();
    }

    /// <summary>A listener that has accepted a connection, but gives it only when the test lets it.</summary>
    private sealed class LateListener : IWireListener
    {
        private readonly TaskCompletionSource<IWire> _accepted = new(TaskCreationOptions.RunContinuationsAsynchronously);
        private int _asked;

        public WireEndpoint Endpoint { get; } = new(WireKinds.OfMemory, "late");

        public bool IsAsked => Volatile.Read(ref _asked) > 0;

        public void Accept(IWire wire) => _accepted.SetResult(wire);

        public void Wait(IReadOnlyList<IWire> wires, ICollection<int> ready, bool accept)
        {
        }

        public IWire? TryAccept() => Interlocked.Increment(ref _asked) == 1 ? _accepted.Task.GetAwaiter().GetResult() : null;

        public void Wake()
        {
        }

        public void Dispose()
        {
        }
    }
}
