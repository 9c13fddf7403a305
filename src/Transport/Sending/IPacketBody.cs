using System;

namespace Transport;

/// <summary>A packet on its way into a lane: an object that a formatter writes, or bytes. Implemented by structs, so that the queue's one
/// send is compiled for each of them.</summary>
internal interface IPacketBody
{
    /// <summary>Gets the packet's type.</summary>
    ushort Type { get; }

    /// <summary>Gets the body's bytes; 0 if they are known only when it is written.</summary>
    int KnownSize { get; }

    /// <summary>Gets the packet's log level; <see cref="PacketLevel.None"/> if it has none.</summary>
    PacketLevel Level { get; }

    /// <summary>Gets a value indicating whether the body may refer to the lane's tables.</summary>
    bool UsesTables { get; }

    /// <summary>Gets a value indicating whether somebody waits for the packet, so that no batch may hold it up.</summary>
    bool IsAwaited { get; }

    /// <summary>Writes the body; under the lane's lock.</summary>
    void WriteTo(FrameWriter frames);
}

/// <summary>An object that its type's formatter writes. Not generic: code that all classes share as type arguments looks its own up at each
/// step.</summary>
internal readonly struct ObjectBody(PacketType type, object packet) : IPacketBody
{
    /// <exception cref="System.ArgumentNullException"><paramref name="type"/> or <paramref name="packet"/> is null.</exception>
    public static ObjectBody Of(PacketType type, object? packet) =>
        new(ArgumentGuard.NotNull(type, nameof(type)), ArgumentGuard.NotNull(packet, nameof(packet)));

    public ushort Type => type.Id;

    public int KnownSize => 0;

    public PacketLevel Level => type.LevelOf(packet);

    public bool UsesTables => type.UsesTables;

    public bool IsAwaited => false;

    public void WriteTo(FrameWriter frames) => type.Write(frames, packet);
}

/// <summary>A value that its type's formatter writes, without a box around it.</summary>
internal readonly struct TypedBody<T>(PacketType<T> type, T packet) : IPacketBody
{
    public ushort Type => type.Id;

    public int KnownSize => 0;

    public PacketLevel Level => type.Level?.Invoke(packet) ?? PacketLevel.None;

    public bool UsesTables => type.UsesTables;

    public bool IsAwaited => false;

    public void WriteTo(FrameWriter frames) => type.Formatter.Write(frames, packet);
}

/// <summary>A packet of bytes that are kept while it waits.</summary>
internal readonly struct MemoryBody(ushort type, ReadOnlyMemory<byte> bytes) : IPacketBody
{
    public ushort Type => type;

    public int KnownSize => bytes.Length;

    public PacketLevel Level => PacketLevel.None;

    public bool UsesTables => false;

    public bool IsAwaited => RequestTypes.IsAwaited(type);

    public void WriteTo(FrameWriter frames) => frames.Copy(bytes.Span);
}

/// <summary>A packet of bytes that are pinned during the call.</summary>
internal readonly unsafe struct PinnedBody(ushort type, byte* bytes, int length) : IPacketBody
{
    public ushort Type => type;

    public int KnownSize => length;

    public PacketLevel Level => PacketLevel.None;

    public bool UsesTables => false;

    public bool IsAwaited => false;

    public void WriteTo(FrameWriter frames) => frames.Copy(new ReadOnlySpan<byte>(bytes, length));
}
