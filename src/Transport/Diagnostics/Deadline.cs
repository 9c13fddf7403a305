using System;
using System.Threading;

namespace Transport;

/// <summary>The end of a time that began when this was made, by a clock.</summary>
/// <param name="clock">The clock.</param>
/// <param name="limit">The time; <see cref="Timeout.InfiniteTimeSpan"/>: without end.</param>
internal readonly struct Deadline(TimeProvider clock, TimeSpan limit)
{
    private readonly long _begun = clock.GetTimestamp();

    /// <summary>Gets the whole time.</summary>
    public TimeSpan Limit => limit;

    /// <summary>Gets what is left of the time, never less than zero.</summary>
    public TimeSpan Left
    {
        get
        {
            if (limit == Timeout.InfiniteTimeSpan)
            {
                return limit;
            }

            TimeSpan elapsed = clock.GetElapsedTime(_begun);
            return limit > elapsed ? limit - elapsed : TimeSpan.Zero;   // compared first: the least time minus any other overflows
        }
    }
}
