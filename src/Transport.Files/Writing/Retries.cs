using System;
using System.Diagnostics;
using System.Threading;

namespace Transport.Files;

/// <summary>Tries again what failed for a moment: pauses of 5 ms that double up to 640 ms, until an operation's time is over. Counts. Safe for any thread.</summary>
internal sealed class Retries(TimeSpan retryFor, ChromeTrace? trace)
{
    private const int FirstPauseMs = 5;
    private const int LongestPauseMs = 640;
    private readonly ManualResetEventSlim _never = new();
    private readonly Writer _trace = new(trace, "retries");
    private long _count;
    private long _waited;

    public long Count => Volatile.Read(ref _count);

    /// <summary>Gets the pauses added up.</summary>
    public TimeSpan Waited => TimeSpan.FromSeconds(Volatile.Read(ref _waited) / (double)Stopwatch.Frequency);

    /// <summary>Pauses before another try.</summary>
    /// <param name="tries">The caller's count of this operation's tries, 0 at first.</param>
    /// <param name="what">What is tried, for the trace.</param>
    /// <returns>False: its time is over, the failure stands.</returns>
    public bool Again(ref int tries, string what)
    {
        int pause = Math.Min(FirstPauseMs << Math.Min(tries, 7), LongestPauseMs);
        int before = tries < 8 ? (FirstPauseMs << tries) - FirstPauseMs : (FirstPauseMs << 8) - FirstPauseMs + ((tries - 8) * LongestPauseMs);
        if (before + pause > retryFor.TotalMilliseconds)
        {
            return false;
        }

        tries++;
        long from = Stopwatch.GetTimestamp(), traced = _trace.Now;
        _never.Wait(pause);
        Interlocked.Add(ref _waited, Stopwatch.GetTimestamp() - from);
        Interlocked.Increment(ref _count);
        _trace.Span("retry", traced, what);
        return true;
    }
}
