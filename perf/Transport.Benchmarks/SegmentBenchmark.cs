using BenchmarkDotNet.Attributes;
using Transport.Buffers;
using Transport.Diagnostics;
using Transport.Packets;
using Transport.Sending;

namespace Transport.Benchmarks;

/// <summary>The caller's side of a send without the wire: a packet of 256 bytes appended to the lane's open segment, and the segments taken and given back by a reader on the same thread.</summary>
[MemoryDiagnoser]
public class SegmentBenchmark
{
    private const int Packets = 1000;

    private readonly byte[] _body = new byte[256];
    private SegmentPool _pool = null!;
    private SendQueue _queue = null!;

    [GlobalSetup]
    public void Open()
    {
        _body[0] = 0xc4;
        _body[1] = 254;
        _pool = new SegmentPool(16 << 20);
        _queue = new SendQueue(_pool, 64 << 20, LanePolicy.Refuse, LanePolicy.Refuse, LanePolicy.Refuse, new LinkCounters(), static () => { });
    }

    [Benchmark(Baseline = true, OperationsPerInvoke = Packets)]
    public long RentAndReturnOnly()
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

    [Benchmark(OperationsPerInvoke = Packets)]
    public long AppendAndTake()
    {
        for (int i = 0; i < Packets; i++)
        {
            _queue.TrySendRaw(1024, _body, Lane.Normal, out _);
        }

        long sum = 0;
        while (_queue.Take() is { } segment)
        {
            sum += segment.Used;
            _queue.Written(segment, 0);
        }

        return sum;
    }
}
