using System;
using System.Collections.Generic;

namespace Transport;

/// <summary>The tables of a lane, made with the first packet that asks for them.</summary>
/// <param name="lane">The lane.</param>
/// <param name="caps">What both sides can do.</param>
/// <param name="maxBytes">The most bytes of a table.</param>
/// <param name="maxPacket">The most bytes of a packet that the peer takes.</param>
internal sealed class PacketTables(Lane lane, TableCaps caps, int maxBytes, int maxPacket) : IPacketTables
{
    private bool _mayRefer;
    private bool _isDiscarded;

    /// <summary>Gets all that the lane has put into its peer's tables; null if no packet has asked for them yet.</summary>
    public SendTables? All { get; private set; }

    /// <inheritdoc/>
    public TableSink? Current => _mayRefer ? All : null;

    /// <inheritdoc/>
    public int Packets => _mayRefer ? All!.Packets : 0;

    /// <inheritdoc/>
    public long WrittenOut => _mayRefer ? All!.WrittenOut : 0;

    /// <inheritdoc/>
    public void Begin(ushort type) => _mayRefer = !_isDiscarded && SendTables.Allow(caps, type)
        && (All ??= new SendTables(caps, maxBytes, maxPacket, lane)).Begin(type);

    /// <inheritdoc/>
    public int End() => _mayRefer ? All!.End() : 0;

    /// <inheritdoc/>
    public void CopyTo(Span<byte> to)
    {
        for (int i = 0, at = 0; i < All!.Frames; i++)
        {
            ReadOnlySpan<byte> frame = All.Frame(i);
            frame.CopyTo(to.Slice(at));
            at += frame.Length;
        }
    }

    /// <inheritdoc/>
    public void Insert(SegmentPool pool, List<Segment> segments, int index, int bytes)
    {
        Segment? front = null;
        for (int i = 0; i < All!.Frames; i++)
        {
            ReadOnlySpan<byte> frame = All.Frame(i);
            if (front is null || front.Capacity - front.Used < frame.Length)
            {
                front = pool.Rent(Math.Min(Math.Max(bytes, SegmentPool.Smallest), SegmentPool.Largest));
                segments.Insert(index++, front);
            }

            frame.CopyTo(front.Array.AsSpan(front.Used));
            front.Used += frame.Length;
            front.PacketsEnding += FrameHeader.HasMore(frame) ? 0 : 1;
            bytes -= frame.Length;
        }
    }

    /// <inheritdoc/>
    public void Commit() => (_mayRefer ? All : null)?.Commit();

    /// <inheritdoc/>
    public void Rollback() => All?.Rollback();

    /// <inheritdoc/>
    public void Discard() => (All, _mayRefer, _isDiscarded) = (null, false, true);
}
