using System;
using System.Collections.Generic;
using System.Linq;
using BuildHarness.Scheduling;

namespace BuildHarness.Building;

/// <summary>How long each project was built, without the time in which it waited for others. One thread.</summary>
/// <param name="clock">The time.</param>
/// <param name="trace">Takes each piece, or null.</param>
internal sealed class BuildClock(TimeProvider clock, BuildTrace? trace)
{
    private readonly Dictionary<ScheduledRequest, long> _since = [];
    private readonly Dictionary<Configuration, TimeSpan> _spent = [];

    /// <summary>Returns how long a project was built, in ms.</summary>
    public long Of(Configuration project) => (long)_spent.GetValueOrDefault(project).TotalMilliseconds;

    /// <summary>A request begins or goes on, unless it waits for something.</summary>
    public void Go(ScheduledRequest request)
    {
        if (request.IsRunning)
        {
            _since.TryAdd(request, clock.GetTimestamp());
        }
    }

    /// <summary>A request waits, or is over.</summary>
    /// <param name="request">The request.</param>
    /// <param name="where">Who has it.</param>
    /// <param name="what">Why, for the trace.</param>
    public void Stop(ScheduledRequest request, string where, string what)
    {
        if (_since.Remove(request, out long since))
        {
            Configuration one = request.Configuration;
            _spent[one] = _spent.GetValueOrDefault(one) + clock.GetElapsedTime(since);
            if (one.IsProject)
            {
                trace?.Project(where, one.Title, since, what);
            }
        }
    }
}
