using System;
using System.Collections.Generic;
using System.Diagnostics;
using System.Linq;
using System.Threading;
using System.Threading.Tasks;

namespace Transport.Chaos.Soaking;

/// <summary>Nothing is waited for without a bound and a name. Past the end of the whole run it says what is still waited for, and ends the
/// process.</summary>
internal sealed class Watchdog : IDisposable
{
    /// <summary>Far above what a slow machine needs; what takes longer hangs.</summary>
    private static readonly TimeSpan Bound = TimeSpan.FromSeconds(40);

    private readonly Lock _gate = new();
    private readonly Dictionary<string, long> _waits = [];
    private readonly Timer _timer;

    /// <param name="most">How long the run may take.</param>
    /// <param name="late">Called with what is still waited for when it takes longer; ends the process.</param>
    public Watchdog(TimeSpan most, Action<string> late)
    {
        _timer = new Timer(_ => late($"the run hangs after {most.TotalSeconds:0} s; it waits for: {string.Join("; ", Waits())}"), null,
            most, Timeout.InfiniteTimeSpan);
    }

    /// <summary>Awaits a task.</summary>
    /// <param name="task">The task.</param>
    /// <param name="what">What is waited for; no two at once may be called alike.</param>
    /// <exception cref="TimeoutException">It took longer than anything may.</exception>
    public async Task<T> Within<T>(Task<T> task, string what)
    {
        lock (_gate)
        {
            _waits[what] = Stopwatch.GetTimestamp();
        }

        try
        {
            return await task.WaitAsync(Bound);
        }
        catch (TimeoutException late) when (!task.IsCompleted)
        {
            throw new TimeoutException($"hang: after {Bound.TotalSeconds} s still waiting for {what}", late);
        }
        finally
        {
            lock (_gate)
            {
                _waits.Remove(what);
            }
        }
    }

    public void Dispose() => _timer.Dispose();

    private IEnumerable<string> Waits()
    {
        lock (_gate)
        {
            return _waits.Select(w => FormattableString.Invariant($"{w.Key} ({Stopwatch.GetElapsedTime(w.Value).TotalSeconds:0.0} s)"))
                .ToArray();
        }
    }
}
