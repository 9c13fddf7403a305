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

/// <summary>
/// What an exited peer left is handled to its end, however long handlers and the store take, by a clock that the test owns.
/// </summary>
internal sealed class TailPaceTests
{
    private const int Count = 4_000;

    private static readonly TimeSpan Pace = TimeSpan.FromMilliseconds(2);

    private readonly List<byte[]> _came = [];
    private ManualClock _clock = null!;
    private LeftTail _tail = null!;

    [SetUp]
    public void Begin()
    {
        _came.Clear();
        _clock = new ManualClock();
        _tail = new LeftTail();
    }

    [TearDown]
    public void End() => _tail.Dispose();

    [Test]
    public async Task All_of_an_exited_peers_tail_is_handled_however_long_its_handlers_take()
    {
        LeaveTail();
        LinkEnd end = await DieAsync(SlowHandler(), written: 0).ConfigureAwait(false);
        Assert.That((end.Fault, end.Receipt.Received), Is.EqualTo((TransportFault.PeerGone, (long)Count)));
        Assert.That(end.Receipt.Tail, Is.EqualTo(new TailReport { Packets = Count, Lost = 0 }));
        AssertAllCame();
    }

    [Test]
    public async Task All_that_an_exited_peer_had_written_is_handled_however_long_its_handlers_take([Values] bool withTail)
    {
        if (withTail)
        {
            LeaveTail();
        }

        LinkEnd end = await DieAsync(SlowHandler(), Count, withTail).ConfigureAwait(false);
        Assert.That((end.Fault, end.Receipt.Received), Is.EqualTo((TransportFault.PeerGone, (long)Count)));
        AssertAllCame();
    }

    [Test]
    public async Task A_slow_store_keeps_all_of_the_stream_and_the_tail_and_each_packet_of_it_is_counted([Values(0, 3_000)] int written)
    {
        LeaveTail();
        var store = new SlowStore(_clock);
        PacketRouter router = new PacketRouter().UseStore(store).OnRaw(1024, packet => _came.Add(packet.Body.ToArray()));
        LinkEnd end = await DieAsync(router, written).ConfigureAwait(false);
        Assert.That((end.Fault, end.Receipt.Received, end.Receipt.Flushed),
            Is.EqualTo((TransportFault.PeerGone, store.Kept, store.Kept)));
        Assert.That(end.Receipt.Tail, Is.EqualTo(new TailReport { Packets = Count - written, Lost = 0 }));
        AssertAllCame();
    }

    [Test]
    public async Task A_peer_that_was_silent_for_too_long_and_dies_then_loses_neither_stream_nor_tail()
    {
        LeaveTail();
        (RawPeer peer, Link main) = await OpenAsync(SlowHandler()).ConfigureAwait(false);
        await using (peer.ConfigureAwait(false))
        {
            Assert.That(SpinWait.SpinUntil(() => main.Reading.Dry > 0, WithinExtensions.Bound), Is.True, "a read is pending");
            _clock.Advance(TimeSpan.FromSeconds(40));
            Write(peer, 100);
            peer.Wire.Abort();
            LinkEnd end = await main.Completion.Within("the end").ConfigureAwait(false);
            Assert.That(end.Fault, Is.EqualTo(TransportFault.Timeout));
            Assert.That(end.Receipt.Tail, Is.EqualTo(new TailReport { Packets = Count - 100, Lost = 0 }));
            AssertAllCame();
        }
    }

    [Test]
    public async Task A_peer_that_did_not_close_in_time_and_dies_then_loses_neither_stream_nor_tail()
    {
        LeaveTail();
        (RawPeer peer, Link main) = await OpenAsync(SlowHandler()).ConfigureAwait(false);
        await using (peer.ConfigureAwait(false))
        {
            Task<LinkEnd> closing = main.CloseAsync("done", TimeSpan.FromSeconds(1));
            await peer.ReadUntilAsync(RawPeer.Goodbye).Within("Goodbye").ConfigureAwait(false);
            _clock.Advance(TimeSpan.FromSeconds(3));
            await main.Broken.Within("the timeout").ConfigureAwait(false);   // the deadline's continuation runs on the pool
            Write(peer, 100);
            peer.Wire.Abort();
            LinkEnd end = await closing.Within("the end").ConfigureAwait(false);
            Assert.That(end.Fault, Is.EqualTo(TransportFault.Timeout));
            Assert.That(end.Receipt.Tail, Is.EqualTo(new TailReport { Packets = Count - 100, Lost = 0 }));
            AssertAllCame();
        }
    }

