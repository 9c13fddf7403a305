using System;

namespace Transport;

/// <summary>Puts the chunks of one lane's large packet together, in one block that grows by what has arrived, this time or for the packet
/// before, not by what was claimed.</summary>
internal sealed class PacketAssembly(SegmentPool pool, int maxPacket)
{
    private Segment? _block;
    private ushort _type;
    private int _last;

    /// <summary>Gets a value indicating whether a packet has begun and not ended.</summary>
    public bool IsOpen => _block is not null;

    /// <summary>Checks whether a packet has begun and not ended in any of the lanes.</summary>
    public static bool IsAnyOpen(PacketAssembly[] lanes) => Array.Exists(lanes, static lane => lane.IsOpen);

    /// <summary>Gets what has come together; valid until <see cref="Close"/>.</summary>
    public ReadOnlyMemory<byte> Body => _block!.Array.AsMemory(0, _block.Used);

    /// <summary>Adds a chunk.</summary>
    /// <exception cref="TransportException"><see cref="TransportFault.FrameCorrupt"/>: a chunk of another type;
    /// <see cref="TransportFault.PacketTooLarge"/>.</exception>
    public void Append(ushort type, ReadOnlySpan<byte> chunk)
    {
        if (_block is null)
        {
            _type = type;

            // Large packets often come in a row: a block as large as the last one needed is not grown, which copies all that is there at
            // each doubling.
            _block = pool.Rent(Math.Max(Math.Max(SegmentPool.Largest, chunk.Length), _last));
        }
        else if (type != _type)
        {
            throw new TransportException(TransportFault.FrameCorrupt,
                $"Inside a packet of type {_type} expected its next chunk, got a frame of type {type} in the same lane.");
        }

        int total = _block.Used + chunk.Length;
        if (total > maxPacket)
        {
            throw new TransportException(
                TransportFault.PacketTooLarge,
                $"A packet of type {type} has more than {maxPacket} bytes, the most this side takes (LinkOptions.MaxPacketBytes, which the "
                    + "handshake reports).");
        }

        if (total > _block.Capacity)
        {
            Segment larger = pool.Rent(total);
            _block.Array.AsSpan(0, _block.Used).CopyTo(larger.Array);
            larger.Used = _block.Used;
            pool.Return(_block);
            _block = larger;
        }

        chunk.CopyTo(_block.Array.AsSpan(_block.Used));
        _block.Used = total;
    }

    /// <summary>Gives the block back; the packet's bytes must not be used any more.</summary>
    public void Close()
    {
        if (_block is not null)
        {
            _last = _block.Used;
            pool.Return(_block);
            _block = null;
        }
    }
}
