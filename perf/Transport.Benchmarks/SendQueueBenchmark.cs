using System.Buffers;
using BenchmarkDotNet.Attributes;

namespace Transport.Benchmarks;

/// <summary>The caller's side of a send without the wire: lock, budget, a packet of 256 bytes into the open segment, and the segments taken
/// and given back by a reader on the same thread. Times are a packet's.</summary>
[MemoryDiagnoser]
public class SendQueueBenchmark
{
    private const int Packets = 1000;

    private readonly byte[] _body = new byte[256];
    private readonly PacketType<byte[]> _type = new(1025, "Bytes", new BytesFormatter());
    private SendQueue _queue = null!;

    [GlobalSetup]
    public void Open()
    {
        _body[0] = 0xc4;
        _body[1] = 254;
        _queue = Queues.Make();
    }

    [Benchmark(Baseline = true, OperationsPerInvoke = Packets)]
    public long SendRaw()
    {
        for (int i = 0; i < Packets; i++)
        {
            _ = _queue.TrySend(new MemoryBody(1024, _body), Lane.Normal, LanePolicy.Refuse);
        }

        return Drain();
    }

    [Benchmark(OperationsPerInvoke = Packets)]
    public long SendTyped()
    {
        for (int i = 0; i < Packets; i++)
        {
            _ = _queue.TrySend(new TypedBody<byte[]>(_type, _body), Lane.Normal, LanePolicy.Refuse);
        }

        return Drain();
    }

    private long Drain()
    {
        long sum = 0;
        while (_queue.Take() is { } segment)
        {
            sum += segment.Used;
            _queue.Written(segment, 0);
        }

        return sum;
    }

    private sealed class BytesFormatter : IPacketFormatter<byte[]>
    {
        public void Write(IBufferWriter<byte> output, byte[] packet) => output.Write(packet);

        public byte[] Read(in ReadOnlySequence<byte> body) => body.ToArray();
    }
}
