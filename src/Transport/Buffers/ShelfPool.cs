using System;
using System.Collections.Generic;
using System.Diagnostics.Tracing;

namespace Transport;

/// <summary>The library's own pool: segments by size, powers of two from 4 KiB; kept for reuse up to a limit in bytes.</summary>
/// <param name="keepBytes">The most that is kept.</param>
/// <remarks>
/// Private rather than ArrayPool.Shared, which allocates when rent and return happen on different threads (15-547 B a packet
/// measured) and on Mono does not keep 5 MB arrays at all. What an outlier took goes back with <see cref="Trim"/>: of each size
/// it frees what was not needed since the trim before.
/// </remarks>
internal sealed class ShelfPool(long keepBytes) : SegmentPool
{
    private const int Sizes = 19;

    private readonly object _lock = new();   // over all fields
    private readonly Shelf[] _shelves = CreateShelves();
    private readonly int[] _unreported = new int[Sizes];
    private long _keptBytes;
    private long _out;
    private long _misses;
    private bool _isReporting;

    // Written under the lock; senders look without it, once a packet: what one overlooks the next one reports.
    private volatile bool _hasUnreported;

    /// <inheritdoc/>
    public override long Out => Read(static pool => pool._out);

    /// <inheritdoc/>
    public override long Misses => Read(static pool => pool._misses);

    /// <inheritdoc/>
    public override long KeptBytes => Read(static pool => pool._keptBytes);

    /// <inheritdoc/>
    public override Segment Rent(int atLeast)
    {
        int index = ShelfOf(atLeast);
        Segment? segment = TryTake(index);
        if (segment is null)
        {
            segment = new Segment(new byte[Smallest << index]);
            NoteMiss(index);
        }

        segment.Pass(SegmentState.Pooled, SegmentState.Writing);
        return segment;
    }

    /// <inheritdoc/>
    public override void Return(Segment segment)
    {
        segment.GiveBack();
        lock (_lock)
        {
            _out--;
            if (_keptBytes + segment.Capacity <= keepBytes)
            {
                _keptBytes += segment.Capacity;
                _shelves[ShelfOf(segment.Capacity)].Kept.Push(segment);
            }
        }
    }

    /// <inheritdoc/>
    public override void ReportMisses()
    {
        if (!_hasUnreported || TakeUnreported() is not { } unreported)
        {
            return;
        }

        for (int i = 0; i < Sizes; i++)
        {
            for (int left = unreported[i]; left > 0; left--)
            {
                TransportEventSource.Log.PoolMissed(Smallest << i);
            }
        }

        lock (_lock)
        {
            _isReporting = false;
        }
    }

    /// <inheritdoc/>
    public override void Trim()
    {
        ReportMisses();
        lock (_lock)
        {
            foreach (Shelf shelf in _shelves)
            {
                for (int i = 0; i < shelf.LeastKept; i++)
                {
                    _keptBytes -= shelf.Kept.Pop().Capacity;
                }

                shelf.LeastKept = shelf.Kept.Count;
            }
        }
    }

    private long Read(Func<ShelfPool, long> count)
    {
        lock (_lock)
        {
            return count(this);
        }
    }

    private Segment? TryTake(int index)
    {
        lock (_lock)
        {
            Shelf shelf = _shelves[index];
            if (shelf.Kept.Count == 0)
            {
                return null;
            }

            Segment segment = shelf.Kept.Pop();
            shelf.LeastKept = Math.Min(shelf.LeastKept, shelf.Kept.Count);
            _keptBytes -= segment.Capacity;
            _out++;
            return segment;
        }
    }

    /// <summary>Counts a new segment. Segments are rented under lanes' locks, so the event waits for <see cref="ReportMisses"/>.</summary>
    private void NoteMiss(int index)
    {
        bool isReported = TransportEventSource.Log.IsEnabled(EventLevel.Verbose, EventKeywords.None);
        lock (_lock)
        {
            _misses++;
            _out++;
            if (isReported)
            {
                _unreported[index]++;
                _hasUnreported = true;
            }
        }
    }

    /// <summary>Takes the misses that are unreported; null if a listener that is being reported rents, and misses, itself.</summary>
    private int[]? TakeUnreported()
    {
        lock (_lock)
        {
            if (_isReporting)
            {
                return null;
            }

            int[] unreported = [.. _unreported];
            Array.Clear(_unreported, 0, Sizes);
            (_hasUnreported, _isReporting) = (false, true);
            return unreported;
        }
    }

    private static int ShelfOf(int size)
    {
        int index = 0;
        while (index < Sizes - 1 && (Smallest << index) < size)
        {
            index++;
        }

        return (Smallest << index) >= size
            ? index
            : throw new ArgumentOutOfRangeException(nameof(size), size, "A segment has at most 1 GiB.");
    }

    private static Shelf[] CreateShelves()
    {
        var shelves = new Shelf[Sizes];
        for (int i = 0; i < Sizes; i++)
        {
            shelves[i] = new Shelf();
        }

        return shelves;
    }

    private sealed class Shelf
    {
        public Stack<Segment> Kept { get; } = new();

        /// <summary>Gets or sets how many were always there since the last trim.</summary>
        public int LeastKept { get; set; }
    }
}
