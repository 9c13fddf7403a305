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

    /// <inheritdoc/>
    public override long Misses => source.Statistics.Misses;

    /// <inheritdoc/>
    public override long KeptBytes => source.Statistics.KeptBytes;

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
