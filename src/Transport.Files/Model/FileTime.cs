using System;

namespace Transport.Files;

/// <summary>
/// A time of a file as file systems keep it: seconds and nanoseconds since 1970-01-01 00:00 UTC. Seconds may be negative.
/// </summary>
/// <param name="Seconds">Seconds since 1970, rounded down.</param>
/// <param name="Nanoseconds">0 to 999,999,999, counted forward from <paramref name="Seconds"/>.</param>
public readonly record struct FileTime(long Seconds, int Nanoseconds = 0)
{
    private const int NanosecondsPerTick = 100;

    /// <summary>Converts a time of .NET, which has a resolution of 100 ns.</summary>
    /// <param name="time">The time, of any offset.</param>
    /// <returns>The same instant.</returns>
    public static FileTime From(DateTimeOffset time) =>
        new(time.ToUnixTimeSeconds(), (int)(time.UtcTicks % TimeSpan.TicksPerSecond) * NanosecondsPerTick);

    /// <summary>Converts to a time of .NET: rounded down to 100 ns, and limited to the years 1 to 9999.</summary>
    /// <returns>The time, in UTC.</returns>
    public DateTimeOffset ToDateTimeOffset()
    {
        long least = -Epoch / TimeSpan.TicksPerSecond, most = (DateTimeOffset.MaxValue.UtcTicks - Epoch) / TimeSpan.TicksPerSecond;
        return Seconds < least ? DateTimeOffset.MinValue
            : Seconds > most ? DateTimeOffset.MaxValue
            : new DateTimeOffset(Epoch + (Seconds * TimeSpan.TicksPerSecond) + (Nanoseconds / NanosecondsPerTick), TimeSpan.Zero);
    }

    /// <summary>Returns the time in UTC, as 2026-11-22T08:30:00.000000001Z; outside of the years 1 to 9999 the two numbers.</summary>
    /// <returns>The text.</returns>
    public override string ToString()
    {
        DateTimeOffset time = ToDateTimeOffset();
        return time.ToUnixTimeSeconds() == Seconds && Nanoseconds is >= 0 and <= 999_999_999
            ? FormattableString.Invariant($"{time:yyyy-MM-ddTHH:mm:ss}.{Nanoseconds:d9}Z")
            : FormattableString.Invariant($"{Seconds} s and {Nanoseconds} ns since 1970");
    }

    private static long Epoch => 621_355_968_000_000_000;
}
