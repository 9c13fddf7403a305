using System;
using System.Buffers;
using BenchmarkDotNet.Attributes;

namespace Transport.Benchmarks;

/// <summary>From a frame that was cut to the handler: the check that the body is one value, the search for the handler, its call. Times are
/// a packet's of 256 bytes.</summary>
[MemoryDiagnoser]
public class RouterBenchmark
{
    private const int Packets = 1000;
    private const int Raw = 1024;
    private const int Typed = 1025;

    private readonly byte[] _body = new byte[256];
    private readonly PacketRouter _router = new();
    private long _bytes;

    [GlobalSetup]
    public void Fill()
    {
        _body[0] = 0xc4;
        _body[1] = 254;
        _router.OnRaw(Raw, p => _bytes += p.Body.Length);
        _router.On(new PacketType<int>(Typed, "Length", new LengthFormatter()), (length, _) => _bytes += length);
        for (ushort type = 2000; type < 2030; type++)
        {
            _router.OnRaw(type, _ => { });   // a router has some thirty types
        }
    }

    [Benchmark(Baseline = true, OperationsPerInvoke = Packets)]
    public long CheckOnly()
    {
        for (int i = 0; i < Packets; i++)
        {
            MessagePackValue.Check(_body);
        }

        return _bytes;
    }

    [Benchmark(OperationsPerInvoke = Packets)]
    public long RawHandler() => Route(Raw);

    [Benchmark(OperationsPerInvoke = Packets)]
    public long TypedHandler() => Route(Typed);

    private long Route(ushort type)
    {
        for (int i = 0; i < Packets; i++)
        {
            MessagePackValue.Check(_body);
            if (!_router.Find(type)!.HandleAsync(new RawPacket(type, Lane.Normal, _body)).IsCompletedSuccessfully)
            {
                throw new InvalidOperationException("These handlers finish at once.");
            }
        }

        return _bytes;
    }

    private sealed class LengthFormatter : IPacketFormatter<int>
    {
        public void Write(IBufferWriter<byte> output, int packet) => throw new NotSupportedException();

        public int Read(in ReadOnlySequence<byte> body) => new PacketReader(body).ReadBin().Length;
    }
}
