using System;

namespace Transport;

/// <summary>Segments over the memory of a source that the application gave.</summary>
/// <param name="source">The source; used by others too.</param>
internal sealed class SourcePool(IBufferSource source) : SegmentPool
{
    private readonly object _lock = new();   // over the count
    private long _out;

    /// <inheritdoc/>
    public override long Out
    {
        get
        {
            lock (_lock)
            {
                return _out;
            }
        }
    }

    /// <summary>Gets 0: what the source allocates, and keeps, only the source knows.</summary>
    public override long Misses => 0;

    /// <inheritdoc cref="Misses"/>
    public override long KeptBytes => 0;

    /// <inheritdoc/>
    public override Segment Rent(int atLeast)
    {
        int wanted = Math.Max(atLeast, Smallest);
        RentedBuffer buffer = source.Rent(wanted);
        if (buffer.Array is null || buffer.Array.Length < wanted)
        {
            int given = buffer.Array?.Length ?? 0;
            if (buffer.Array is not null)
            {
                source.Return(buffer);
            }

            throw new InvalidOperationException(
                $"{source.GetType()} was asked for {wanted} bytes and gave {given} (LinkOptions.Buffers).");
        }

        var segment = new Segment(buffer.Array, wanted, buffer.Owner);
        segment.Pass(SegmentState.Pooled, SegmentState.Writing);
        Count(1);
        return segment;
    }

    /// <inheritdoc/>
    public override void Return(Segment segment)
    {
        segment.GiveBack();
        Count(-1);
        source.Return(new RentedBuffer(segment.Array, segment.Owner));
    }

    /// <inheritdoc/>
    public override void Trim() => source.Trim();

    private void Count(int change)
    {
        lock (_lock)
        {
            _out += change;
        }
    }
}
