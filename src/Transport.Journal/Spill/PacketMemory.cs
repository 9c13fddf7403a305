using System;
using System.Buffers.Binary;
using System.Collections.Generic;

namespace Transport.Journal;

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
    private int _lastAt;   // where the packet that was added last begins, in the newest block
    private SpillNumber _before;   // what was the last number before it
    private (int Asked, int Given) _surplus;   // the last block for which the pool gave more than was asked for

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

    /// <summary>Adds a packet behind all others, as one that was not sent.</summary>
    /// <param name="number">Its number.</param>
    /// <param name="packet">The packet as it travels; copied.</param>
    /// <returns>False: there is no capacity, and nothing has changed.</returns>
    /// <exception cref="OutOfMemoryException">The pool has no memory; nothing has changed.</exception>
    public bool TryAdd(SpillNumber number, ReadOnlySpan<byte> packet)
    {
        if (!Fits(_newest, packet.Length) && !TryAppendBlock(packet.Length))
        {
            return false;
        }

        Put(number, packet);
        return true;
    }

    /// <summary>As <see cref="TryAdd"/>, whether there is capacity or not.</summary>
    public void Add(SpillNumber number, ReadOnlySpan<byte> packet)
    {
        if (!Fits(_newest, packet.Length))
        {
            Append(new Block(_pool.Rent(SizeFor(packet.Length))));
        }

        Put(number, packet);
    }

    /// <summary>Takes back the packet that was added last; nothing else was added, sent or rewound since.</summary>
    public void RemoveLast()
    {
        Block block = _newest!;
        block.End = _lastAt;
        Last = _before;
        if (ReferenceEquals(block, _unsent) && _unsentAt == block.End)
        {
            _unsent = null;
        }

        if (block.Start == block.End)
        {
            Remove(block);
        }
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
                Remove(block);
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

    private static bool Fits(Block? block, int length) => block is not null && block.Array.Length - block.End >= LengthBytes + length;

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

    private bool IsBeyondLimit(int more) => _oldest is not null && Bytes + more > _limit;

    private bool TryAppendBlock(int length)
    {
        int size = SizeFor(length);
        if (IsBeyondLimit(size == _surplus.Asked ? _surplus.Given : size))
        {
            return false;
        }

        // What counts is what the memory costs. A source that the application gave may give more than was asked for.
        var block = new Block(_pool.Rent(size));
        _surplus = block.Array.Length > size ? (size, block.Array.Length) : _surplus;
        if (IsBeyondLimit(block.Array.Length))
        {
            _pool.Return(block.Segment);
            return false;
        }

        Append(block);
        return true;
    }

    private void Append(Block block)
    {
        Bytes += block.Array.Length;
        if (_newest is null)
        {
            _oldest = block;
        }
        else
        {
            _newest.Next = block;
        }

        _newest = block;
    }

    private void Put(SpillNumber number, ReadOnlySpan<byte> packet)
    {
        Block block = _newest!;
        (_lastAt, _before, Last) = (block.End, Last, number);
        if (_unsent is null)
        {
            (_unsent, _unsentAt) = (block, block.End);
        }

        BinaryPrimitives.WriteInt32LittleEndian(block.Array.AsSpan(block.End), packet.Length);
        packet.CopyTo(block.Array.AsSpan(block.End + LengthBytes));
        block.End += LengthBytes + packet.Length;
    }

    /// <summary>Gives back the oldest block, or the newest.</summary>
    private void Remove(Block block)
    {
        if (ReferenceEquals(block, _oldest))
        {
            _oldest = block.Next;
            _newest = _oldest is null ? null : _newest;
        }
        else
        {
            Block before = _oldest!;
            while (!ReferenceEquals(before.Next, block))
            {
                before = before.Next!;
            }

            before.Next = null;
            _newest = before;
        }

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
