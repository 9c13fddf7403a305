using System;
using System.Buffers;
using BenchmarkDotNet.Attributes;
using BenchmarkDotNet.Configs;
using MessagePack;

namespace Transport.Benchmarks;

/// <summary>A type of MessagePack-CSharp through MessagePackPacket, beside the calls of its serializer that a program would make itself:
/// into a plain buffer, and into the segment of a lane; and out of a body.</summary>
[MemoryDiagnoser]
[GroupBenchmarksBy(BenchmarkLogicalGroupRule.ByCategory)]
[CategoriesColumn]
public class MessagePackBenchmark
{
    private const int Packets = 100;

    private static readonly MessagePackSerializerOptions Untrusted =
        MessagePackSerializerOptions.Standard.WithSecurity(MessagePackSecurity.UntrustedData);

    private readonly ArrayBufferWriter<byte> _output = new(64 << 10);
    private readonly PacketType<CodedEvent> _type = MessagePackPacket.Of<CodedEvent>(1024);
    private readonly CodedEvent _event = new()
    {
        Id = 70_001, Ticks = 638_000_000_000_000_000, Importance = 1, Project = 17, Target = 4711, Sender = "Microsoft.NET.Sdk",
        Message = "Copying file from \"obj/Release/net10.0/Library17.dll\" to \"bin/Release/net10.0/Library17.dll\", because it is newer.",
    };

    private byte[] _body = [];
    private SendQueue _queue = null!;

    [GlobalSetup]
    public void Open()
    {
        _body = MessagePackSerializer.Serialize(_event);
        _queue = Queues.Make();
    }

    [Benchmark(Baseline = true, OperationsPerInvoke = Packets)]
    [BenchmarkCategory("write")]
    public long SerializerIntoBuffer()
    {
        _output.ResetWrittenCount();
        for (int i = 0; i < Packets; i++)
        {
            MessagePackSerializer.Serialize(_output, _event);
        }

        return _output.WrittenCount;
    }

    [Benchmark(OperationsPerInvoke = Packets)]
    [BenchmarkCategory("write")]
    public long PacketIntoBuffer()
    {
        _output.ResetWrittenCount();
        for (int i = 0; i < Packets; i++)
        {
            _type.Formatter.Write(_output, _event);
        }

        return _output.WrittenCount;
    }

    /// <summary>The whole way of a send: lock, budget, header, and the segment taken and given back.</summary>
    [Benchmark(OperationsPerInvoke = Packets)]
    [BenchmarkCategory("write")]
    public long PacketIntoLane()
    {
        for (int i = 0; i < Packets; i++)
        {
            _ = _queue.TrySend(new TypedBody<CodedEvent>(_type, _event), Lane.Normal, LanePolicy.Refuse);
        }

        long sum = 0;
        while (_queue.Take() is { } segment)
        {
            sum += segment.Used;
            _queue.Written(segment, 0);
        }

        return sum;
    }

    [Benchmark(Baseline = true)]
    [BenchmarkCategory("read")]
    public CodedEvent SerializerFromBody() => MessagePackSerializer.Deserialize<CodedEvent>(_body, Untrusted);

    /// <summary>What a link does to each body whose formatter does not check all of it.</summary>
    [Benchmark]
    [BenchmarkCategory("read")]
    public int ShapeOfBody()
    {
        var reader = new PacketReader(_body);
        reader.Skip();
        return reader.Consumed;
    }

    [Benchmark]
    [BenchmarkCategory("read")]
    public CodedEvent PacketFromBody() => _type.Formatter.Read(new ReadOnlySequence<byte>(_body));
}

/// <summary>The build event of the other benchmarks, as a type of MessagePack-CSharp.</summary>
[MessagePackObject]
public sealed class CodedEvent
{
    [Key(0)]
    public int Id { get; set; }

    [Key(1)]
    public long Ticks { get; set; }

    [Key(2)]
    public int Importance { get; set; }

    [Key(3)]
    public int Project { get; set; }

    [Key(4)]
    public int Target { get; set; }

    [Key(5)]
    public string Sender { get; set; } = string.Empty;

    [Key(6)]
    public string Message { get; set; } = string.Empty;
}
