using System;
using System.Threading;
using System.Threading.Channels;

namespace Transport;

/// <summary>The segments of a lane: the open one, which packets are written into, and the full ones before it, in order.</summary>
/// <remarks>Under the lane's lock, but for what says otherwise.</remarks>
internal sealed class LaneSegments(SegmentPool pool)
{
    private Channel<Segment>? _full;   // made with the first full segment: an idle link has none, and it takes 1 KB a lane; fenced
    private int _nextSize = SegmentPool.Smallest;

    /// <summary>Gets or sets the segment that holds the complete packets not yet sealed; null: there is none. While a packet is written
    /// it may be gone: <see cref="FrameWriter"/> sets it again at the packet's end.</summary>
    public Segment? Open { get; set; }

    /// <summary>Gets or sets a value indicating whether a segment that is worth a write of its own was sealed since this was set to
    /// false.</summary>
    public bool HasLarge { get; set; }

    /// <summary>Gets a value indicating whether there is a full one. The send pump only.</summary>
    public bool HasFull => Volatile.Read(ref _full)?.Reader.TryPeek(out _) is true;

    /// <summary>Opens a segment that has capacity for the beginning of a packet, if the open one has not.</summary>
    /// <returns>The open one.</returns>
    public Segment OpenOne()
    {
        if (Open is not null && Open.Capacity - Open.Used < FrameHeader.Size + 32)
        {
            _nextSize = Math.Min(Open.Capacity * 2, SegmentPool.Largest);
            Seal(Open);
            Open = null;
        }

        return Open ??= pool.Rent(_nextSize);
    }

    /// <summary>Adds a full segment.</summary>
    public void Seal(Segment segment)
    {
        Channel<Segment> full = _full ?? Channel.CreateUnbounded<Segment>(new UnboundedChannelOptions { SingleReader = true });
        HasLarge |= segment.Capacity >= LaneQueue.MinEfficientWrite;
        segment.Pass(SegmentState.Writing, SegmentState.Sealed);
        full.Writer.TryWrite(segment);
        Volatile.Write(ref _full, full);
    }

    /// <summary>Takes the oldest full one. The send pump only; without the lock.</summary>
    public bool TryTakeFull(out Segment? segment)
    {
        segment = null;
        return Volatile.Read(ref _full)?.Reader.TryRead(out segment) is true;
    }

    /// <summary>Gives up the open segment, if it holds anything; the next packet opens another.</summary>
    /// <returns>The segment, sealed; null if it holds nothing.</returns>
    public Segment? TakeOpen()
    {
        if (Open is not { Used: > 0 } open)
        {
            return null;
        }

        // What a quiet lane needs is small; what a busy one filled while the last write was under way is a good guess for the next.
        _nextSize = open.Used > open.Capacity / 2 ? Math.Min(open.Capacity * 2, SegmentPool.Largest)
            : Math.Max(SegmentPool.Smallest, open.Capacity / 2);
        open.Pass(SegmentState.Writing, SegmentState.Sealed);
        Open = null;
        return open;
    }

    /// <summary>Returns the open segment to its pool. The lane takes nothing any more.</summary>
    public void Discard()
    {
        if (Open is not null)
        {
            pool.Return(Open);
            Open = null;
        }
    }
}
