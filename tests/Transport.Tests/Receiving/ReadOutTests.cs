using System;
using System.Collections.Generic;
using System.IO;
using System.Threading.Tasks;
using NUnit.Framework;
using Transport.Testing.Links;
using Transport.Testing.Wires;

namespace Transport.Tests.Receiving;

/// <summary>The link of an exited worker is ended once nothing is left in it, and not before: a loop that is about to read is not one that
/// waits.</summary>
internal sealed class ReadOutTests
{
    [Test]
    public async Task A_loop_says_that_it_waits_only_where_nothing_was_there()
    {
        var wire = new SteppedWire();
        var pool = new ShelfPool(1 << 20);
        int handled = 0;
        PacketRouter router = new PacketRouter().OnRaw(1024, _ => { handled++; });
        router.Freeze();
        var (sink, counters) = (new DeafSink(), new LinkCounters());
        var packets = new PacketDispatcher(sink, pool, counters, 1 << 20, new LaneTables(default, 1 << 20));
        var loop = new ReceivePump(wire, pool, sink, counters, TimeProvider.System, packets);
        packets.Open(router, gate: null);
        wire.IsWaiting = () => loop.Progress.Look().IsWaiting;
        await WireReading.OnThread(() => loop.Run([])).Within("the end of the stream");
        Assert.That(handled, Is.EqualTo(wire.Packets));
        Assert.That(wire.Seen, Is.EqualTo(new[]
        {
            "look, not waiting",                                             // there is nothing to report: a packet
            "read, not waiting", "read, not waiting",                        // each of these has a packet
            "read, not waiting", "read without limit, waiting",              // nothing for a while, then a packet
            "read, not waiting", "read without limit, waiting",              // nothing for a while, then the end
        }));
        Assert.That(pool.Out, Is.Zero);
        Assert.That(loop.Progress.Look().IsWaiting, Is.False);
    }

    /// <summary>A replay that counted as a wait was never blamed for a handler that did not return.</summary>
    [Test]
    public async Task A_replay_after_a_wire_that_broke_during_a_wait_is_work()
    {
        var wire = new SteppedWire { Breaks = true };
        var (sink, counters, pool) = (new DeafSink { Replays = true }, new LinkCounters(), new ShelfPool(1 << 20));
        var replay = new NotedReplay();
        var packets = new PacketDispatcher(sink, pool, counters, 1 << 20, new LaneTables(default, 1 << 20));
        var pump = new ReceivePump(wire, pool, sink, counters, TimeProvider.System, packets);
        wire.IsWaiting = () => pump.Progress.Look().IsWaiting;
        await WireReading.OnThread(() => pump.Run([], replay)).Within("the end of the replay");
        Assert.That(wire.Seen[wire.Seen.Count - 1], Is.EqualTo("read without limit, waiting"));
        Assert.That((replay.During!.Value.IsWaiting, replay.During.Value.IsBusy), Is.EqualTo((false, true)));
        Assert.That(pump.Progress.Look().IsBusy, Is.False, "the pump has ended");
    }

    [Test]
    public void An_exited_workers_link_is_read_out_when_two_looks_find_nothing()
    {
        var looks = new DrainDetector(before: 1_000, dryBefore: 7);
        Assert.That(looks.IsEnough(waits: true, 1_000, 8), Is.False, "one look may fall between two reads");
        Assert.That(looks.IsEnough(waits: true, 1_500, 8), Is.False, "read in between");
        Assert.That(looks.IsEnough(waits: false, 1_500, 8), Is.False);
        Assert.That(looks.IsEnough(waits: true, 1_500, 8), Is.False, "the look before found a handler at work");
        Assert.That((looks.IsEnough(waits: true, 1_500, 8), looks.IsDrained), Is.EqualTo((true, true)));
    }

    [Test]
    public void An_exited_workers_link_whose_child_writes_on_is_read_out_when_it_was_found_empty_twice()
    {
        var looks = new DrainDetector(before: 1_000, dryBefore: 7);
        Assert.That(looks.IsEnough(waits: false, 1_100, 8), Is.False, "that may have been a moment before the end");
        Assert.That((looks.IsEnough(waits: false, 1_200, 9), looks.IsDrained), Is.EqualTo((true, true)));
        looks = new DrainDetector(before: 1_000, dryBefore: 7);
        Assert.That(looks.IsEnough(waits: false, 1_000 + DrainDetector.SocketMost, 7), Is.False);
        Assert.That((looks.IsEnough(waits: false, 1_001 + DrainDetector.SocketMost, 7), looks.IsDrained), Is.EqualTo((true, false)),
            "no socket holds so much: somebody else goes on writing");
    }

    /// <summary>Notes what the pump's progress shows during a replay.</summary>
    private sealed class NotedReplay : IReplay
    {
        public ReceiveLook? During { get; private set; }

        public void Run(ReceivePump pump) => During = pump.Progress.Look();
    }

    /// <summary>Gives one packet a read, and notes what the loop says of itself meanwhile.</summary>
    private sealed class SteppedWire : IWire
    {
        public Func<bool> IsWaiting { get; set; } = () => false;

        /// <summary>Gets a value indicating whether the second read without limit throws, in place of the stream's end.</summary>
        public bool Breaks { get; init; }

        public int Packets { get; private set; }

        public List<string> Seen { get; } = [];

        public WireKind Kind => WireKinds.OfMemory;

        public PeerIdentity Peer { get; } = new() { UserId = 1000, GroupId = 1000, ProcessId = 4711, IsCurrentUser = true };

        public int Read(byte[] buffer, int offset, int count, int patience)
        {
            Note(patience < 0 ? "read without limit" : patience == 0 ? "look" : "read");
            return Seen.Count switch
            {
                4 or 6 => -1,
                7 when Breaks => throw new IOException("The connection was reset."),
                7 => 0,
                _ => Packet(buffer, offset),
            };
        }

        public void Write(byte[] buffer, int offset, int count) => throw new NotSupportedException();

        public void Shutdown()
        {
        }

        public void Abort()
        {
        }

        public void Dispose()
        {
        }

        private void Note(string what) => Seen.Add($"{what}, {(IsWaiting() ? "waiting" : "not waiting")}");

        private int Packet(byte[] buffer, int offset)
        {
            Packets++;
            byte[] frame = RawFrame.Bytes(2, 1024, [0xc0]);
            frame.CopyTo(buffer, offset);
            return frame.Length;
        }
    }
}
