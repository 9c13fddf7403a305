using System;
using System.Buffers;
using Transport;

namespace BuildHarness.Replay;

/// <summary>Sends a recorded body as it is.</summary>
internal sealed class RawFormatter : IPacketFormatter<ReadOnlyMemory<byte>>
{
    public void Write(IBufferWriter<byte> output, ReadOnlyMemory<byte> packet) => output.Write(packet.Span);

    public ReadOnlyMemory<byte> Read(in ReadOnlySequence<byte> body) => body.ToArray();
}
