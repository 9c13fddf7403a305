using System;

namespace Transport;

/// <summary>Gives the segments of a link or listener, and takes them back. Safe for any thread.</summary>
internal abstract class SegmentPool
{
    /// <summary>The smallest segment that is asked for, 4 KiB.</summary>
    public const int Smallest = 4 << 10;

    /// <summary>The largest segment that waits in a send queue, 256 KiB; larger ones only hold one large packet while it is put
    /// together.</summary>
    public const int Largest = 256 << 10;

    /// <summary>Gets how many segments are rented and not given back.</summary>
    public abstract long Out { get; }

    /// <summary>Gets how many rents found no kept segment, since the pool was made.</summary>
    public abstract long Misses { get; }

    /// <summary>Gets the bytes of the segments kept for reuse.</summary>
    public abstract long KeptBytes { get; }

    /// <summary>Rents a segment, <see cref="SegmentState.Writing"/> and empty; its old content is arbitrary.</summary>
    /// <param name="atLeast">The least capacity in bytes; up to 1 GiB.</param>
    /// <returns>The segment, owned by the caller.</returns>
    public abstract Segment Rent(int atLeast);

    /// <summary>Takes a segment back. The only way back, after the last use: for a sent one, after its write has completed.</summary>
    /// <param name="segment">The segment; nobody may touch it afterwards.</param>
    /// <exception cref="InvalidOperationException">It was given back already.</exception>
    public abstract void Return(Segment segment);

    /// <summary>Raises the events of misses. Not under a lock: a listener may log through the very link whose pool this is.</summary>
    public virtual void ReportMisses()
    {
    }

    /// <summary>Frees, of each size, the kept segments that nobody needed since the last call.</summary>
    public abstract void Trim();
}
