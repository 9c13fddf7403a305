using System;
using System.Collections.Generic;
using System.Diagnostics.Tracing;
using System.Threading;

namespace Transport;

/// <summary>Segments by size, powers of two from 4 KiB; kept for reuse up to a limit in bytes. Safe for any thread.</summary>
/// <remarks>
/// Private rather than ArrayPool.Shared, which allocates when rent and return happen on different threads (15-547 B a packet
/// measured) and on Mono does not keep 5 MB arrays at all. What an outlier took goes back with <see cref="Trim"/>: of each size
/// it frees what was not needed since the trim before.
/// </remarks>
internal class SegmentPool(long keepBytes)
{
    /// <summary>The smallest segment, 4 KiB.</summary>
    public const int Smallest = 4 << 10;

    /// <summary>The largest segment that waits in a send queue, 256 KiB; larger ones only hold one large packet while it is put
    /// together.</summary>
    public const int Largest = 256 << 10;

    private const int Sizes = 19;
    private readonly Shelf[] _shelves = CreateShelves();
    private readonly int[] _untoldBySize = new int[Sizes];
    private long _keptBytes;
    private long _out;
    private long _misses;
    private int _untold;
    private int _telling;

    /// <summary>Gets how many segments are rented and not given back.</summary>
    public long Out => Volatile.Read(ref _out);

    /// <summary>Gets how many rents found no kept segment, since the pool was made.</summary>
    public long Misses => Volatile.Read(ref _misses);

    /// <summary>Gets the bytes of the segments kept for reuse.</summary>
    public long KeptBytes => Volatile.Read(ref _keptBytes);

    /// <summary>Rents a segment, <see cref="SegmentState.Writing"/> and empty; its old content is arbitrary.</summary>
    /// <param name="atLeast">The least capacity in bytes; up to 1 GiB.</param>
    /// <returns>The segment, owned by the caller.</returns>
    public virtual Segment Rent(int atLeast)
    {
        int index = ShelfOf(atLeast);
        Segment? segment = _shelves[index].Take();
        if (segment is null)
        {
            Interlocked.Increment(ref _misses);
            NoteMiss(index);
            segment = new Segment(new byte[Smallest << index]);
        }
        else
        {
            Interlocked.Add(ref _keptBytes, -segment.Capacity);
        }

        Interlocked.Increment(ref _out);   // now that there is memory for it
        segment.Pass(SegmentState.Pooled, SegmentState.Writing);
        return segment;
    }

    /// <summary>Takes a segment back. The only way back, after the last use: for a sent one, after its write has completed.</summary>
    /// <param name="segment">The segment; nobody may touch it afterwards.</param>
    /// <exception cref="InvalidOperationException">It was given back already.</exception>
    public virtual void Return(Segment segment)
    {
        segment.GiveBack();
        Interlocked.Decrement(ref _out);
        if (Interlocked.Add(ref _keptBytes, segment.Capacity) <= keepBytes)
        {
            _shelves[ShelfOf(segment.Capacity)].Put(segment);
        }
        else
        {
            Interlocked.Add(ref _keptBytes, -segment.Capacity);
        }
    }

    /// <summary>Raises the events of misses. Not under a lock: whoever listens may log through the very link whose pool this is.</summary>
    public void TellMisses()
    {
        if (Volatile.Read(ref _untold) == 0 || Interlocked.Exchange(ref _telling, 1) != 0)
        {
            return;
        }

        Volatile.Write(ref _untold, 0);
        for (int i = 0; i < Sizes; i++)
        {
            for (int left = Interlocked.Exchange(ref _untoldBySize[i], 0); left > 0; left--)
            {
                TransportEventSource.Log.PoolMissed(Smallest << i);
            }
        }

        Volatile.Write(ref _telling, 0);
    }

    /// <summary>Frees, of each size, the kept segments that nobody needed since the last call.</summary>
    public void Trim()
    {
        TellMisses();
        foreach (Shelf shelf in _shelves)
        {
            Interlocked.Add(ref _keptBytes, -shelf.Trim());
        }
    }

    /// <summary>Segments are rented under lanes' locks, so the event waits for <see cref="TellMisses"/>.</summary>
    private void NoteMiss(int index)
    {
        if (TransportEventSource.Log.IsEnabled(EventLevel.Verbose, EventKeywords.None))
        {
            Interlocked.Increment(ref _untoldBySize[index]);
            Volatile.Write(ref _untold, 1);
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
        private readonly Stack<Segment> _kept = new();
        private int _leastKept;

        public Segment? Take()
        {
            lock (_kept)
            {
                if (_kept.Count == 0)
                {
                    return null;
                }

                Segment segment = _kept.Pop();
                _leastKept = Math.Min(_leastKept, _kept.Count);
                return segment;
            }
        }

        public void Put(Segment segment)
        {
            lock (_kept)
            {
                _kept.Push(segment);
            }
        }

        public long Trim()
        {
            long freed = 0;
            lock (_kept)
            {
                for (int i = 0; i < _leastKept; i++)
                {
                    freed += _kept.Pop().Capacity;
                }

                _leastKept = _kept.Count;
            }

            return freed;
        }
    }
}
