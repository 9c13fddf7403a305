using System;
using System.Buffers.Binary;

namespace Transport;

/// <summary>MessagePack's timestamp extension (type -1): seconds since 1970 and nanoseconds, in 32, 64 or 96 bits.</summary>
internal static class Timestamp
{
    public const int LongestSize = 15;

    private const long EpochTicks = 621_355_968_000_000_000;
    private const uint NanosecondsPerTick = 100;
    private const uint MaxNanoseconds = 999_999_999;
    private const int SecondBits64 = 34;

    private static readonly long MinSecond = (DateTimeOffset.MinValue.Ticks - EpochTicks) / TimeSpan.TicksPerSecond;
    private static readonly long MaxSecond = (DateTimeOffset.MaxValue.Ticks - EpochTicks) / TimeSpan.TicksPerSecond;

    public static (long Seconds, uint Nanoseconds) Split(DateTimeOffset value)
    {
        // Both counts start at second 0 of the year 1, so that the rest is never negative, also before 1970.
        long seconds = value.UtcTicks / TimeSpan.TicksPerSecond;
        uint rest = (uint)(value.UtcTicks - (seconds * TimeSpan.TicksPerSecond));
        return (seconds - (EpochTicks / TimeSpan.TicksPerSecond), rest * NanosecondsPerTick);
    }

    /// <summary>Writes the whole extension with its header in its shortest form; returns its bytes.</summary>
    public static int Write(Span<byte> to, long seconds, uint nanoseconds)
    {
        if (nanoseconds == 0 && seconds is >= 0 and <= uint.MaxValue)
        {
            to[0] = MessagePackCode.FixExt4;
            to[1] = unchecked((byte)MessagePackCode.TimestampExt);
            BinaryPrimitives.WriteUInt32BigEndian(to.Slice(2), (uint)seconds);
            return 6;
        }

        if (seconds >> SecondBits64 == 0)
        {
            to[0] = MessagePackCode.FixExt8;
            to[1] = unchecked((byte)MessagePackCode.TimestampExt);
            BinaryPrimitives.WriteUInt64BigEndian(to.Slice(2), ((ulong)nanoseconds << SecondBits64) | (ulong)seconds);
            return 10;
        }

        to[0] = MessagePackCode.Ext8;
        to[1] = 12;
        to[2] = unchecked((byte)MessagePackCode.TimestampExt);
        BinaryPrimitives.WriteUInt32BigEndian(to.Slice(3), nanoseconds);
        BinaryPrimitives.WriteInt64BigEndian(to.Slice(7), seconds);
        return LongestSize;
    }

    /// <summary>Reads the extension's bytes; false, with the reason, if they are no time from the year 1 to 9999.</summary>
    public static bool TryRead(ReadOnlySpan<byte> bytes, out DateTimeOffset value, out string? actual)
    {
        value = default;
        actual = null;
        long seconds;
        uint nanoseconds = 0;
        switch (bytes.Length)
        {
            case 4:
                seconds = BinaryPrimitives.ReadUInt32BigEndian(bytes);
                break;
            case 8:
                ulong both = BinaryPrimitives.ReadUInt64BigEndian(bytes);
                seconds = (long)(both & ((1UL << SecondBits64) - 1));
                nanoseconds = (uint)(both >> SecondBits64);
                break;
            case 12:
                nanoseconds = BinaryPrimitives.ReadUInt32BigEndian(bytes);
                seconds = BinaryPrimitives.ReadInt64BigEndian(bytes.Slice(4));
                break;
            default:
                actual = $"one of {bytes.Length} bytes";
                return false;
        }

        if (nanoseconds > MaxNanoseconds)
        {
            actual = $"{nanoseconds} nanoseconds";
            return false;
        }

        if (seconds < MinSecond || seconds > MaxSecond)
        {
            actual = $"second {seconds} since 1970";
            return false;
        }

        value = new DateTimeOffset(EpochTicks + (seconds * TimeSpan.TicksPerSecond) + (nanoseconds / NanosecondsPerTick), TimeSpan.Zero);
        return true;
    }
}
