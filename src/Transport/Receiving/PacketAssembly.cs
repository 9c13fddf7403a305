using System;
using System.Buffers;
using System.Collections.Generic;

namespace Transport;

/// <summary>Puts the chunks of one lane's large packet together, in one block that grows by what has arrived, this time or for the packet
/// before, not by what was claimed; or in pieces, for a handler that reads a stream.</summary>
internal sealed class PacketAssembly(SegmentPool pool, int maxPacket)
{
    private readonly List<Segment> _full = [];   // pieces before the block; empty if there is one block
    private Segment? _block;
    private Piece? _shown;   // the first of those that a handler was shown
    private ushort _type;
    private int _last;
    private int _total;

    /// <summary>Gets where its memory comes from.</summary>
    public SegmentPool Pool => pool;

    /// <summary>Gets a value indicating whether a packet has begun and not ended.</summary>
    public bool IsOpen => _block is not null;

    /// <summary>Checks whether a packet has begun and not ended in any of the lanes.</summary>
    public static bool IsAnyOpen(PacketAssembly[] lanes) => Array.Exists(lanes, static lane => lane.IsOpen);

    /// <summary>Gets a value indicating whether the packet stands in pieces: <see cref="Pieces"/> gives it.</summary>
    public bool IsInPieces { get; private set; }

    /// <summary>Gets how many bytes have come.</summary>
    public int Length => _total;

    /// <summary>Gets what has come together; valid until <see cref="Close"/>.</summary>
    public ArraySegment<byte> Body => new(_block!.Array, 0, _block.Used);

    /// <summary>Gets what has come together, in pieces; valid until <see cref="Close"/>.</summary>
    public ReadOnlySequence<byte> Pieces
    {
        get
        {
            var first = new Piece(_full.Count > 0 ? _full[0] : _block!);
            _shown = first;
            Piece last = first;
            for (int i = 1; i <= _full.Count; i++)
            {
                last = last.Before(i < _full.Count ? _full[i] : _block!);
            }

            return new ReadOnlySequence<byte>(first, 0, last, last.Memory.Length);
        }
    }

    /// <summary>Adds a chunk.</summary>
    /// <param name="type">The packet's type.</param>
    /// <param name="chunk">The chunk.</param>
    /// <param name="inPieces">For the first chunk of a packet: whether it may stand in pieces.</param>
    /// <exception cref="TransportException"><see cref="TransportFault.FrameCorrupt"/>: a chunk of another type;
    /// <see cref="TransportFault.PacketTooLarge"/>.</exception>
    public void Append(ushort type, ReadOnlySpan<byte> chunk, bool inPieces = false)
    {
        if (_block is null)
        {
            (_type, _total, IsInPieces) = (type, 0, inPieces);

            // Large packets often come in a row: a block as large as the last one needed is not grown, which copies all that is there at
            // each doubling.
            _block = pool.Rent(inPieces ? SegmentPool.Largest : Math.Max(Math.Max(SegmentPool.Largest, chunk.Length), _last));
        }
        else if (type != _type)
        {
            throw new TransportException(TransportFault.FrameCorrupt,
                $"Inside a packet of type {_type} expected its next chunk, got a frame of type {type} in the same lane.");
        }

        if (_total + chunk.Length > maxPacket)
        {
            throw new TransportException(
                TransportFault.PacketTooLarge,
                $"A packet of type {type} has more than {maxPacket} bytes, the most this side takes (LinkOptions.MaxPacketBytes, which the "
                    + "handshake reports).");
        }

        _total += chunk.Length;
        ByteMoves.Note("6 packet: chunks put together", chunk.Length, chunk.Length);
        if (IsInPieces)
        {
            AppendPieces(chunk);
            return;
        }

        if (_total > _block.Capacity)
        {
            Segment larger = pool.Rent(_total);
            _block.Array.AsSpan(0, _block.Used).CopyTo(larger.Array);
            larger.Used = _block.Used;
            pool.Return(_block);
            _block = larger;
        }

        chunk.CopyTo(_block.Array.AsSpan(_block.Used));
        _block.Used = _total;
    }

    /// <summary>Gives the memory back; the packet's bytes must not be used any more. Nor can they: who keeps <see cref="Pieces"/>, as the
    /// receive thread's stack does until its next packet, holds none of them.</summary>
    public void Close()
    {
        while (_shown is not null)
        {
            _shown = _shown.Forget();
        }

        if (_block is not null)
        {
            _last = IsInPieces ? _last : _block.Used;
            pool.Return(_block);
            _block = null;
        }

        foreach (Segment piece in _full)
        {
            pool.Return(piece);
        }

        _full.Clear();
    }

    private void AppendPieces(ReadOnlySpan<byte> chunk)
    {
        while (true)
        {
            Segment block = _block!;
            int fits = Math.Min(chunk.Length, block.Capacity - block.Used);
            chunk.Slice(0, fits).CopyTo(block.Array.AsSpan(block.Used));
            block.Used += fits;
            chunk = chunk.Slice(fits);
            if (chunk.IsEmpty)
            {
                return;
            }

            Segment next = pool.Rent(SegmentPool.Largest);
            _full.Add(block);
            _block = next;
        }
    }

    private sealed class Piece : ReadOnlySequenceSegment<byte>
    {
        public Piece(Segment segment) => Memory = segment.Array.AsMemory(0, segment.Used);

        public Piece Before(Segment segment)
        {
            var next = new Piece(segment) { RunningIndex = RunningIndex + Memory.Length };
            Next = next;
            return next;
        }

        /// <summary>Lets go of the segment's memory.</summary>
        /// <returns>The next piece.</returns>
        public Piece? Forget()
        {
            Memory = default;
            return (Piece?)Next;
        }
    }
}
