using System;
using System.IO;

namespace Transport.Files.Tests.Kit;

/// <summary>Bytes that depend on their place, so that a lost or doubled piece is noticed.</summary>
internal static class Content
{
    public static byte[] Of(int length, int seed = 1)
    {
        byte[] bytes = new byte[length];
        uint state = (uint)(seed * 2654435761) | 1;
        for (int i = 0; i < length; i++)
        {
            state ^= state << 13;
            state ^= state >> 17;
            state ^= state << 5;
            bytes[i] = (byte)state;
        }

        return bytes;
    }

    /// <summary>A stream with a maximum of bytes per read, which can fail at its end.</summary>
    public sealed class Dribble(byte[] bytes, int most, Exception? atEnd = null) : MemoryStream(bytes)
    {
        public override int Read(byte[] buffer, int offset, int count)
        {
            int read = base.Read(buffer, offset, Math.Min(count, most));
            return read == 0 && atEnd is not null ? throw atEnd : read;
        }
    }
}
