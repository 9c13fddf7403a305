using System;
using System.Buffers.Binary;
using System.Collections.Generic;
using System.IO;
using System.Threading;
using System.Threading.Tasks;

namespace Transport;

/// <summary>What was read of a stream that becomes a packet, in segments: no block holds all of it.</summary>
/// <param name="pool">Rents the segments.</param>
/// <param name="type">The packet's type, for errors.</param>
/// <param name="most">The most bytes that its body may have.</param>
internal sealed class StreamPieces(SegmentPool pool, ushort type, int most) : IDisposable
{
    private readonly List<Segment> _pieces = [];

    /// <summary>Gets how many bytes were read.</summary>
    public long Length { get; private set; }

    /// <summary>Reads a stream.</summary>
    /// <param name="stream">The stream.</param>
    /// <param name="length">How many bytes; null: to its end.</param>
    /// <param name="cancellationToken">Ends it.</param>
    /// <exception cref="EndOfStreamException">It ended before that.</exception>
    /// <exception cref="TransportException"><see cref="TransportFault.PacketTooLarge"/>.</exception>
    public async Task ReadAsync(Stream stream, long? length, CancellationToken cancellationToken)
    {
        CheckSize(length ?? 0);
        while (Length != length)
        {
            long left = (length ?? long.MaxValue) - Length;
            Segment piece = Last(left);
            int wanted = (int)Math.Min(left, piece.Capacity - piece.Used);
            int read = await stream.ReadAsync(piece.Array, piece.Used, wanted, cancellationToken).ConfigureAwait(false);
            if (read == 0)
            {
                if (length is null)
                {
                    return;
                }

                throw new EndOfStreamException(
                    $"A packet of type {type} was to have {length} bytes, and its stream ended after {Length}: it was not sent.");
            }

            piece.Used += read;
            Length += read;
            CheckSize(Length);
        }
    }

    /// <summary>Copies all of it into a packet that is being written.</summary>
    public void CopyTo(FrameWriter frames)
    {
        foreach (Segment piece in _pieces)
        {
            frames.Copy(piece.Array.AsSpan(0, piece.Used));
        }
    }

    public void Dispose()
    {
        foreach (Segment piece in _pieces)
        {
            pool.Return(piece);
        }

        _pieces.Clear();
    }

    private Segment Last(long left)
    {
        Segment? last = _pieces.Count > 0 ? _pieces[_pieces.Count - 1] : null;
        if (last is null || last.Used == last.Capacity)
        {
            last = pool.Rent((int)Math.Min(left, SegmentPool.Largest));
            _pieces.Add(last);
        }

        return last;
    }

    private void CheckSize(long length)
    {
        if (length + StreamBody.MostHead > most)
        {
            throw new TransportException(
                TransportFault.PacketTooLarge,
                $"A packet of type {type} with {length} bytes and more of a stream is larger than {most} bytes, the most that the peer "
                    + "takes (its LinkOptions.MaxPacketBytes): split it, or let the peer allow more.");
        }
    }
}

/// <summary>A packet whose body is one bin: what was read of a stream.</summary>
internal readonly struct StreamBody(ushort type, StreamPieces pieces) : IPacketBody
{
    /// <summary>The most bytes in front of the content.</summary>
    public const int MostHead = 5;

    public ushort Type => type;

    public int KnownSize => (int)pieces.Length + (pieces.Length <= byte.MaxValue ? 2 : pieces.Length <= ushort.MaxValue ? 3 : MostHead);

    public PacketLevel Level => PacketLevel.None;

    public bool UsesTables => false;

    public bool IsAwaited => false;

    public void WriteTo(FrameWriter frames)
    {
        Span<byte> head = frames.GetSpan(MostHead);
        int length = (int)pieces.Length;
        int size = KnownSize - length;
        head[0] = size switch { 2 => MessagePackCode.Bin8, 3 => MessagePackCode.Bin16, _ => MessagePackCode.Bin32 };
        switch (size)
        {
            case 2:
                head[1] = (byte)length;
                break;
            case 3:
                BinaryPrimitives.WriteUInt16BigEndian(head.Slice(1), (ushort)length);
                break;
            default:
                BinaryPrimitives.WriteInt32BigEndian(head.Slice(1), length);
                break;
        }

        frames.Advance(size);
        pieces.CopyTo(frames);
    }
}
