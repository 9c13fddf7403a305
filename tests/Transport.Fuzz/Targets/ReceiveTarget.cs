using System;
using System.Collections.Generic;
using System.Threading;
using System.Threading.Tasks;
using Transport.Fuzz.Inputs;
using Transport.Testing.Buffers;

namespace Transport.Fuzz.Targets;

/// <summary>The receive loop with all it calls: the same packets and the same fault however the stream is cut, every buffer given
/// back.</summary>
internal sealed class ReceiveTarget : FuzzTarget
{
    private const int MaxPacket = 256 << 10;

    private static readonly TransportFault[] Allowed =
        [TransportFault.FrameCorrupt, TransportFault.PacketTooLarge, TransportFault.PacketMalformed];
    private SegmentPool _pool = new ShelfPool(64 << 20);

    public override string Name => "receive";

    public override int Share => 140;

    public override bool TakesFrames => true;

    public override IEnumerable<byte[]> Seeds() => [.. Streams.All(), .. Golden.Of(Name)];

    public override ulong Run(byte[] input)
    {
        _pool = _pool.Out == 0 ? _pool : new ShelfPool(64 << 20);
        ReceiveSink whole = Receive(input, Chunks.Whole, leftover: 0, _pool);
        ReceiveSink pieces = Receive(input, Chunks.Random(input, 4), leftover: input.Length == 0 ? 0
            : input[input.Length / 3] % input.Length, _pool);
        FuzzFailure.Unless(whole.Outcome == pieces.Outcome, $"in pieces: {pieces.Outcome}; whole: {whole.Outcome}");
        if (Prng.Of(input).OneIn(64))
        {
            var accusing = new AccusingPool();
            Receive(input, Chunks.Random(input, 5), leftover: 0, accusing);
            accusing.Judge("receiving");
        }

        return whole.Print;
    }

    private static ReceiveSink Receive(byte[] input, Chunks chunks, int leftover, SegmentPool pool)
    {
        var sink = new ReceiveSink();
        var wire = new ScriptWire(input.AsSpan(leftover).ToArray(), chunks);
        var counters = new LinkCounters();
        var tables = new LaneTables(new TableCaps(true, true, true), MaxPacket);
        var loop = new ReceivePump(wire, pool, sink, counters, TimeProvider.System,
            new PacketDispatcher(sink, pool, counters, MaxPacket, tables));
        loop.Packets.Open(Packetry.Router(sink.OnPacket, sink.OnRaw), gate: null);
        byte[] before = input.AsSpan(0, leftover).ToArray();
        Allocation allocation = Allocation.Begin();

        // What an asynchronous handler leaves in the context of its link's thread ends with that; here one thread is that of all links.
        TransportException? fault = Faults.Of(
            Allowed, () => ExecutionContext.Run(ExecutionContext.Capture()!, _ => loop.Run(before), null));

        // A packet that came whole may be asked for written out: those bytes are bounded by MaxPacket, not by the input. Each lane may hold
        // a block.
        allocation.Check(input.Length * 4L, "receiving", (sink.ExpandedBytes * 4) + (3L * SegmentPool.Largest));
        long held = pool is AccusingPool accusing ? accusing.Held : pool.Out;
        FuzzFailure.Unless(held == 0, $"{held} segments were not given back after {fault?.Message ?? "the end"}");
        sink.End(fault, sink.Inside, loop.Packets.Handled);
        return sink;
    }
}
