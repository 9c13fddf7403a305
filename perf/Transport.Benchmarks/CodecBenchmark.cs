using System;
using System.Buffers;
using System.Linq;
using BenchmarkDotNet.Attributes;
using BenchmarkDotNet.Configs;
using Transport.Packets;

namespace Transport.Benchmarks;

/// <summary>One log event of about 252 bytes: MessagePack against the hand-written floor of the same run. Times and bytes are an event's.</summary>
[MemoryDiagnoser]
[GroupBenchmarksBy(BenchmarkLogicalGroupRule.ByCategory)]
[CategoriesColumn]
public class CodecBenchmark
{
    private const int Events = 256;

    private readonly BuildEvent[] _events = BuildEvent.Make(Events);
    private readonly ArrayBufferWriter<byte> _output = new(1 << 20);
    private readonly byte[] _fixed = new byte[1 << 20];
    private readonly IPacketFormatter<BuildEvent> _formatter = new HandFormatter();
    private readonly IPacketFormatter<BuildEvent> _generated = BuildEvent.PacketType.Formatter;
    private byte[][] _packed = [];
    private byte[][] _hand = [];

    [GlobalSetup]
    public void Encode()
    {
        _packed = _events.Select(e =>
        {
            // The same large buffer: the JIT learns from this loop, and what it learns must be the usual road.
            _output.ResetWrittenCount();
            _formatter.Write(_output, e);
            return _output.WrittenSpan.ToArray();
        }).ToArray();
        _hand = _events.Select(e => _fixed.AsSpan(0, HandWritten.Write(_fixed, e)).ToArray()).ToArray();
        Console.WriteLine($"// bytes an event: MessagePack {_packed.Average(b => b.Length):f0}, by hand {_hand.Average(b => b.Length):f0}");
    }

    [Benchmark(Baseline = true, OperationsPerInvoke = Events)]
    [BenchmarkCategory("encode")]
    public int EncodeByHand()
    {
        int at = 0;
        foreach (BuildEvent e in _events)
        {
            at += HandWritten.Write(_fixed.AsSpan(at), e);
        }

        return at;
    }

    [Benchmark(OperationsPerInvoke = Events)]
    [BenchmarkCategory("encode")]
    public int EncodeMessagePack()
    {
        _output.ResetWrittenCount();
        foreach (BuildEvent e in _events)
        {
            _formatter.Write(_output, e);
        }

        return _output.WrittenCount;
    }

    [Benchmark(OperationsPerInvoke = Events)]
    [BenchmarkCategory("encode")]
    public int EncodeGenerated()
    {
        _output.ResetWrittenCount();
        foreach (BuildEvent e in _events)
        {
            _generated.Write(_output, e);
        }

        return _output.WrittenCount;
    }

    [Benchmark(Baseline = true, OperationsPerInvoke = Events)]
    [BenchmarkCategory("decode")]
    public int DecodeByHand()
    {
        int length = 0;
        foreach (byte[] bytes in _hand)
        {
            length += HandWritten.Read(bytes).Message.Length;
        }

        return length;
    }

    [Benchmark(OperationsPerInvoke = Events)]
    [BenchmarkCategory("decode")]
    public int DecodeMessagePack()
    {
        int length = 0;
        foreach (byte[] bytes in _packed)
        {
            length += _formatter.Read(new ReadOnlySequence<byte>(bytes)).Message.Length;
        }

        return length;
    }

    [Benchmark(OperationsPerInvoke = Events)]
    [BenchmarkCategory("decode")]
    public int DecodeGenerated()
    {
        int length = 0;
        foreach (byte[] bytes in _packed)
        {
            length += _generated.Read(new ReadOnlySequence<byte>(bytes)).Message.Length;
        }

        return length;
    }

    [Benchmark(OperationsPerInvoke = Events)]
    [BenchmarkCategory("check")]
    public void CheckMessagePack()
    {
        foreach (byte[] bytes in _packed)
        {
            MessagePackValue.Check(bytes);
        }
    }
}
