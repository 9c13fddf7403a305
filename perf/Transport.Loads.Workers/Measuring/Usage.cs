using System;
using System.Diagnostics;
using System.Globalization;

namespace Transport.Loads.Measuring;

/// <summary>What this process has used: taken before and after the measured part, the difference is its cost.</summary>
/// <param name="Ticks">Stopwatch ticks.</param>
/// <param name="CpuMicros">User and kernel time of all threads, in microseconds (getrusage, so not in steps of 10 ms).</param>
/// <param name="Allocated">Bytes allocated on the managed heap by all threads; 0 on Mono, which does not count them.</param>
/// <param name="Compiled">Methods compiled, those that were compiled once more with what the runtime has learned included; 0 on Mono, which
/// compiles once.</param>
internal readonly record struct Usage(long Ticks, double CpuMicros, long Allocated, long Compiled = 0)
{
    public double Seconds => (double)Ticks / Stopwatch.Frequency;

    public static Usage Now()
    {
#if NET
        long allocated = GC.GetTotalAllocatedBytes(precise: true);
        return new Usage(Stopwatch.GetTimestamp(), Environment.CpuUsage.TotalTime.TotalMicroseconds, allocated,
            System.Runtime.JitInfo.GetCompiledMethodCount());
#else
        return new Usage(Stopwatch.GetTimestamp(), CpuTime.OfThisProcess(), 0);
#endif
    }

    public static Usage operator -(Usage after, Usage before) => new(after.Ticks - before.Ticks, after.CpuMicros - before.CpuMicros,
        after.Allocated - before.Allocated, after.Compiled - before.Compiled);

    /// <summary>Reads what <see cref="ToString"/> wrote in another process.</summary>
    public static Usage Parse(string text)
    {
        string[] parts = text.Split(' ');
        return new Usage(long.Parse(parts[0], CultureInfo.InvariantCulture), double.Parse(parts[1], CultureInfo.InvariantCulture),
            long.Parse(parts[2], CultureInfo.InvariantCulture), long.Parse(parts[3], CultureInfo.InvariantCulture));
    }

    public override string ToString() => FormattableString.Invariant($"{Ticks} {CpuMicros:f0} {Allocated} {Compiled}");
}