    [Test]
    public async Task A_link_that_was_aborted_replays_no_tail()
    {
        LeaveTail();
        (RawPeer peer, Link main) = await OpenAsync(SlowHandler()).ConfigureAwait(false);
        await using (peer.ConfigureAwait(false))
        {
            main.Abort("for the test");
            LinkEnd end = await main.Completion.Within("the end").ConfigureAwait(false);
            Assert.That((end.Fault, end.Receipt.Received, end.Receipt.Tail), Is.EqualTo((TransportFault.Aborted, 0L, (TailReport?)null)));
        }
    }

    [Test]
    public async Task Abort_ends_a_link_that_awaits_its_peers_exit_at_once()
    {
        var asked = new TaskCompletionSource<bool>(TaskCreationOptions.RunContinuationsAsynchronously);
        var content = new TaskCompletionSource<TailContent?>(TaskCreationOptions.RunContinuationsAsynchronously);
        (RawPeer peer, Link main) = await OpenAsync(new PacketRouter(), () =>
        {
            asked.TrySetResult(true);
            return content.Task;
        }).ConfigureAwait(false);
        await using (peer.ConfigureAwait(false))
        {
            peer.Wire.Abort();
            await asked.Task.Within("the wait for the peer's exit").ConfigureAwait(false);
            main.Abort("for the test");
            LinkEnd end = await main.Completion.Within("the end, though the clock stands still").ConfigureAwait(false);
            Assert.That((end.Fault, end.Receipt.Tail), Is.EqualTo((TransportFault.Aborted, (TailReport?)null)));
            content.SetResult(null);
        }
    }

    [Test]
    public async Task A_silent_peer_whose_tail_is_awaited_is_reported_what_was_wrong()
    {
        (RawPeer peer, Link main) = await OpenAsync(new PacketRouter()).ConfigureAwait(false);
        await using (peer.ConfigureAwait(false))
        {
            Assert.That(SpinWait.SpinUntil(() => main.Reading.Dry > 0, WithinExtensions.Bound), Is.True, "a read is pending");
            _clock.Advance(TimeSpan.FromSeconds(40));
            List<RawFrame> frames = await peer.ReadUntilAsync(RawPeer.Goodbye).Within("Goodbye").ConfigureAwait(false);
            Dictionary<string, object?> goodbye = frames[frames.Count - 1].Map;
            Assert.That(goodbye["reason"], Is.EqualTo(nameof(TransportFault.Timeout)));
            Assert.That(goodbye["detail"], Does.Contain("SilenceTimeout"));
            peer.Wire.Abort();
            await main.Completion.Within("the end").ConfigureAwait(false);
        }
    }

    [Test]
    public async Task Abort_ends_the_replay_of_a_tail()
    {
        LeaveTail();
        var began = new TaskCompletionSource<bool>(TaskCreationOptions.RunContinuationsAsynchronously);
        var free = new TaskCompletionSource<bool>(TaskCreationOptions.RunContinuationsAsynchronously);
        (RawPeer peer, Link main) = await OpenAsync(new PacketRouter().OnRawAsync(1024, async _ =>
        {
            began.TrySetResult(true);
            await free.Task.ConfigureAwait(false);
        })).ConfigureAwait(false);
        await using (peer.ConfigureAwait(false))
        {
            peer.Wire.Abort();
            await began.Task.Within("the tail's first packet").ConfigureAwait(false);
            main.Abort("for the test");
            free.SetResult(true);
            LinkEnd end = await main.Completion.Within("the end").ConfigureAwait(false);
            Assert.That((end.Fault, end.Receipt.Tail),
                Is.EqualTo((TransportFault.Aborted, new TailReport { Packets = 1, Lost = Count - 1 })));
        }
    }

