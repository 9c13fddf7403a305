using System;
using System.Collections.Generic;
using System.Threading.Tasks;
using NUnit.Framework;
using Transport.Testing.Links;
using Transport.Testing.Wires;

namespace Transport.Tests.Receiving;

/// <summary>The link of a dead worker is ended once nothing is left in it, and not before: a loop that is about to read is not one that waits.</summary>
internal sealed class ReadOutTests
{
    [Test]
    public async Task A_loop_says_that_it_waits_only_where_nothing_was_there()
    {
        var wire = new SteppedWire();
        var pool = new SegmentPool(1 << 20);
        int handled = 0;
        PacketRouter router = new PacketRouter().OnRaw(1024, _ => { handled++; });
        router.Freeze();
        var loop = new ReceivePump(wire, pool, router, new DeafSink(), new LinkCounters(), TimeProvider.System, 1 << 20, new LaneTables(false, false, 1 << 20), new ThreadBudget());
        wire.IsWaiting = () => loop.IsWaiting;
        await loop.RunAsync([]).Within("the end of the stream");
        Assert.That(handled, Is.EqualTo(wire.Packets));
        Assert.That(wire.Seen, Is.EqualTo(new[]
        {
            "read, not waiting", "read, not waiting", "read, not waiting",   // on its own thread: each of these has a packet
            "read, not waiting", "read again, waiting",                      // nothing for a while, then one
            "read, not waiting", "read again, waiting",                      // nothing at all: back to waiting without a thread
            "wait, waiting", "taken after a wait, not waiting",              // who looks here must find neither the bytes missing nor a loop that waits
        }));
        Assert.That(pool.Out, Is.Zero);
        Assert.That(loop.IsWaiting, Is.False);
    }

    [Test]
    public void A_dead_workers_link_is_read_out_when_two_looks_find_nothing()
    {
        var looks = new DrainDetector(before: 1_000, dryBefore: 7);
        Assert.That(looks.IsEnough(waits: true, 1_000, 8), Is.False, "one look may fall between two reads");
        Assert.That(looks.IsEnough(waits: true, 1_500, 8), Is.False, "read in between");
        Assert.That(looks.IsEnough(waits: false, 1_500, 8), Is.False);
        Assert.That(looks.IsEnough(waits: true, 1_500, 8), Is.False, "the look before found a handler at work");
        Assert.That((looks.IsEnough(waits: true, 1_500, 8), looks.IsDrained), Is.EqualTo((true, true)));
    }

    [Test]
    public void A_dead_workers_link_whose_child_writes_on_is_read_out_when_it_was_found_empty_twice()
    {
        var looks = new DrainDetector(before: 1_000, dryBefore: 7);
        Assert.That(looks.IsEnough(waits: false, 1_100, 8), Is.False, "that may have been a moment before the end");
        Assert.That((looks.IsEnough(waits: false, 1_200, 9), looks.IsDrained), Is.EqualTo((true, true)));
        looks = new DrainDetector(before: 1_000, dryBefore: 7);
        Assert.That(looks.IsEnough(waits: false, 1_000 + DrainDetector.SocketMost, 7), Is.False);
        Assert.That((looks.IsEnough(waits: false, 1_001 + DrainDetector.SocketMost, 7), looks.IsDrained), Is.EqualTo((true, false)), "no socket holds so much: somebody else goes on writing");
    }

    /// <summary>Gives one packet a read, and notes what the loop says of itself meanwhile.</summary>
    private sealed class SteppedWire : IDirectWire
    {
        private int _waits;

        public Func<bool> IsWaiting { get; set; } = () => false;

        public int Packets { get; private set; }

        public List<string> Seen { get; } = [];

        public string Kind => WireEndpoint.Memory;

        public PeerIdentity Peer { get; } = new(1000, 1000, 4711, true);

        public int TryRead(byte[] buffer, int offset, int count)
        {
            if (_waits > 0)
            {
                Note("taken after a wait");
                return 0;
            }

            // Until enough of them came close together, and the loop has a thread of its own that waits in Read.
            return Packet(buffer, offset);
        }

        public int Read(byte[] buffer, int offset, int count, int milliseconds)
        {
            bool again = Seen.Count > 0 && Seen[Seen.Count - 1] == "nothing";
            Seen.RemoveAll(what => what == "nothing");
            Note(again ? "read again" : "read");
            if (Seen.Count is 4 or 6 or 7)
            {
                if (!again)
                {
                    Seen.Add("nothing");
                }

                return -1;
            }

            return Packet(buffer, offset);
        }

        public ValueTask WaitAsync()
        {
            Note("wait");
            _waits++;
            return default;
        }

        public ValueTask<int> ReadAsync(byte[] buffer, int offset, int count) => throw new NotSupportedException();


        public void Write(byte[] buffer, int offset, int count) => throw new NotSupportedException();

        public void CompleteWriting()
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
