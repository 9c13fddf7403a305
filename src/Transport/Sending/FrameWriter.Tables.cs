using System;

namespace Transport;

/// <content>The lane's tables: what a packet adds to them goes in front of it, and goes or stays with it.</content>
internal sealed partial class FrameWriter
{
    private IPacketTables? _inUse;  // the lane's tables, if the type of the packet that was begun last asks for them
    private Segment? _first;       // where the packet's first frame is, once it is closed
    private int _firstAt;
    private int _tablePackets;     // packets of the tables in the open segment, not committed yet

    /// <inheritdoc/>
    TableSink? ITableOutput.Tables => _inUse?.Current;

    /// <summary>Puts the frames of the tables in front of the packet that was just ended: into segments of their own, if the open one has
    /// no capacity or the packet is in several.</summary>
    /// <returns>Their bytes.</returns>
    private int EndTables(IPacketTables inUse)
    {
        int bytes = inUse.End();
        if (bytes == 0)
        {
            return 0;
        }

        Segment first = _first!;
        if (!ReferenceEquals(first, _open) || first.Capacity - _at < bytes)
        {
            inUse.Insert(pool, _parts, SplitBeforePacket(first), bytes);
            return bytes;
        }

        first.Array.AsSpan(_firstAt, _at - _firstAt).CopyTo(first.Array.AsSpan(_firstAt + bytes));
        inUse.CopyTo(first.Array.AsSpan(_firstAt));
        _tablePackets = inUse.Packets;
        _at += bytes;
        return bytes;
    }

    /// <summary>Lets the packet begin at the head of a segment; what stands before it stays in its own.</summary>
    /// <returns>The place in <see cref="_parts"/> before the packet.</returns>
    private int SplitBeforePacket(Segment first)
    {
        bool inOpen = ReferenceEquals(first, _open);
        int index = inOpen ? _parts.Count : _parts.IndexOf(first);
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
            _parts.Add(first);
            _open = moved;
            _at = held;
        }
        else
        {
            moved.Used = held;
            _parts.Insert(index + 1, moved);
        }

        return index + 1;
    }
}
