using System;
using System.Buffers;
using System.Collections.Generic;

namespace Transport;

// The open segment while a packet is written (the frames of tables are put in when it ends):
//
//   | packets before it | Dropped | tables | header | body so far | free |
//   0              _packetStart            _frameStart           _at     Capacity
//
// | step             | what it does                                                                    | if it throws      |
// |------------------|---------------------------------------------------------------------------------|-------------------|
// | Begin            | rents a segment if there is none with capacity for a header; puts Dropped in    | Rollback          |
// |                  | front if the peer does not know yet what was dropped                            |                   |
// | GetSpan, Advance | at 65,536 bytes closes a frame with MORE and begins the next; at the segment's  | Rollback          |
// |                  | end moves the frame to a larger one, or begins another segment                  |                   |
// | End, TryEnd      | write the last header (one frame if the body fits), put the tables in front     | Rollback          |
// |                  | then, if there is capacity: seal the full segments; the packet belongs to the   | Failure: the link |
// |                  | open one from now on                                                            | ends              |
// | Rollback         | everything is as it was before Begin                                            | (it does not)     |

/// <summary>Serializes a lane's packets straight into its open segment, with space for its header in front of each frame.</summary>
/// <remarks>
/// <para>Not for concurrent use: the lane's lock is held from <see cref="Begin"/> to <see cref="End"/>, <see cref="TryEnd"/> or
/// <see cref="Rollback"/>.</para>
/// <para>No frame crosses a segment, so that another lane's segment may be written in between. A packet is one frame while its body fits
/// into one (65,536 bytes); a longer one is cut into frames as it is written. Until it has ended nobody else sees any of it.</para>
/// </remarks>
/// <param name="pool">Gives the segments.</param>
/// <param name="lane">The lane.</param>
/// <param name="segments">The lane's segments.</param>
/// <param name="drops">What the lane has dropped.</param>
/// <param name="tables">The lane's tables, for packets whose type asks for them; null: there are none.</param>
/// <param name="observer">Hears of each packet that has ended; null: nobody does.</param>
internal sealed partial class FrameWriter(
    SegmentPool pool, Lane lane, LaneSegments segments, DropLedger drops, IPacketTables? tables = null, ILaneObserver? observer = null)
    : IBufferWriter<byte>, ITableOutput
{
    private readonly List<Segment> _parts = [];   // segments before the current one that hold parts of this packet
    private Segment? _open;                      // where the packet goes on, from Begin to its end; then the lane's open one
    private ushort _type;
    private bool _writing;
    private long _maxBody;
    private int _packetStart;                    // in the first segment: where Rollback cuts
    private int _frameStart;                     // in the open segment: where the current frame's header begins
    private int _at;                             // in the open segment: where the next byte goes
    private long _closedBody;                    // body bytes of this packet's frames that are already closed
    private int _closedFrames;
    private Segment? _lastClosed;
    private int _lastClosedAt;
    private int _prefix;                         // bytes of a control frame written in front of this packet
    private Segment? _scratch;                   // for a formatter that asks for more than a frame holds: cut into frames afterwards

    /// <summary>Gets how many packets have ended, packets of the tables included: the newest one's ordinal.</summary>
    public long Packets { get; private set; }

    /// <summary>Gets what an end threw. A part of its packet may be on its way, so nothing may follow it.</summary>
    public Exception? Failure { get; private set; }

    /// <summary>Begins a packet.</summary>
    /// <param name="type">Its type.</param>
    /// <param name="maxBody">The most bytes its body may have.</param>
    /// <param name="usesTables">The packet's type asks for the lane's tables.</param>
    /// <exception cref="InvalidOperationException">A formatter sends on its own link.</exception>
    public void Begin(ushort type, long maxBody, bool usesTables = false)
    {
        if (_writing)
        {
            throw new InvalidOperationException("A packet formatter must not send on the link that it writes for.");
        }

        _open = segments.OpenOne();
        _writing = true;
        _type = type;
        _maxBody = maxBody;
        _packetStart = _open.Used;
        _frameStart = _packetStart;
        _at = _frameStart + FrameHeader.Size;
        (_closedBody, _closedFrames) = (0, 0);
        _lastClosed = null;
        _prefix = 0;
        _tablePackets = 0;
        _inUse = usesTables ? tables : null;
        _inUse?.Begin(type);
        if (drops.HasUnreported)
        {
            Prefix(drops.Frame());
        }
    }

    /// <inheritdoc/>
    public Memory<byte> GetMemory(int sizeHint = 0)
    {
        (byte[] array, int from, int count) = Capacity(sizeHint);
        return array.AsMemory(from, count);
    }

    /// <inheritdoc/>
    public Span<byte> GetSpan(int sizeHint = 0)
    {
        Segment open = _open!;
        int capacity = Math.Min(open.Capacity, _frameStart + FrameHeader.Size + FrameHeader.MaxBody) - _at;
        if (_writing && _scratch is null && sizeHint > 0 && capacity >= sizeHint)
        {
            return open.Array.AsSpan(_at, capacity);
        }

        (byte[] array, int from, int count) = Capacity(sizeHint);
        return array.AsSpan(from, count);
    }

    /// <inheritdoc/>
    public void Advance(int count)
    {
        if (_scratch is not null)
        {
            AdvanceScratch(count);
            return;
        }

        if (!_writing || (uint)count > (uint)(Math.Min(_open!.Capacity, _frameStart + FrameHeader.Size + FrameHeader.MaxBody) - _at))
        {
            throw MoreThanGiven(count);
        }

        _at += count;
    }

    /// <summary>Ends the packet and hands it over: it belongs to the open segment from now on.</summary>
    /// <param name="packets">What it counts as: 0 for control frames.</param>
    /// <returns>The bytes it takes on the wire, headers included.</returns>
    /// <exception cref="TransportException"><see cref="TransportFault.PacketTooLarge"/>.</exception>
    /// <exception cref="InvalidOperationException">The formatter wrote nothing.</exception>
    public long End(int packets)
    {
        long size = Close();
        Commit(packets);
        return size;
    }

    /// <summary>Ends the packet and hands it over if there is capacity; else it is forgotten.</summary>
    /// <param name="ask">Takes the bytes of the budget.</param>
    /// <param name="size">The bytes it takes on the wire, headers included.</param>
    /// <returns>Whether there is capacity.</returns>
    /// <exception cref="TransportException">As <see cref="End"/>.</exception>
    /// <exception cref="InvalidOperationException">As <see cref="End"/>.</exception>
    public bool TryEnd(in CapacityAsk ask, out long size)
    {
        size = Close();
        if (ask.TryTake(size))
        {
            Commit(packets: 1);
            return true;
        }

        Rollback();
        return false;
    }

    /// <summary>Forgets the packet that was begun, as if it had never been; also one whose <see cref="Begin"/> threw.</summary>
    public void Rollback()
    {
        if (!_writing)
        {
            return;
        }

        GiveScratchBack();
        _inUse?.Rollback();
        while (_parts.Count > 0)
        {
            pool.Return(_open!);
            _open = _parts[_parts.Count - 1];
            _parts.RemoveAt(_parts.Count - 1);
        }

        _open!.Used = _packetStart;
        _open.PacketsEnding = _packetStart == 0 ? 0 : _open.PacketsEnding;
        segments.Open = _open;
        _writing = false;
    }

    /// <summary>Returns whatever is held, also of a packet whose end failed. The lane takes nothing any more.</summary>
    public void Discard()
    {
        Rollback();
        tables?.Discard();
        segments.Discard();
    }

    /// <summary>Puts a whole control frame in front of the packet that was just begun; it goes or stays with it.</summary>
    private void Prefix(ReadOnlySpan<byte> frame)
    {
        if (_open!.Capacity - _frameStart < frame.Length + FrameHeader.Size)
        {
            Relocate(frame.Length + FrameHeader.Size);
        }

        frame.CopyTo(_open.Array.AsSpan(_frameStart));
        _frameStart += frame.Length;
        _prefix = frame.Length;
        _at = _frameStart + FrameHeader.Size;
    }

    /// <summary>Writes the header of the last frame, and puts the tables in front of the first.</summary>
    /// <returns>The bytes of the packet on the wire.</returns>
    private long Close()
    {
        GiveScratchBack();
        int body = _at - _frameStart - FrameHeader.Size;
        if (body == 0 && _closedFrames == 0)
        {
            throw new InvalidOperationException(
                $"The formatter of packet type {_type} wrote no bytes. A body is one MessagePack value; was PacketWriter.Flush forgotten?");
        }

        long total = _closedBody + body;
        CheckSize(total + (_inUse?.WrittenOut ?? 0));
        if (body == 0)
        {
            CloseAsLast();
        }
        else if (_closedFrames == 1 && total <= FrameHeader.MaxBody)
        {
            Merge((int)total);
        }
        else
        {
            CloseFrame(more: false);
        }

        return total + (FrameHeader.Size * (long)_closedFrames) + _prefix + (_inUse is null ? 0 : EndTables(_inUse));
    }

    /// <summary>Hands the packet over. Never throws: a part of it may be on its way then, so the send pump throws instead, and with it ends
    /// the link.</summary>
    private void Commit(int packets)
    {
        int all = packets + (_inUse?.Packets ?? 0);
        Packets += all;
        try
        {
            // Before the segments are sealed: they may be gone at once.
            observer?.Committed(new CommittedFrames(_parts, _open!, _packetStart + _prefix, _at), all);
            for (; _parts.Count > 0; _parts.RemoveAt(0))
            {
                segments.Seal(_parts[0]);
            }

            _open!.Used = _at;
            _open.PacketsEnding += packets + _tablePackets;
            segments.Open = _open;
            _inUse?.Commit();
            _writing = false;
            if (_prefix > 0)
            {
                drops.MarkReported();
            }
        }
        catch (Exception e)
        {
            Failure = e;
        }
    }

    private void AdvanceScratch(int count)
    {
        Segment scratch = _scratch!;
        if ((uint)count > (uint)scratch.Capacity)
        {
            throw MoreThanGiven(count);
        }

        _scratch = null;
        try
        {
            this.Copy(scratch.Array.AsSpan(0, count));
        }
        finally
        {
            pool.Return(scratch);
        }
    }

    private void GiveScratchBack()
    {
        if (_scratch is not null)
        {
            pool.Return(_scratch);
            _scratch = null;
        }
    }

    private static Exception MoreThanGiven(int count) =>
        new ArgumentOutOfRangeException(nameof(count), count, "More bytes than the span that was given holds.");

    private (byte[] Array, int From, int Count) Capacity(int sizeHint)
    {
        if (!_writing)
        {
            throw new InvalidOperationException("The buffer is valid during the formatter's call only.");
        }

        GiveScratchBack();
        int hint = Math.Max(sizeHint, 1);
        if (Math.Min(_open!.Capacity, _frameStart + FrameHeader.Size + FrameHeader.MaxBody) - _at < hint)
        {
            if (hint > FrameHeader.MaxBody)
            {
                _scratch = pool.Rent(hint);
                return (_scratch.Array, 0, _scratch.Capacity);
            }

            Grow(hint);
        }

        return (_open.Array, _at, Math.Min(_open.Capacity, _frameStart + FrameHeader.Size + FrameHeader.MaxBody) - _at);
    }

    private void Grow(int hint)
    {
        int body = _at - _frameStart - FrameHeader.Size;
        CheckSize(_closedBody + body);
        if (_closedFrames == 0 && body + hint <= FrameHeader.MaxBody)
        {
            // It may still fit one frame; a packet that is in several frames already just gets one more.
            Relocate(FrameHeader.Size + body + hint);
            return;
        }

        // Rented before anything changes: without memory the packet is as it was.
        int end = body > 0 ? _at : _frameStart;
        int wanted = FrameHeader.Size + Math.Max(hint, SegmentPool.Smallest);
        Segment? next = _open!.Capacity - end < wanted ? pool.Rent(SegmentPool.Largest) : null;
        if (body > 0)
        {
            CloseFrame(more: true);
        }

        if (next is not null)
        {
            _open.Used = end;
            _parts.Add(_open);
            (_open, end) = (next, 0);
        }

        _frameStart = end;
        _at = end + FrameHeader.Size;
    }

    /// <summary>Moves the current frame, its header and all, to the head of a larger segment.</summary>
    private void Relocate(int need)
    {
        int held = _at - _frameStart;
        Segment from = _open!;
        Segment to = pool.Rent(Math.Min(SegmentPool.Largest, Math.Max(need, from.Capacity * 2)));
        from.Array.AsSpan(_frameStart, held).CopyTo(to.Array);
        Leave(from, _frameStart);
        (_open, _frameStart, _at) = (to, 0, held);
    }

    /// <summary>Keeps a segment up to where the packet at hand, moved away, began in it.</summary>
    private void Leave(Segment segment, int used)
    {
        if (used == 0)
        {
            // Nothing else is in it, so nothing has to be kept; what Rollback would cut begins at the new segment's head.
            pool.Return(segment);
            return;
        }

        segment.Used = used;
        _parts.Add(segment);
    }

    private void CloseFrame(bool more)
    {
        int body = _at - _frameStart - FrameHeader.Size;
        FrameHeader.Write(_open!.Array.AsSpan(_frameStart), lane, more, _type, body);
        _closedBody += body;
        if (_closedFrames++ == 0)
        {
            (_first, _firstAt) = (_open, _frameStart);
        }

        (_lastClosed, _lastClosedAt) = (_open, _frameStart);
    }

    /// <summary>The packet ended exactly where its last frame was closed with MORE: takes the MORE back and the empty frame away.</summary>
    private void CloseAsLast()
    {
        Span<byte> header = _lastClosed!.Array.AsSpan(_lastClosedAt);
        FrameHeader.Parse(header, out FrameHeader was, out _);
        FrameHeader.Write(header, lane, more: false, _type, was.Length);
        if (ReferenceEquals(_lastClosed, _open))
        {
            _at = _frameStart;
            return;
        }

        pool.Return(_open!);
        _open = _lastClosed;
        _parts.Remove(_lastClosed);
        _at = _open.Used;
    }

    /// <summary>A packet that fits one frame travels as one: joins the two frames that a large hint had made of it.</summary>
    private void Merge(int total)
    {
        Segment joined = pool.Rent(FrameHeader.Size + total);
        int first = (int)_closedBody;
        int second = _at - _frameStart - FrameHeader.Size;
        _lastClosed!.Array.AsSpan(_lastClosedAt + FrameHeader.Size, first).CopyTo(joined.Array.AsSpan(FrameHeader.Size));
        _open!.Array.AsSpan(_frameStart + FrameHeader.Size, second).CopyTo(joined.Array.AsSpan(FrameHeader.Size + first));
        if (!ReferenceEquals(_lastClosed, _open))
        {
            pool.Return(_open);
            _parts.Remove(_lastClosed);
        }

        Leave(_lastClosed, _lastClosedAt);
        _open = joined;
        _frameStart = 0;
        _at = FrameHeader.Size + total;
        (_closedBody, _closedFrames) = (0, 0);
        CloseFrame(more: false);
    }

    private void CheckSize(long body)
    {
        if (body > _maxBody)
        {
            throw new TransportException(
                TransportFault.PacketTooLarge,
                $"A packet of type {_type} has {(body > FrameHeader.MaxBody ? "more than " : string.Empty)}{_maxBody} bytes, the most "
                    + "that the peer takes (its LinkOptions.MaxPacketBytes): split it, or let the peer allow more.");
        }
    }
}
