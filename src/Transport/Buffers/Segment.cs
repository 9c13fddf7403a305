using System;

namespace Transport;

/// <summary>A pooled piece of memory: the unit that is pooled, queued, written and owned. Many small packets share one.</summary>
/// <remarks>Not for concurrent use: ownership passes on, and <see cref="State"/> says who has it.</remarks>
/// <param name="array">The bytes.</param>
/// <param name="requested">How many of them were asked for; 0: all.</param>
/// <param name="owner">What the source of the bytes needs to take them back.</param>
internal sealed class Segment(byte[] array, int requested = 0, object? owner = null)
{
    /// <summary>Gets the bytes.</summary>
    public byte[] Array { get; } = array;

    /// <summary>Gets what the source of the bytes needs to take them back.</summary>
    public object? Owner => owner;

    /// <summary>Gets the size of <see cref="Array"/>: what the memory costs, and how much fits.</summary>
    public int Capacity => Array.Length;

    /// <summary>Gets the size that was asked for; a source that the application gave may have given more.</summary>
    public int Requested { get; } = requested == 0 ? array.Length : requested;

    /// <summary>Gets or sets how many bytes, from the first on, are filled.</summary>
    public int Used { get; set; }

    /// <summary>Gets or sets how many packets of lanes 1 to 3 have their last frame in here.</summary>
    public int PacketsEnding { get; set; }

    /// <summary>Gets or sets the lane it was filled by (0 to 3), set when the send loop takes it.</summary>
    public int Lane { get; set; }

    /// <summary>Gets the owner's kind.</summary>
    public SegmentState State { get; private set; }

    /// <summary>Passes the segment on.</summary>
    /// <param name="from">The state it must be in.</param>
    /// <param name="to">The state it is in afterwards.</param>
    /// <exception cref="InvalidOperationException">It is in another state: two owners, a defect of this library.</exception>
    public void Pass(SegmentState from, SegmentState to)
    {
        if (State != from)
        {
            throw new InvalidOperationException($"A segment of {Capacity} bytes should be {from} to become {to}, but is {State}.");
        }

        State = to;
    }

    /// <summary>Takes the segment back from any owner.</summary>
    /// <exception cref="InvalidOperationException">It is in the pool already: given back twice.</exception>
    public void GiveBack()
    {
        if (State == SegmentState.Pooled)
        {
            throw new InvalidOperationException($"A segment of {Capacity} bytes was given back twice.");
        }

        State = SegmentState.Pooled;
        Used = 0;
        PacketsEnding = 0;
    }
}
