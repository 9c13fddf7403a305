using System;
using System.IO;

namespace Transport.Loads.Events;

/// <summary>A stream of so many bytes that stand nowhere: each says its place, so that a receiver sees whether one is lost or
/// moved.</summary>
internal sealed class CountingStream(long length) : Stream
{
    private const int Period = 251;   // a prime: no block of the link repeats the pattern
    private static readonly byte[] s_pattern = MakePattern();

    private long _position;

    public override bool CanRead => true;

    public override bool CanSeek => false;

    public override bool CanWrite => false;

    public override long Length => throw new NotSupportedException();

    public override long Position
    {
        get => throw new NotSupportedException();
        set => throw new NotSupportedException();
    }

    /// <summary>Checks whether these are the bytes of a place in it.</summary>
    public static bool IsPart(ReadOnlySpan<byte> bytes, long position)
    {
        while (bytes.Length > 0)
        {
            ReadOnlySpan<byte> expected = From(position, bytes.Length);
            if (!bytes[..expected.Length].SequenceEqual(expected))
            {
                return false;
            }

            position += expected.Length;
            bytes = bytes[expected.Length..];
        }

        return true;
    }

    public override int Read(Span<byte> buffer)
    {
        ReadOnlySpan<byte> bytes = From(_position, (int)Math.Min(buffer.Length, length - _position));
        bytes.CopyTo(buffer);
        _position += bytes.Length;
        return bytes.Length;
    }

    public override int Read(byte[] buffer, int offset, int count) => Read(buffer.AsSpan(offset, count));

    public override void Flush()
    {
    }

    public override long Seek(long offset, SeekOrigin origin) => throw new NotSupportedException();

    public override void SetLength(long value) => throw new NotSupportedException();

    public override void Write(byte[] buffer, int offset, int count) => throw new NotSupportedException();

    private static ReadOnlySpan<byte> From(long position, int most)
    {
        int at = (int)(position % Period);
        return s_pattern.AsSpan(at, Math.Min(most, s_pattern.Length - at));
    }

    private static byte[] MakePattern()
    {
        byte[] pattern = new byte[256 * Period];
        for (int i = 0; i < pattern.Length; i++)
        {
            pattern[i] = (byte)(i % Period);
        }

        return pattern;
    }
}
