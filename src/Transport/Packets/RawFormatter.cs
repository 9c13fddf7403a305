using System;
using System.Buffers;

namespace Transport;

/// <summary>Passes a body on as the bytes that it is.</summary>
internal sealed class RawFormatter : IPacketFormatter<byte[]>
{
    /// <summary>Gets the one there is.</summary>
    public static RawFormatter Instance { get; } = new();

    /// <inheritdoc/>
    public void Write(IBufferWriter<byte> output, byte[] packet) => output.Write(packet);

    /// <inheritdoc/>
    public byte[] Read(in ReadOnlySequence<byte> body) => body.ToArray();
}
