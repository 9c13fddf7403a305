using System;

namespace Transport.Logging;

/// <summary>One line that a process wrote, or a piece of a very long one: packet type 257 of PROTOCOL.md. Immutable once made.</summary>
public sealed class OutputPacket : IPacket<OutputPacket>
{
    /// <summary>Gets type 257, a line of output; normal lane, so that it keeps its place among the events.</summary>
    public static PacketType<OutputPacket> PacketType { get; } =
        new(257, "Output", new OutputPacketFormatter(), usesTables: true, validatesBody: true);

    PacketType<OutputPacket> IPacket<OutputPacket>.PacketType => PacketType;

    /// <summary>Gets when it was read. Travels as UTC with a resolution of 100 ns.</summary>
    public required DateTimeOffset Time { get; init; }

    /// <summary>Gets the stream.</summary>
    public required OutputStream Stream { get; init; }

    /// <summary>Gets the text, without line end.</summary>
    public required string Text { get; init; }

    /// <summary>Gets a value indicating whether the line goes on in the next packet of the same stream; false: it ended here.</summary>
    public bool IsPartial { get; init; }

    /// <summary>Gets where the line belongs (numbers that sender and receiver agree on), or null. Not copied: leave the array
    /// alone.</summary>
    public int[]? Context { get; init; }

    /// <inheritdoc/>
    public override string ToString() => $"{Stream}: {Text}";
}
