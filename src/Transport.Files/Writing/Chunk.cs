using System;
using System.Threading.Tasks;

namespace Transport.Files;

/// <summary>
/// Bytes of one file that wait for a writer: a pooled segment, or the caller's own memory until <see cref="Lender"/> is completed.
/// </summary>
internal readonly struct Chunk
{
    /// <summary>Initializes a new instance of the <see cref="Chunk"/> struct with a pooled segment.</summary>
    /// <param name="segment">The segment, charged to the budget.</param>
    public Chunk(Segment segment)
    {
        Segment = segment;
        Charge = segment.Capacity;
    }

    /// <summary>Initializes a new instance of the <see cref="Chunk"/> struct with the caller's memory.</summary>
    /// <param name="lent">The memory.</param>
    /// <param name="lender">What is completed when the memory is the caller's again.</param>
    public Chunk(ReadOnlyMemory<byte> lent, TaskCompletionSource<bool> lender)
    {
        Lent = lent;
        Lender = lender;
    }

    /// <summary>Gets the segment, or null.</summary>
    public Segment? Segment { get; }

    /// <summary>Gets the caller's memory.</summary>
    public ReadOnlyMemory<byte> Lent { get; }

    /// <summary>Gets what is completed when the memory is the caller's again, or null.</summary>
    public TaskCompletionSource<bool>? Lender { get; }

    /// <summary>Gets the bytes charged to the budget. Lent memory is not charged, because its caller waits.</summary>
    public long Charge { get; }

    /// <summary>Gets the bytes.</summary>
    public ReadOnlySpan<byte> Bytes => Segment is null ? Lent.Span : Segment.Array.AsSpan(0, Segment.Used);
}
