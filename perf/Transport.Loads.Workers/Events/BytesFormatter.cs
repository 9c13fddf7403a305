using System;
using System.Buffers;

namespace Transport.Loads.Events;

/// <summary>A packet that is one MessagePack value already, for the ways in that take packets only.</summary>
internal sealed class BytesFormatter : IPacketFormatter<ReadOnlyMemory<byte>>
{
    public void Write(IBufferWriter<byte> output, ReadOnlyMemory<byte> packet) => output.Write(packet.Span);

    public ReadOnlyMemory<byte> Read(in ReadOnlySequence<byte> body) => body.ToArray();
}
