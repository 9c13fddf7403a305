using System;

namespace Transport;

/// <summary>The bytes that were read and not yet handled: a rented segment that grows while reads fill it, and shrinks when little
/// comes.</summary>
/// <remarks>Belongs to the receive thread.</remarks>
internal sealed class ReceiveWindow
{
    private readonly SegmentPool _pool;
    private Segment _segment;
    private int _wanted;   // how large it should be; a source that gives more than was asked for makes the array larger

    /// <param name="pool">Rents the segments.</param>
    /// <param name="first">Bytes that were read before; copied.</param>
    public ReceiveWindow(SegmentPool pool, byte[] first)
    {
        _pool = pool;
        _segment = pool.Rent(first.Length);
        _wanted = _segment.Requested;
        first.CopyTo(_segment.Array, 0);
        End = first.Length;
    }

    /// <summary>Gets the array; another one after <see cref="Keep"/> or <see cref="Shrink"/>.</summary>
    public byte[] Array => _segment.Array;

    /// <summary>Gets where the bytes that were read end.</summary>
    public int End { get; private set; }

    /// <summary>Gets how many bytes there is capacity for behind them.</summary>
    public int Capacity => _segment.Capacity - End;

    /// <summary>Gets a value indicating whether <see cref="Shrink"/> would change nothing.</summary>
    public bool IsSmall => _segment.Requested <= SegmentPool.Smallest;

    /// <summary>Notes bytes that were read into the capacity.</summary>
    public void Add(int count) => End += count;

    /// <summary>Keeps the bytes from <paramref name="start"/> on, at the beginning of the array: of a larger one if the last read filled
    /// this one, of a smaller one if little came.</summary>
    public void Keep(int start)
    {
        int left = End - start;
        if (End >= _wanted)
        {
            _wanted = Math.Min(_wanted * 4, SegmentPool.Largest);
        }
        else if (left == 0 && End < _wanted / 8)
        {
            _wanted = Math.Max(_wanted / 2, SegmentPool.Smallest);
        }

        _wanted = Math.Max(_wanted, left);
        ByteMoves.Note("5 packet: the rest of a read moved to the window's front", left, left);
        if (_wanted > _segment.Capacity || (_wanted < _segment.Requested && left == 0))
        {
            Replace(start, left);
        }
        else if (start > 0)
        {
            Array.AsSpan(start, left).CopyTo(Array);
        }

        End = left;
    }

    /// <summary>Shrinks an empty window to the smallest: a link that is idle keeps no more.</summary>
    public void Shrink()
    {
        if (End != 0)
        {
            return;
        }

        _wanted = SegmentPool.Smallest;
        if (_segment.Requested > SegmentPool.Smallest)
        {
            Replace(0, 0);
        }
    }

    /// <summary>Returns the segment to its pool. Once; nothing may be called afterwards.</summary>
    public void Return() => _pool.Return(_segment);

    private void Replace(int start, int count)
    {
        Segment next = _pool.Rent(_wanted);
        Array.AsSpan(start, count).CopyTo(next.Array);
        _pool.Return(_segment);
        _segment = next;
    }
}
