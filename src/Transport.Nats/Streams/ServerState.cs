using System;
using System.Threading;

namespace Transport.Nats;

/// <summary>Whether the server can be used, and since when. Safe for any thread.</summary>
/// <param name="report">Takes each problem once, and that it is over; null: nobody.</param>
/// <param name="goesOn">The line that says so.</param>
/// <param name="clock">The clock.</param>
internal sealed class ServerState(Action<string>? report, string goesOn, TimeProvider clock)
{
    private readonly Lock _gate = new();
    private string? _problem;   // under the lock, as the next
    private long _worked = clock.GetTimestamp();

    /// <summary>Gets why it cannot be used; null if it can.</summary>
    public string? Problem
    {
        get
        {
            lock (_gate)
            {
                return _problem;
            }
        }
    }

    /// <summary>Gets when it was last of use, or when this was made, as the clock's timestamp.</summary>
    public long Worked
    {
        get
        {
            lock (_gate)
            {
                return _worked;
            }
        }
    }

    /// <summary>Notes that it is of use.</summary>
    public void Works()
    {
        if (Change(null))
        {
            report?.Invoke(goesOn);
        }
    }

    /// <summary>Notes why it is not.</summary>
    public void Fails(string problem)
    {
        if (Change(problem))
        {
            report?.Invoke(problem);
        }
    }

    /// <returns>Whether that is news.</returns>
    private bool Change(string? problem)
    {
        lock (_gate)
        {
            bool isNews = _problem != problem;
            _problem = problem;
            _worked = problem is null ? clock.GetTimestamp() : _worked;
            return isNews;
        }
    }
}