    [Test]
    public async Task A_handler_that_never_returns_does_not_hold_up_the_end_of_an_exited_peers_link_forever()
    {
        LeaveTail();
        var began = new TaskCompletionSource<bool>(TaskCreationOptions.RunContinuationsAsynchronously);
        var free = new TaskCompletionSource<bool>(TaskCreationOptions.RunContinuationsAsynchronously);
        int handled = 0;
        (RawPeer peer, Link main) = await OpenAsync(new PacketRouter().OnRawAsync(1024, async _ =>
        {
            if (++handled == 4)
            {
                began.TrySetResult(true);
                await free.Task.ConfigureAwait(false);
            }
        })).ConfigureAwait(false);
        await using (peer.ConfigureAwait(false))
        {
            peer.Wire.Abort();
            await began.Task.Within("the tail's fourth packet").ConfigureAwait(false);
            bool ended = SpinWait.SpinUntil(
                () =>
                {
                    _clock.Advance(TimeSpan.FromSeconds(1));
                    Thread.Yield();
                    return main.Completion.IsCompleted;
                },
                WithinExtensions.Bound);
            Assert.That(ended, Is.True);
            LinkEnd end = await main.Completion.ConfigureAwait(false);
            Assert.That(end.Fault, Is.EqualTo(TransportFault.PeerGone));
            Assert.That(end.Reason, Does.Contain("30 s").And.Contain("SilenceTimeout"));
            TailContent? content = await _tail.ReadAsync().ConfigureAwait(false);
            Assert.That(main.CountTail(content!), Is.EqualTo(new TailReport { Packets = 3, Lost = Count - 4 }),
                "three of them were handled");
            free.SetResult(true);
        }
    }

    private static byte[] Frame(long number) => RawFrame.Bytes((int)Lane.Normal, 1024, Bodies.Value(number));

    private static void Write(RawPeer peer, int count) =>
        peer.SendBytes([.. Enumerable.Range(1, count).SelectMany(number => Frame(number))]);

    private void LeaveTail()
    {
        for (int number = 1; number <= Count; number++)
        {
            Assert.That(_tail.TryAdd(Lane.Normal, Frame(number)), Is.True);
        }
    }

    /// <summary>Makes a handler that takes 2 ms of the test's clock; it lets others run, so that what ends the link can.</summary>
    private PacketRouter SlowHandler() => new PacketRouter().OnRawAsync(1024, async packet =>
    {
        _came.Add(packet.Packet.ToArray());
        _clock.Advance(Pace);
        await Task.Yield();
    });

    private async Task<(RawPeer Peer, Link Main)> OpenAsync(PacketRouter router, Func<Task<TailContent?>>? tail = null)
    {
        (RawPeer peer, Link main) = await RawPeer.OpenAsync("unix", options => options.TimeProvider = _clock).ConfigureAwait(false);
        main.StartWithTail(router, tail ?? _tail.ReadAsync);
        return (peer, main);
    }

    /// <summary>A peer that has written some packets and has exited.</summary>
    private async Task<LinkEnd> DieAsync(PacketRouter router, int written, bool withTail = true)
    {
        (RawPeer peer, Link main) = await RawPeer.OpenAsync("unix", options => options.TimeProvider = _clock).ConfigureAwait(false);
        await using (peer.ConfigureAwait(false))
        {
            Write(peer, written);
            peer.Wire.Abort();
            main.StartWithTail(router, withTail ? _tail.ReadAsync : null);
            return await main.Completion.Within("the end").ConfigureAwait(false);
        }
    }

    private void AssertAllCame() => Assert.That(_came, Is.EqualTo(Enumerable.Range(1, Count).Select(number => Bodies.Value((long)number))));

    /// <summary>A store for which each packet, and each time it makes what it has safe, takes time of the test's clock.</summary>
    private sealed class SlowStore(ManualClock clock) : IPacketStore
    {
        public long Kept { get; private set; }

        public ValueTask AppendAsync(RawPacket packet, CancellationToken cancellationToken) => AppendAsync();

        private async ValueTask AppendAsync()
        {
            Kept++;
            clock.Advance(Pace + Pace);
            await Task.Yield();
        }

        public async ValueTask FlushAsync(CancellationToken cancellationToken)
        {
            await Task.Yield();
            clock.Advance(TimeSpan.FromSeconds(1));
        }
    }
}
