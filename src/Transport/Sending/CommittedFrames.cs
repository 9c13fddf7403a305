using System;
using System.Collections.Generic;

namespace Transport;

/// <summary>The frames of a packet that was ended, as they will be written; a control frame in front is no part of it.</summary>
/// <param name="full">Segments before the open one that hold parts of it.</param>
/// <param name="open">The open segment.</param>
/// <param name="from">Where the packet begins in the first of them.</param>
/// <param name="end">Where it ends in the open segment.</param>
internal readonly ref struct CommittedFrames(List<Segment> full, Segment open, int from, int end)
{
    /// <summary>Gets how many pieces of memory they are in.</summary>
    public int Pieces => full.Count + 1;

    /// <summary>Gets their bytes.</summary>
    public long Length
    {
        get
        {
            long length = end - from;
            foreach (Segment segment in full)
            {
                length += segment.Used;
            }

            return length;
        }
    }

    /// <summary>Returns a piece. What is skipped at the head may reach over the first segments.</summary>
    public ArraySegment<byte> Piece(int index)
    {
        int skip = from;
        for (int i = 0; i < index; i++)
        {
            skip -= Math.Min(skip, full[i].Used);
        }

        Segment segment = index < full.Count ? full[index] : open;
        int used = index < full.Count ? segment.Used : end;
        int start = Math.Min(skip, used);
        return new ArraySegment<byte>(segment.Array, start, used - start);
    }
}
