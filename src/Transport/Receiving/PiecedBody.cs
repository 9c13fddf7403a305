using System;
using System.Buffers;

namespace Transport;

/// <summary>A large body as it arrived, in pieces; put together when somebody asks for that. One thread at a time.</summary>
/// <param name="pieces">The pieces, on loan until <see cref="Close"/>.</param>
/// <param name="pool">Where the block comes from in which they are put together.</param>
/// <param name="handler">Who takes the packet: once it has asked for a whole body, its next ones are put together as they arrive.</param>
internal sealed class PiecedBody(ReadOnlySequence<byte> pieces, SegmentPool pool, RawHandler handler) : LentBody
{
    private Segment? _whole;
    private bool _isClosed;

    /// <inheritdoc/>
    public override ReadOnlySequence<byte> Sequence => pieces;

    /// <inheritdoc/>
    public override ReadOnlyMemory<byte> Expand()
    {
        if (_isClosed)
        {
            throw new ObjectDisposedException(nameof(PacketLease), "The packet's handler has returned.");
        }

        if (pieces.IsSingleSegment)
        {
            return pieces.First;
        }

        int length = (int)pieces.Length;
        if (_whole is null)
        {
            handler.WantsWholeBodies = true;
            _whole = pool.Rent(length);
            pieces.CopyTo(_whole.Array);
        }

        return _whole.Array.AsMemory(0, length);
    }

    /// <summary>Gives the block back; behind the end of the loan.</summary>
    public void Close()
    {
        _isClosed = true;
        if (_whole is not null)
        {
            pool.Return(_whole);
            _whole = null;
        }
    }
}
