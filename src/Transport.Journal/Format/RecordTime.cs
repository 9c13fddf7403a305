using System;

namespace Transport.Journal;

/// <summary>Times in records: 100 ns ticks since 1970, UTC.</summary>
internal static class RecordTime
{
    private const long EpochTicks = 621_355_968_000_000_000;

    public static long Of(DateTimeOffset time) => time.UtcTicks - EpochTicks;

    /// <summary>A time from the year 1 to 9999, whatever the number.</summary>
    public static DateTimeOffset From(long ticks) =>
        new(Math.Min(Math.Max(ticks, DateTimeOffset.MinValue.Ticks - EpochTicks), DateTimeOffset.MaxValue.Ticks - EpochTicks) + EpochTicks,
            TimeSpan.Zero);
}
