using System;
using System.Collections.Generic;
using System.Linq;

namespace BuildHarness.Scheduling;

/// <summary>Finds out whether requests that may wait for each other do: their workers are asked to watch them, and nothing may happen in any worker
/// from one answer of all to the next. Of the <see cref="Schedule"/>'s thread.</summary>
internal sealed class Standstill
{
    private int _round;

    /// <summary>Something has happened: what was said before counts no more.</summary>
    /// <param name="suspects">All that could go on, if each of them may wait for another; else null.</param>
    /// <returns>What to ask.</returns>
    public IEnumerable<ScheduleMove> Begin(ScheduledRequest[]? suspects)
    {
        _round++;
        foreach (ScheduledRequest request in suspects ?? [])
        {
            request.Events = -1;
        }

        return Ask(suspects ?? []);
    }

    /// <summary>A request stands still.</summary>
    /// <param name="request">The request.</param>
    /// <param name="round">When its worker was asked.</param>
    /// <param name="events">How many events its worker has had.</param>
    /// <param name="suspects">All that could go on.</param>
    /// <param name="isProven">All stand still, and have at the same time.</param>
    /// <returns>What to ask.</returns>
    public IEnumerable<ScheduleMove> Take(ScheduledRequest request, int round, long events, ScheduledRequest[] suspects, out bool isProven)
    {
        isProven = false;
        if (round != _round)
        {
            return [];
        }

        (request.IsStill, request.HasHappened, request.Events) = (true, request.Events != events, events);
        if (!Array.TrueForAll(suspects, one => one.IsStill))
        {
            return [];
        }

        // One may have gone on after it stood still, while another still did.
        isProven = !Array.Exists(suspects, one => one.HasHappened);
        return isProven ? [] : Ask(suspects);
    }

    private ScheduleMove[] Ask(ScheduledRequest[] suspects)
    {
        _round++;
        Array.ForEach(suspects, static request => request.IsStill = false);
        return [.. suspects.Select(request => new ScheduleMove.Watch(request.Node!, request, _round))];
    }
}
