using System;
using System.Threading;

namespace Transport;

/// <summary>The ring of one lane: a record a packet from its commit until its write has completed, for the main node to read when this
/// process has exited.</summary>
/// <remarks>
/// <para><see cref="Begin"/>, <see cref="Append"/> and <see cref="Complete"/> under the lane's lock, <see cref="Written"/> by the thread
/// that writes for the link. Neither trusts the file for its own places: whatever somebody else writes there, nothing outside of the ring
/// is touched.</para>
/// <para>What is not written is never overwritten: a packet that finds no capacity has no record, so the records from the first unwritten
/// byte on have no gap until there.</para>
/// </remarks>
internal sealed unsafe class TailLane : ILaneObserver
{
    private readonly TailMap _map;   // the memory lives as long as this
    private readonly byte* _block;
    private readonly byte* _ring;
    private readonly int _size;
    private long _offset;            // in the lane's stream, where the next packet begins
    private long _packets;
    private long _unrecorded;
    private long _end;
    private int _endAt;              // _end, in the ring
    private int _at;                 // where the next piece of the record goes
    private long _length;            // of the record that is being written
    private long _head;
    private int _headAt;
    private long _written;           // packets

    /// <summary>Initializes a new instance of the <see cref="TailLane"/> class.</summary>
    /// <param name="map">The memory.</param>
    /// <param name="lane">Urgent, Normal or Bulk.</param>
    public TailLane(TailMap map, Lane lane)
    {
        _map = map;
        (int start, int size) = TailLayout.RingOf(lane, map.Length);
        _block = map.Start + TailLayout.BlockOf(lane);
        _ring = map.Start + start;
        _size = size;
    }

    /// <inheritdoc/>
    public void Committed(in CommittedFrames frames, int packets)
    {
        if (!Begin(frames.Length, packets))
        {
            return;
        }

        for (int i = 0; i < frames.Pieces; i++)
        {
            ArraySegment<byte> piece = frames.Piece(i);
            Append(piece.Array!, piece.Offset, piece.Count);
        }

        Complete();
    }

    /// <summary>Begins a packet's record, if there is capacity; counts the packet in any case.</summary>
    /// <param name="length">The bytes of all its frames.</param>
    /// <param name="packets">How many packets they are: those of tables count too.</param>
    /// <returns>False if it gets no record.</returns>
    public bool Begin(long length, int packets)
    {
        _packets += packets;
        long size = TailLayout.SizeOf(length);
        if (size <= _size - (_end - Volatile.Read(ref _head)))
        {
            _length = length;
            _at = Round(_endAt + TailLayout.RecordHeader);

            // What the frames leave of the last step; none of them is there yet.
            long* last = (long*)(_ring + Round(_endAt + (int)size - TailLayout.Step));
            last[0] = last[1] = last[2] = last[3] = 0;
            return true;
        }

        _offset += length;
        _unrecorded += packets;
        Volatile.Write(ref *(long*)(_block + TailLayout.Unrecorded), _unrecorded);
        PublishCounts();
        return false;
    }

    /// <summary>Adds the record's next bytes.</summary>
    public void Append(byte[] array, int from, int count)
    {
        int first = Math.Min(count, _size - _at);
        ByteMoves.Note("2 packet: copied into the crash tail", count, count);
        fixed (byte* source = array)
        {
            // Not by spans: on Mono they cost more than the copy.
            Buffer.MemoryCopy(source + from, _ring + _at, first, first);
            if (first < count)
            {
                Buffer.MemoryCopy(source + from + first, _ring, count - first, count - first);
            }
        }

        _at = Round(_at + count);
    }

    /// <summary>Completes the record: from now on it outlives this process.</summary>
    public void Complete()
    {
        int padded = ((int)_length + TailLayout.Step - 1) & -TailLayout.Step;
        byte* record = _ring + _endAt;
        int body = Round(_endAt + TailLayout.RecordHeader);
        *(long*)(record + TailLayout.Offset) = _offset;
        *(long*)(record + TailLayout.PacketsSoFar) = _packets;
        *(long*)(record + TailLayout.Length) = _length;
        *(long*)(record + TailLayout.Sum) = TailSum.Of(_ring, _size, body, padded, _end, _offset, _packets, _length);
        _offset += _length;
        _endAt = Round(body + padded);
        long end = _end + TailLayout.RecordHeader + padded;
        Volatile.Write(ref *(long*)(_block + TailLayout.End), end);
        Volatile.Write(ref _end, end);
        PublishCounts();
    }

    /// <inheritdoc/>
    /// <remarks>Their records' capacity is free.</remarks>
    public void Written(int packets)
    {
        _written += packets;
        long head = _head, end = Volatile.Read(ref _end);
        while (head < end)
        {
            byte* record = _ring + _headAt;
            long length = *(long*)(record + TailLayout.Length);
            long size = (ulong)length <= (ulong)_size ? TailLayout.SizeOf(length) : long.MaxValue;
            if (*(long*)(record + TailLayout.PacketsSoFar) > _written || size > end - head)
            {
                break;   // not written yet; or somebody else has written here, and then the ring fills up and stays full
            }

            head += size;
            _headAt = Round(_headAt + (int)size);
        }

        // Reported to the reader before its capacity is used again.
        Volatile.Write(ref *(long*)(_block + TailLayout.Head), head);
        Volatile.Write(ref _head, head);
        GC.KeepAlive(_map);
    }

    private void PublishCounts()
    {
        Volatile.Write(ref *(long*)(_block + TailLayout.Packets), _packets);
        Volatile.Write(ref *(long*)(_block + TailLayout.Bytes), _offset);
        GC.KeepAlive(_map);
    }

    private int Round(int at) => at >= _size ? at - _size : at;
}
