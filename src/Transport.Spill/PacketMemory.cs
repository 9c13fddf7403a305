using System;
using System.Buffers.Binary;
using System.Collections.Generic;

namespace Transport.Spill;

/// <summary>The packets of a lane that are in memory, as they travel, in the order of their numbers: sent and not acknowledged, then not
/// sent.</summary>
/// <remarks>
/// <para>Not for concurrent use: under the ledger's lock. It owns its blocks, segments of the links' pool, from the first packet in a block
/// until the last one is acknowledged. Bytes that it shows are valid until that packet is released.</para>
/// <para>In a block each packet stands behind its length, 4 bytes; none crosses a block.</para>
/// </remarks>
internal sealed class PacketMemory
{
    private const int LargestBlock = 64 << 10, LengthBytes = 4;

    private readonly SegmentPool _pool;
    private readonly long _limit;
    private readonly int _blockSize;
    private Block? _oldest;
    private Block? _newest;
    private Block? _unsent;   // of the first packet that was not sent; null: all were
    private int _unsentAt;

    /// <summary>Initializes a new instance of the <see cref="PacketMemory"/> class.</summary>
    /// <param name="pool">Gives blocks and takes them back.</param>
    /// <param name="limit">The most bytes that it may take, but that it takes any one packet while it is empty.</param>
    public PacketMemory(SegmentPool pool, long limit)
    {
        _pool = pool;
        _limit = limit;
        _blockSize = LargestBlock;
        while (_blockSize > SegmentPool.Smallest && _blockSize > limit / 16)
        {
            _blockSize /= 2;
        }
    }

    /// <summary>Gets the bytes of its blocks.</summary>
    public long Bytes { get; private set; }

    /// <summary>Gets the highest number of what was added.</summary>
    public SpillNumber Last { get; private set; }

    /// <summary>Gets a value indicating whether there is a packet that was not sent.</summary>
    public bool HasUnsent => _unsent is not null;

    /// <summary>Says whether a packet may be added. The answer stays true until something is added.</summary>
    public bool HasCapacity(int length) => _oldest is null || Fits(length) || Bytes + SizeFor(length) <= _limit;

    /// <summary>Adds a packet behind all others, whether there is capacity or not.</summary>
    /// <param name="number">Its number.</param>
    /// <param name="packet">The packet as it travels; copied.</param>
    /// <param name="isSent">Whether the link has it already; then it has all the others too.</param>
    public void Add(SpillNumber number, ReadOnlySpan<byte> packet, bool isSent)
    {
        if (!Fits(packet.Length))
        {
            Append(new Block(_pool.Rent(SizeFor(packet.Length))));
        }

        Block block = _newest!;
        if (!isSent && _unsent is null)
        {
            (_unsent, _unsentAt) = (block, block.End);
        }

        BinaryPrimitives.WriteInt32LittleEndian(block.Array.AsSpan(block.End), packet.Length);
        packet.CopyTo(block.Array.AsSpan(block.End + LengthBytes));
        block.End += LengthBytes + packet.Length;
        Last = number;
    }

    /// <summary>Shows the first packet that was not sent.</summary>
    public bool TryPeek(out SpillNumber number, out ReadOnlyMemory<byte> packet)
    {
        packet = _unsent is null ? default : PacketAt(_unsent, _unsentAt);
        number = _unsent is null ? default : SpillPacket.NumberOf(packet.Span);
        return _unsent is not null;
    }

    /// <summary>Notes that the first packet that was not sent now is.</summary>
    public void MarkSent()
    {
        _unsentAt += LengthBytes + PacketAt(_unsent!, _unsentAt).Length;
        if (_unsentAt == _unsent!.End)
        {
            (_unsent, _unsentAt) = (_unsent.Next, 0);
        }
    }

    /// <summary>Counts everything as not sent: the link that had it is gone.</summary>
    public void Rewind() => (_unsent, _unsentAt) = (_oldest, _oldest?.Start ?? 0);

    /// <summary>Releases what is acknowledged.</summary>
    public void Release(SpillNumber acknowledged)
    {
        while (_oldest is { } block)
        {
            ReadOnlyMemory<byte> packet = PacketAt(block, block.Start);
            if (SpillPacket.NumberOf(packet.Span) > acknowledged)
            {
                return;
            }

            if (ReferenceEquals(block, _unsent) && _unsentAt == block.Start)
            {
                MarkSent();
            }

            block.Start += LengthBytes + packet.Length;
            if (block.Start == block.End)
            {
                RemoveOldest(block);
            }
        }
    }

    /// <summary>Shows all packets; valid until something is released.</summary>
    public List<SavedPacket> ToList()
    {
        var all = new List<SavedPacket>();
        for (Block? block = _oldest; block is not null; block = block.Next)
        {
            for (int at = block.Start; at < block.End;)
            {
                ReadOnlyMemory<byte> packet = PacketAt(block, at);
                all.Add(new SavedPacket(SpillPacket.NumberOf(packet.Span), packet));
                at += LengthBytes + packet.Length;
            }
        }

        return all;
    }

    private static ReadOnlyMemory<byte> PacketAt(Block block, int at) =>
        block.Array.AsMemory(at + LengthBytes, BinaryPrimitives.ReadInt32LittleEndian(block.Array.AsSpan(at)));

    private bool Fits(int length) => _newest is { } block && block.Array.Length - block.End >= LengthBytes + length;

    /// <summary>Gives the size of a new block, a power of two: as large are the pool's segments.</summary>
    private int SizeFor(int length)
    {
        int size = _blockSize;
        while (size < LengthBytes + length)
        {
            size *= 2;
        }

        return size;
    }

    private void Append(Block block)
    {
        if (_newest is null)
        {
            _oldest = block;
        }
        else
        {
            _newest.Next = block;
        }

        _newest = block;
        Bytes += block.Array.Length;
    }

    private void RemoveOldest(Block block)
    {
        _oldest = block.Next;
        _newest = _oldest is null ? null : _newest;
        Bytes -= block.Array.Length;
        _pool.Return(block.Segment);
    }

    private sealed class Block(Segment segment)
    {
        public Segment Segment { get; } = segment;

        public byte[] Array => Segment.Array;

        /// <summary>Gets or sets where the first packet stands that was not released.</summary>
        public int Start { get; set; }

        /// <summary>Gets or sets where the next packet is put.</summary>
        public int End { get; set; }

        public Block? Next { get; set; }
    }
}

/// <summary>A packet that was given to a link directly, or was to be, and is not acknowledged.</summary>
/// <param name="Number">Its number.</param>
/// <param name="Packet">The packet as it travels.</param>
internal readonly record struct SavedPacket(SpillNumber Number, ReadOnlyMemory<byte> Packet);
