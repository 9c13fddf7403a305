using System;

namespace Transport.Files;

/// <summary>Bytes of one file that wait for a writer: a pooled segment, or the caller's own memory.</summary>
internal readonly struct Chunk
{
    /// <summary>Initializes a new instance of the <see cref="Chunk"/> struct with a pooled segment.</summary>
    /// <param name="segment">The segment, charged to the budget.</param>
    public Chunk(Segment segment) => Segment = segment;

    /// <summary>Initializes a new instance of the <see cref="Chunk"/> struct with the caller's memory.</summary>
    /// <param name="lent">The memory.</param>
    public Chunk(LentMemory lent) => Lent = lent;

    /// <summary>Gets the segment, or null.</summary>
    public Segment? Segment { get; }

    /// <summary>Gets the caller's memory, or null.</summary>
    public LentMemory? Lent { get; }

    /// <summary>Gets the bytes.</summary>
    public ReadOnlySpan<byte> Bytes => Segment is null ? Lent!.Bytes.Span : Segment.Array.AsSpan(0, Segment.Used);
}
