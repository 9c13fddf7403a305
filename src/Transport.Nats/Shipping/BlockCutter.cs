using System;
using System.Buffers;
using System.Threading.Tasks;
using Transport.Journal;

namespace Transport.Nats;

/// <summary>Gathers packets of a journal into blocks. One thread at a time.</summary>
/// <param name="journal">The journal's id.</param>
/// <param name="after">The position of the packet before the first one.</param>
/// <param name="target">The bytes of content at which a block is closed.</param>
/// <param name="most">The most bytes that a block may have; longer ones are cut into parts.</param>
/// <param name="compresses">Whether blocks are compressed.</param>
/// <param name="pool">Gives the memory of blocks.</param>
/// <param name="clock">The clock.</param>
/// <param name="closing">Told of each block before it is sent, with the time of its first packet.</param>
/// <param name="send">Takes each block or part: its bytes, rented from the pool and its to give back, how many they are, and the
/// header.</param>
internal sealed class BlockCutter(
    Guid journal, long after, int target, int most, bool compresses, ArrayPool<byte> pool, TimeProvider clock,
    Action<BlockHeader, DateTimeOffset> closing, Func<byte[], int, BlockHeader, ValueTask> send)
{
    /// <summary>How many blocks are not compressed behind one that did not get smaller.</summary>
    private const int NotTried = 15;

    private byte[]? _buffer;   // the header's bytes, then packets
    private int _used = BlockHeader.Size;
    private int _count;
    private int _vain;   // so many blocks are not tried
    private long _previous = after;
    private long _first;
    private long _last = after;
    private DateTimeOffset _firstTime;   // when the first one was taken into the journal
    private long _begun;   // when the block at hand got its first packet

    /// <summary>Gets a value indicating whether packets wait for their block.</summary>
    public bool HasSome => _count > 0;

    /// <summary>Gets the position of the last packet that was taken.</summary>
    public long Last => _last;

    /// <summary>Gets how long the first of those has waited.</summary>
    public TimeSpan Age => clock.GetElapsedTime(_begun);

    private int Content => _used - BlockHeader.Size;

    /// <summary>Gets a value indicating whether the block at hand has as many bytes as it should.</summary>
    public bool IsFull => Content >= target;

    /// <summary>Takes a packet, closing the block at hand first if the packet does not fit; an empty one takes any.</summary>
    /// <param name="record">The packet; its body is copied before this returns.</param>
    /// <returns>Completes when what was closed is sent.</returns>
    public ValueTask AddAsync(in JournalRecord record)
    {
        int size = BlockRecord.SizeOf(record);
        ValueTask closed = _count == 0 || Content + size <= target ? default : CloseAsync();   // the block is free when this returns
        Add(record, size);
        return closed;
    }

    private void Add(in JournalRecord record, int size)
    {
        Reserve(size);
        BlockRecord.Write(record, _buffer.AsSpan(_used));
        _used += size;
        if (_count++ == 0)
        {
            (_first, _begun, _firstTime) = (record.Position, clock.GetTimestamp(), record.Time);
        }

        _last = record.Position;
    }

    /// <summary>Says that the journal has dropped packets behind the last one.</summary>
    /// <param name="to">The last one that is gone.</param>
    public async ValueTask SkipAsync(long to)
    {
        await CloseAsync().ConfigureAwait(false);
        var gap = new BlockHeader(journal, _last, _last + 1, to, 0, 0, 0, 1, IsCompressed: false);
        byte[] block = pool.Rent(BlockHeader.Size);
        gap.Write(block.AsSpan(0, BlockHeader.Size));
        (_previous, _last) = (to, to);
        await send(block, BlockHeader.Size, gap).ConfigureAwait(false);
    }

    /// <summary>Closes the block at hand, if there is one.</summary>
    public async ValueTask CloseAsync()
    {
        if (_count == 0)
        {
            return;
        }

        byte[] block = _buffer!;
        int length = _used;
        var header = new BlockHeader(journal, _previous, _first, _last, _count, Content, 0, 1, IsCompressed: false);
        closing(header, _firstTime);
        (_buffer, _used, _count, _previous) = (null, BlockHeader.Size, 0, _last);
        if (compresses && _vain-- <= 0)
        {
            byte[] smaller = pool.Rent(length);
            if (Brotli.TryCompress(block.AsSpan(BlockHeader.Size, header.ContentBytes), smaller.AsSpan(BlockHeader.Size), out int bytes))
            {
                (block, smaller) = (smaller, block);
                (length, header) = (BlockHeader.Size + bytes, header with { IsCompressed = true });
            }
            else
            {
                _vain = NotTried;
            }

            pool.Return(smaller);
        }

        if (length <= most)
        {
            header.Write(block.AsSpan(0, length));
            await send(block, length, header).ConfigureAwait(false);
        }
        else
        {
            await CutAsync(block, length - BlockHeader.Size, header).ConfigureAwait(false);
        }
    }

    /// <summary>Sends one long packet in parts.</summary>
    private async ValueTask CutAsync(byte[] block, int bytes, BlockHeader whole)
    {
        int each = Math.Max(most - BlockHeader.Size, ((bytes - 1) / ushort.MaxValue) + 1);
        int parts = ((bytes - 1) / each) + 1;
        for (int part = 0; part < parts; part++)
        {
            int piece = Math.Min(each, bytes - (part * each));
            byte[] message = pool.Rent(BlockHeader.Size + piece);
            block.AsSpan(BlockHeader.Size + (part * each), piece).CopyTo(message.AsSpan(BlockHeader.Size));
            BlockHeader header = whole with { Part = part, Parts = parts };
            header.Write(message.AsSpan(0, BlockHeader.Size + piece));
            await send(message, BlockHeader.Size + piece, header).ConfigureAwait(false);
        }

        pool.Return(block);
    }

    private void Reserve(int size)
    {
        if (_buffer is null || _buffer.Length < _used + size)
        {
            byte[] larger = pool.Rent(Math.Max(_used + size, BlockHeader.Size + target));
            _buffer?.AsSpan(0, _used).CopyTo(larger);
            if (_buffer is not null)
            {
                pool.Return(_buffer);
            }

            _buffer = larger;
        }
    }
}
