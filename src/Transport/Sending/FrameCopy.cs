using System;

namespace Transport;

/// <summary>Copies bytes into a packet that is being written.</summary>
internal static class FrameCopy
{
    /// <summary>Copies all bytes, into as many frames as they need.</summary>
    public static void Copy(this FrameWriter frames, ReadOnlySpan<byte> bytes)
    {
        while (bytes.Length > 0)
        {
            Span<byte> target = frames.GetSpan(1);
            int piece = Math.Min(target.Length, bytes.Length);
            bytes.Slice(0, piece).CopyTo(target);
            frames.Advance(piece);
            bytes = bytes.Slice(piece);
        }
    }
}
