using System;
using BenchmarkDotNet.Attributes;

namespace Transport.Benchmarks;

/// <summary>A packet of 256 bytes into the lane's open segment, header and all, without lock or budget; full segments go straight back to
/// the pool. Times are a packet's.</summary>
[MemoryDiagnoser]
public class SegmentBenchmark
{
    private const int Packets = 1000;
    private const int Type = 1024;

    private readonly byte[] _body = new byte[256];
    private readonly byte[] _plain = new byte[SegmentPool.Largest];
    private readonly ShelfPool _pool = new(16 << 20);
    private readonly LaneSegments _segments;
    private readonly FrameWriter _frames;

    public SegmentBenchmark()
    {
        _segments = new LaneSegments(_pool);
        _frames = new FrameWriter(_pool, Lane.Normal, _segments, new DropLedger(Lane.Normal));
    }

    [Benchmark(Baseline = true, OperationsPerInvoke = Packets)]
    public int CopyOnly()
    {
        int at = 0;
        for (int i = 0; i < Packets; i++)
        {
            at = at + _body.Length > _plain.Length ? 0 : at;
            _body.AsSpan().CopyTo(_plain.AsSpan(at));
            at += _body.Length;
        }

        return at;
    }

    [Benchmark(OperationsPerInvoke = Packets)]
    public long Append()
    {
        long bytes = 0;
        for (int i = 0; i < Packets; i++)
        {
            _frames.Begin(Type, FrameHeader.MaxBody);
            _body.AsSpan().CopyTo(_frames.GetSpan(_body.Length));
            _frames.Advance(_body.Length);
            bytes += _frames.End(packets: 1);
            if (_segments.TryTakeFull(out Segment? full))
            {
                full!.Pass(SegmentState.Sealed, SegmentState.InFlight);
                _pool.Return(full);
            }
        }

        return bytes;
    }

    [Benchmark(OperationsPerInvoke = Packets)]
    public long RentAndReturn()
    {
        long sum = 0;
        for (int i = 0; i < Packets; i++)
        {
            Segment segment = _pool.Rent(256);
            sum += segment.Capacity;
            _pool.Return(segment);
        }

        return sum;
    }
}
