using System;

namespace Transport.Logging;

/// <summary>How far a piece of work has come: packet type 258 of PROTOCOL.md. Immutable once made.</summary>
public sealed class ProgressPacket : IPacket<ProgressPacket>
{
    /// <summary>Gets type 258, progress; normal lane.</summary>
    public static PacketType<ProgressPacket> PacketType { get; } =
        new(258, "Progress", new ProgressPacketFormatter(), usesTables: true, validatesBody: true);

    PacketType<ProgressPacket> IPacket<ProgressPacket>.PacketType => PacketType;

    /// <summary>Gets when it was measured. Travels as UTC with a resolution of 100 ns.</summary>
    public required DateTimeOffset Time { get; init; }

    /// <summary>Gets the number of the piece of work; the sender's own.</summary>
    public required long Id { get; init; }

    /// <summary>Gets how much is done, in a unit of the sender's choice.</summary>
    public required long Done { get; init; }

    /// <summary>Gets how much there is in all, in the same unit; null if nobody knows.</summary>
    public long? Total { get; init; }

    /// <summary>Gets a text for people.</summary>
    public string Text { get; init; } = string.Empty;

    /// <inheritdoc/>
    public override string ToString() => Total is { } total ? $"{Id}: {Done}/{total} {Text}" : $"{Id}: {Done} {Text}";
}
