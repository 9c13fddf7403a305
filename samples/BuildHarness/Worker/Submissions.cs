using System;
using System.Collections.Concurrent;
using System.Threading;
using BuildHarness.Packets;
using Microsoft.Build.Framework;

namespace BuildHarness.Worker;

/// <summary>The requests that MSBuild is on, by the number that it writes into their events, and what those events say of each. Safe from
/// any thread.</summary>
/// <param name="evaluations">What projects were evaluated to.</param>
/// <param name="clock">Tells how long a request stands still.</param>
internal sealed class Submissions(Evaluations evaluations, TimeProvider clock)
{
    private readonly ConcurrentDictionary<int, Submission> _open = new();
    private long _events;   // by Interlocked

    /// <summary>Gets how many events there were.</summary>
    public long Events => Interlocked.Read(ref _events);

    /// <summary>Notes a request, before MSBuild begins it.</summary>
    public Submission Add(int submission, int request) => _open[submission] = new Submission(request, clock.GetTimestamp());

    /// <summary>Forgets one that has ended.</summary>
    public void Remove(int submission) => _open.TryRemove(submission, out _);

    /// <summary>Returns which request a submission builds; -1: none.</summary>
    public int RequestOf(int submission) => _open.TryGetValue(submission, out Submission? one) ? one.Request : -1;

    /// <summary>Whether a request is open, has no target of its own begun, and has been so for a while.</summary>
    /// <returns>Null: it is not open.</returns>
    public bool? StandsStill(int request, TimeSpan since)
    {
        foreach (Submission one in _open.Values)
        {
            if (one.Request == request)
            {
                return Volatile.Read(ref one.OpenTargets) == 0 && clock.GetElapsedTime(Volatile.Read(ref one.LastEvent)) > since;
            }
        }

        return null;
    }

    /// <summary>Takes an event; on the thread that raises it.</summary>
    public void See(BuildEventArgs args)
    {
        Interlocked.Increment(ref _events);
        if (args.BuildEventContext is not { } context || !_open.TryGetValue(context.SubmissionId, out Submission? one))
        {
            return;
        }

        Volatile.Write(ref one.LastEvent, clock.GetTimestamp());
        switch (args)
        {
            case BuildErrorEventArgs:
                Interlocked.Increment(ref one.Errors);
                break;
            case ProjectStartedEventArgs when !one.HasStarted:
                one.Project = evaluations.Of(args);
                one.HasStarted = true;
                break;
            case TargetStartedEventArgs:
                Interlocked.Increment(ref one.OpenTargets);
                break;
            case TargetFinishedEventArgs:
                Interlocked.Decrement(ref one.OpenTargets);
                break;
        }
    }
}

/// <summary>A request that MSBuild is on.</summary>
internal sealed class Submission(int request, long now)
{
    /// <summary>By Volatile, the next two by Interlocked too: raised by the threads that build, read by who watches.</summary>
    public long LastEvent = now;

    public int OpenTargets, Errors;

    private volatile ProjectEvaluated? _project;   // set by the thread that begins the project, read by the one that ends it
    private volatile bool _hasStarted;             // likewise

    public int Request => request;

    /// <summary>Gets or sets a value indicating whether its project has begun: not if all that it asks for was known.</summary>
    public bool HasStarted
    {
        get => _hasStarted;
        set => _hasStarted = value;
    }

    /// <summary>Gets or sets what its project was evaluated to, or null.</summary>
    public ProjectEvaluated? Project
    {
        get => _project;
        set => _project = value;
    }
}
