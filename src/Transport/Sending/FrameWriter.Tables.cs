using System;

namespace Transport;

/// <content>The lane's tables: what a packet adds to them goes in front of it, and goes or stays with it.</content>
internal sealed partial class FrameWriter
{
    private SendTables? _tables;
    private TableCaps _tableCaps;
    private int _maxTableBytes;
    private bool _mayRefer;
    private Segment? _first;       // where the packet's first frame is, once it is closed
    private int _firstAt;
    private int _tablePackets;     // packets of the tables in the open segment, not committed yet

    /// <summary>Gets the tables, if the packet being written may refer to them.</summary>
    SendTables? ITableOutput.Tables => _mayRefer ? _tables : null;

    /// <summary>Gets the tables, or null if no packet has asked for them yet.</summary>
    public SendTables? Tables => _tables;

    /// <summary>Gets how many packets of the tables go in front of the packet that was ended. Before <see cref="Commit"/>.</summary>
    public int TablePackets => _mayRefer ? _tables!.Packets : 0;

    /// <summary>Lets packets refer to tables if their type asks for it; before the first packet.</summary>
    /// <param name="caps">What both sides can do.</param>
    /// <param name="maxBytes">The most bytes of a table.</param>
    public void UseTables(TableCaps caps, int maxBytes) => (_tableCaps, _maxTableBytes) = (caps, maxBytes);

    private void BeginTables(ushort type, bool usesTables)
    {
        _tablePackets = 0;
        _mayRefer = usesTables && SendTables.Allow(_tableCaps, type)
            && (_tables ??= new SendTables(_tableCaps, _maxTableBytes, lane)).Begin(type);
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

    /// <summary>Asks the tables in any case: their Begin may have thrown. If the packet added nothing, nothing changes.</summary>
    private void RollbackTables() => _tables?.Rollback();

    private void DiscardTables()
    {
        _tables = null;
        _tableCaps = default;
        _mayRefer = false;
    }

    private void Insert(int bytes)
    {
        Segment first = _first!;
        if (!ReferenceEquals(first, _open) || first.Capacity - _at < bytes)
        {
            InsertSegments(first, bytes);
            return;
        }

        first.Array.AsSpan(_firstAt, _at - _firstAt).CopyTo(first.Array.AsSpan(_firstAt + bytes));
        for (int i = 0, at = _firstAt; i < _tables!.Packets; i++)
        {
            ReadOnlySpan<byte> frame = _tables.Frame(i);
            frame.CopyTo(first.Array.AsSpan(at));
            at += frame.Length;
        }

        _tablePackets = _tables.Packets;
        _at += bytes;
    }

    /// <summary>The open segment has no room for it, or the packet is in several: what goes in front gets segments of its own.</summary>
    private void InsertSegments(Segment first, int bytes)
    {
        int index = SplitBeforePacket(first);
        Segment? front = null;
        for (int i = 0; i < _tables!.Packets; i++)
        {
            ReadOnlySpan<byte> frame = _tables.Frame(i);
            if (front is null || front.Capacity - front.Used < frame.Length)
            {
                front = pool.Rent(Math.Min(Math.Max(bytes, SegmentPool.Smallest), SegmentPool.Largest));
                _full.Insert(index++, front);
            }

            frame.CopyTo(front.Array.AsSpan(front.Used));
            front.Used += frame.Length;
            front.PacketsEnding++;
            bytes -= frame.Length;
        }
    }

    /// <summary>Lets the packet begin at the head of a segment; what stands before it stays in its own.</summary>
    /// <returns>The place in <see cref="_full"/> before the packet.</returns>
    private int SplitBeforePacket(Segment first)
    {
        bool inOpen = ReferenceEquals(first, _open);
        int index = inOpen ? _full.Count : _full.IndexOf(first);
        if (_firstAt == 0)
        {
            return index;
        }

        int held = (inOpen ? _at : first.Used) - _firstAt;
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

        return index + 1;
    }
}
