using System;
using System.Threading.Tasks;

namespace Transport.Files;

/// <summary>Bytes of one file that wait for a writer: a segment of ours, or memory that the caller lends until <see cref="Lender"/> is told.</summary>
internal readonly struct Chunk
{
    public Chunk(Segment segment)
    {
        Segment = segment;
        Charge = segment.Capacity;
    }

    public Chunk(ReadOnlyMemory<byte> lent, TaskCompletionSource<bool> lender)
    {
        Lent = lent;
        Lender = lender;
    }

    public Segment? Segment { get; }

    public ReadOnlyMemory<byte> Lent { get; }

    public TaskCompletionSource<bool>? Lender { get; }

    /// <summary>Gets what it took of the budget. Lent memory takes none: it is the caller's, who waits.</summary>
    public long Charge { get; }

    public ReadOnlySpan<byte> Bytes => Segment is null ? Lent.Span : Segment.Array.AsSpan(0, Segment.Used);
}
