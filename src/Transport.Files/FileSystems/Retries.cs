using System;
using System.Diagnostics;
using System.Threading;

namespace Transport.Files;

/// <summary>
/// Retries operations that fail for a moment: pauses of 5 ms that double up to 640 ms, until the operation's time is over. Safe for any
/// thread.
/// </summary>
internal sealed class Retries
{
    private const int FirstPauseMs = 5;
    private const int LongestPauseMs = 640;
    private const int Doublings = 7;   // from the first pause to the longest
    private readonly object _gate = new();
    private readonly ManualResetEventSlim _never = new();
    private readonly TimeSpan _retryFor;
    private readonly SpanReports _spans;
    private long _count;
    private long _waited;

    /// <summary>Initializes a new instance of the <see cref="Retries"/> class.</summary>
    /// <param name="retryFor">How long one operation is retried.</param>
    /// <param name="report">Who hears of pauses, or null.</param>
    public Retries(TimeSpan retryFor, Action<FileSpan>? report)
    {
        _retryFor = retryFor;
        _spans = new SpanReports(report, "retries");
    }

    /// <summary>Gets the number of retries so far.</summary>
    public long Count
    {
        get
        {
            lock (_gate)
            {
                return _count;
            }
        }
    }

    /// <summary>Gets the sum of all pauses.</summary>
    public TimeSpan Waited
    {
        get
        {
            lock (_gate)
            {
                return TimeSpan.FromSeconds(_waited / (double)Stopwatch.Frequency);
            }
        }
    }

    /// <summary>Pauses before another attempt.</summary>
    /// <param name="attempts">The caller's count of failed attempts of this operation, 0 at first.</param>
    /// <param name="what">What is attempted, as spans name it.</param>
    /// <returns>False if the operation's time is over: the failure stands.</returns>
    public bool TryPause(ref int attempts, string what)
    {
        int pause = Math.Min(FirstPauseMs << Math.Min(attempts, Doublings), LongestPauseMs);
        int doubled = Math.Min(attempts, Doublings + 1);
        int before = (FirstPauseMs << doubled) - FirstPauseMs + ((attempts - doubled) * LongestPauseMs);
        if (before + pause > _retryFor.TotalMilliseconds)
        {
            return false;
        }

        attempts++;
        long from = Stopwatch.GetTimestamp();
        _never.Wait(pause);
        lock (_gate)
        {
            _waited += Stopwatch.GetTimestamp() - from;
            _count++;
        }

        _spans.Span("retry", from, what);
        return true;
    }
}
