using System;

namespace Transport;

/// <content>A formatter that asks for more bytes than a frame holds gets a large block, cut into frames afterwards.</content>
internal sealed partial class FrameWriter
{
    private void AdvanceScratch(int count)
    {
        Segment scratch = _scratch!;
        if ((uint)count > (uint)scratch.Capacity)
        {
            throw new ArgumentOutOfRangeException(nameof(count), count, "More bytes than the span that was given holds.");
        }

        _scratch = null;
        try
        {
            for (int done = 0; done < count;)
            {
                (byte[] array, int from, int capacity) = Capacity(1);
                int piece = Math.Min(capacity, count - done);
                scratch.Array.AsSpan(done, piece).CopyTo(array.AsSpan(from));
                _at += piece;
                done += piece;
            }
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
}
