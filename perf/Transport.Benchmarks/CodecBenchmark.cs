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
    private byte[][] _packed = [];
    private byte[][] _hand = [];

    [GlobalSetup]
    public void Encode()
    {
        _packed = _events.Select(e =>
        {
            // The same large buffer: the JIT learns from this loop, and what it learns must be the usual road.
            _output.ResetWrittenCount();
            Write(_output, e);
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
            Write(_output, e);
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
            length += Read(bytes).Message.Length;
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

    private static void Write(IBufferWriter<byte> output, BuildEvent e)
    {
        var w = new MessagePackWriter(output);
        w.WriteArrayHeader(7);
        w.WriteInt(e.Id);
        w.WriteInt(e.Ticks);
        w.WriteInt(e.Importance);
        w.WriteInt(e.Project);
        w.WriteInt(e.Target);
        w.WriteString(e.Sender);
        w.WriteString(e.Message);
        w.Flush();
    }

    private static BuildEvent Read(ReadOnlySpan<byte> body)
    {
        var r = new MessagePackReader(body);
        int count = r.ReadArrayHeader(atLeast: 7);
        var e = new BuildEvent(r.ReadInt64(), r.ReadInt64(), r.ReadInt32(), r.ReadInt32(), r.ReadInt32(), r.ReadRequiredString(), r.ReadRequiredString());
        r.Skip(count - 7);
        return e;
    }
}
