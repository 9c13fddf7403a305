using System;
using System.Buffers;
using System.Linq;
using BenchmarkDotNet.Attributes;
using BenchmarkDotNet.Configs;

namespace Transport.Benchmarks;

/// <summary>One log event of about 252 bytes: MessagePack against the hand-written floor of the same run. Times and bytes are an
/// event's.</summary>
/// <remarks>
/// Both write the same fields into the same buffer through <see cref="IBufferWriter{T}"/>, and read them with every length checked. The
/// events are so many, and in such an order, that no branch predictor learns them by heart. On a machine that is not quiet use the loads'
/// scenario <c>codec</c>, which takes turns between the two within a millisecond.
/// </remarks>
[MemoryDiagnoser]
[GroupBenchmarksBy(BenchmarkLogicalGroupRule.ByCategory)]
[CategoriesColumn]
public class CodecBenchmark
{
    private const int Events = 4096;

    private readonly BuildEvent[] _events = BuildEvent.Make(Events);
    private readonly ArrayBufferWriter<byte> _output = new(4 << 20);
    private readonly IPacketFormatter<BuildEvent> _formatter = new HandFormatter();
    private readonly IPacketFormatter<BuildEvent> _generated = BuildEvent.PacketType.Formatter;
    private byte[][] _packed = [];
    private byte[][] _hand = [];

    [GlobalSetup]
    public void Encode()
    {
        // One large buffer: the JIT learns from these loops, and what it learns must be the usual path.
        _packed = [.. _events.Select(e => Bytes(e, _formatter.Write))];
        _hand = [.. _events.Select(e => Bytes(e, HandWritten.Write))];
        Console.WriteLine($"// bytes an event: MessagePack {_packed.Average(b => b.Length):f0}, by hand {_hand.Average(b => b.Length):f0}");
    }

    [Benchmark(Baseline = true, OperationsPerInvoke = Events)]
    [BenchmarkCategory("encode")]
    public int EncodeByHand()
    {
        _output.ResetWrittenCount();
        foreach (BuildEvent e in _events)
        {
            HandWritten.Write(_output, e);
        }

        return _output.WrittenCount;
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

    private byte[] Bytes(BuildEvent e, Action<IBufferWriter<byte>, BuildEvent> write)
    {
        _output.ResetWrittenCount();
        write(_output, e);
        return _output.WrittenSpan.ToArray();
    }
}
