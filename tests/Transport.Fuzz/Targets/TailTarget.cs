using System;
using System.Collections.Generic;
using System.Linq;
using System.Threading.Tasks;
using Transport.Fuzz.Inputs;

namespace Transport.Fuzz.Targets;

/// <summary>The reader of an exited worker's tail, alone and as the receive loop goes on with it: whatever stands in the file, what comes
/// is what docs/reference/tail-format.md says, and no other fault than the stream's own.</summary>
internal sealed class TailTarget : FuzzTarget
{
    private const int MaxPacket = 64 << 10;

    private static readonly TransportFault[] OfTheStream =
        [TransportFault.FrameCorrupt, TransportFault.PacketTooLarge, TransportFault.PacketMalformed];
    private readonly ShelfPool _pool = new(16 << 20);

    public override string Name => "tail";

    public override int Share => 20;

    public override IEnumerable<byte[]> Seeds()
    {
        byte[] small = Streams.Frame(2, 1024, [0xce, 0, 0, 0, 7]), words = Golden.Body("logevent.bin");
        byte[] log = Streams.Frame(2, 256, words), bulk = Streams.Frame(3, 1500, [0xc5, 0x0f, 0xff, .. new byte[4_095]]);
        byte[] urgent = Streams.Frame(1, 258, Golden.File("progress.bin"));
        byte[] tables = [.. Streams.Frame(2, 259, [0x92, 0x92, 1, 0xa3, 0x61, 0x62, 0x63, 0x92, 2, 0xa1, 0x78]),
            .. Streams.Frame(2, 575, [0x93, 0x92, 0xd4, 1, 1, 0xd4, 1, 2, 0x90, 0xc4, 0])];
        tables = [.. tables, .. Streams.Frame(2, 261, [0x91, 0xcd, 4, 9]), .. Streams.Frame(2, 1033, [0x91, 0xd4, 1, 2])];
        yield return TailScript.Valid(0, 0);
        yield return TailScript.Valid(0, 0, (Lane.Normal, false, false, small), (Lane.Normal, false, false, log),
            (Lane.Urgent, false, false, urgent), (Lane.Bulk, false, false, bulk));
        yield return TailScript.Valid(1, 255, (Lane.Normal, true, true, small), (Lane.Normal, true, false, log),
            (Lane.Normal, false, false, tables), (Lane.Normal, false, false, small));
        yield return TailScript.Valid(2, 254, [.. Enumerable.Range(0, 12)
            .Select(i => ((Lane)(1 + (i % 3)), i < 4, i < 3, (i % 3) switch { 0 => urgent, 1 => log, _ => bulk }))]);
        yield return [.. TailScript.Valid(0, 0, (Lane.Normal, false, false, small)), 0, 1, 31, 0, 4, 255, 0x20, 0, 0, 0, 0, 0, 0, 0x80];
        foreach (byte[] line in Golden.Of(Name))
        {
            yield return line;
        }
    }

    public override ulong Run(byte[] input)
    {
        var script = new TailScript(input);
        ulong print = Compare(script.File, input);
        byte[] file = (byte[])script.File.Clone();
        ReceiveSink sink = Receive(script, input);
        FuzzFailure.Unless(file.AsSpan().SequenceEqual(script.File), "what is read was changed");
        return (print * 31) ^ sink.Print;
    }

    /// <summary>The reader alone, from several places of the lane's stream.</summary>
    private static ulong Compare(byte[] file, byte[] input)
    {
        var random = Prng.Of(input);
        ulong print = 0;
        for (Lane lane = Lane.Urgent; lane <= Lane.Bulk; lane++)
        {
            foreach (long received in (long[])[0, random.Below(200), long.MaxValue])
            {
                Allocation allocation = Allocation.Begin();
                var tail = TailReader.Open(file, out string? unusable);
                if (tail is null)
                {
                    FuzzFailure.Unless(unusable is { Length: > 0 and < 300 } || BitConverter.ToInt64(file, 0) == 0,
                        "what cannot be used is not reported");
                    FuzzFailure.Unless(BitConverter.ToInt64(file, 0) != TailLayout.Magic, "a tail is not taken for one");
                    return 7;
                }

                byte[] frames = tail.Continuation(lane, received, out string problem);
                allocation.Check(input.Length, "reading a tail");
                FuzzFailure.Unless(frames.AsSpan().SequenceEqual(PlainTail.Continuation(file, lane, received)),
                    $"lane {lane} from {received}: {frames.Length} bytes, docs/reference/tail-format.md reads others");
                FuzzFailure.Unless(problem.Length < 200, "a long problem");
                long committed = tail.Committed(lane, received);
                FuzzFailure.Unless(committed >= received, $"{committed} packets were committed of {received} received");
                print = (print * 31) + (ulong)Math.Min(8, frames.Length / 16) + (problem.Length == 0 ? 0 : Fingerprint.OfShape(problem));
            }
        }

        return print;
    }

    private ReceiveSink Receive(TailScript script, byte[] input)
    {
        var sink = new ReceiveSink();
        var wire = new ScriptWire(script.Stream, Chunks.Random(input, 7));
        var tables = new LaneTables(new TableCaps(true, true, true), MaxPacket);
        var counters = new LinkCounters();
        var loop = new ReceivePump(wire, _pool, sink, counters, TimeProvider.System,
            new PacketDispatcher(sink, _pool, counters, MaxPacket, tables));
        var tail = new TailReplay(() => Task.FromResult<TailContent?>(new TailContent(script.File, null)),
            new TaskCompletionSource<bool>().Task);
        loop.Packets.Open(Packetry.Router(sink.OnPacket, sink.OnRaw), gate: null);
        sink.Replays = () => loop.Packets.PeerSent is null;
        Allocation allocation = Allocation.Begin();
        TransportException? fault = Faults.Of(OfTheStream, () =>
        {
            loop.Run([], tail);
        });
        allocation.Check(input.Length * 4L, "receiving with a tail", (sink.ExpandedBytes * 4) + (3L * SegmentPool.Largest));
        FuzzFailure.Unless(_pool.Out == 0, $"{_pool.Out} segments were not given back");
        if (tail.Report is { } report)
        {
            FuzzFailure.Unless(fault is null, $"the stream's fault came after its tail: {fault?.Message}");
            FuzzFailure.Unless(report.Packets >= 0 && report.Packets <= loop.Packets.Handled && report.Lost is null or >= 0,
                $"{report}, of {loop.Packets.Handled} handled");
            FuzzFailure.Unless(report.Problem is null || report.Problem.Length is > 10 and < 4_000, $"says {report.Problem}");
        }

        sink.End(fault, sink.Inside, loop.Packets.Handled);
        return sink;
    }
}
