using System;

namespace Transport;

/// <content>The lane's tables: what a packet adds to them goes in front of it, and goes or stays with it.</content>
internal sealed partial class FrameWriter
{
    private SendTables? _tables;
    private (bool Strings, bool Maps, int MaxBytes) _tableWish;
    private bool _mayRefer;
    private Segment? _first;       // where the packet's first frame is, once it is closed
    private int _firstAt;
    private int _tablePackets;     // packets of the tables in the open segment, not committed yet

    /// <summary>Gets the tables, where the packet being written may refer to them.</summary>
    SendTables? ITableOutput.Tables => _mayRefer ? _tables : null;

    /// <summary>Gets the tables, or null where no packet has asked for them yet.</summary>
    public SendTables? Tables => _tables;

    /// <summary>Lets log and build packets refer to tables; before the first packet.</summary>
    /// <param name="strings">The peer has <c>strings</c>.</param>
    /// <param name="maps">The peer has <c>maps</c>.</param>
    /// <param name="maxBytes">The most bytes of a table.</param>
    public void UseTables(bool strings, bool maps, int maxBytes) => _tableWish = (strings, maps, maxBytes);

    private void BeginTables(ushort type)
    {
        _tablePackets = 0;
        _mayRefer = (_tableWish.Strings || _tableWish.Maps) && TableTypes.MayRefer(type);
        if (_mayRefer)
        {
            _tables ??= new SendTables(_tableWish.Strings, _tableWish.Maps, _tableWish.MaxBytes, lane);
            _tables.Begin();
        }
    }

    /// <summary>Puts the frames of the tables in front of the packet that was just ended.</summary>
    /// <returns>Their bytes.</returns>
    private int EndTables()
    {
        int bytes = _mayRefer ? _tables!.End() : 0;
        if (bytes > 0)
        {
            Insert(bytes);
        }

        return bytes;
    }

    private int CommitTables()
    {
        if (_mayRefer)
        {
            _tables!.Commit();
        }

        return _tablePackets;
    }

    private void RollbackTables()
    {
        if (_mayRefer)
        {
            _tables!.Rollback();
        }
    }

    private void DiscardTables()
    {
        _tables = null;
        _tableWish = default;
        _mayRefer = false;
    }

    private void Insert(int bytes)
    {
        Segment first = _first!;
        bool inOpen = ReferenceEquals(first, _open);
        int held = (inOpen ? _at : first.Used) - _firstAt;
        if (inOpen && first.Capacity - _at >= bytes)
        {
            first.Array.AsSpan(_firstAt, held).CopyTo(first.Array.AsSpan(_firstAt + bytes));
            _tablePackets = CopyTables(first.Array.AsSpan(_firstAt));
            _at += bytes;
        }
        else if (inOpen && bytes + held <= SegmentPool.Largest)
        {
            Segment next = pool.Rent(Math.Max(bytes + held, Math.Min(first.Capacity * 2, SegmentPool.Largest)));
            _tablePackets = CopyTables(next.Array);
            first.Array.AsSpan(_firstAt, held).CopyTo(next.Array.AsSpan(bytes));
            Leave(first, _firstAt);
            _open = next;
            _at = bytes + held;
        }
        else
        {
            InsertSegments(first, inOpen, held);
        }
    }

    /// <summary>Much goes in front, or the packet is large: what goes in front gets segments of its own.</summary>
    private void InsertSegments(Segment first, bool inOpen, int held)
    {
        int index = inOpen ? _full.Count : _full.IndexOf(first);
        if (_firstAt > 0)
        {
            Segment moved = pool.Rent(held);
            first.Array.AsSpan(_firstAt, held).CopyTo(moved.Array);
            first.Used = _firstAt;
            if (inOpen)
            {
                _full.Add(first);
                _open = moved;
                _at = held;
            }
            else
            {
                moved.Used = held;
                _full.Insert(index + 1, moved);
            }

            index++;
        }

        Segment? front = null;
        foreach (TablePackets? packets in new[] { _tables!.Strings, _tables.Maps })
        {
            for (int i = 0; i < packets?.Count; i++)
            {
                ReadOnlySpan<byte> frame = packets[i];
                if (front is null || front.Capacity - front.Used < frame.Length)
                {
                    front = pool.Rent(Math.Max(frame.Length, SegmentPool.Largest / 4));
                    _full.Insert(index++, front);
                }

                frame.CopyTo(front.Array.AsSpan(front.Used));
                front.Used += frame.Length;
                front.PacketsEnding++;
            }
        }
    }

    private int CopyTables(Span<byte> to) => CopyTables(_tables!.Strings, ref to) + CopyTables(_tables.Maps, ref to);

    private static int CopyTables(TablePackets? packets, ref Span<byte> to)
    {
        int count = packets?.Count ?? 0;
        for (int i = 0; i < count; i++)
        {
            ReadOnlySpan<byte> frame = packets![i];
            frame.CopyTo(to);
            to = to.Slice(frame.Length);
        }

        return count;
    }
}
