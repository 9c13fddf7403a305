using System;
using System.Collections.Generic;

namespace Transport.Files;

/// <summary>Jobs in order, neighbours of one directory together. <see cref="WriterPool"/> holds its lock around every call.</summary>
/// <remarks>
/// Jobs are linked to each other: with a million small entries, a queue for each directory took more memory than the jobs.
/// </remarks>
internal sealed class JobQueue
{
    /// <summary>The least number of runs that are searched for one whose directory no other writer is in.</summary>
    private const int LookAhead = 8;
    private Run? _first;
    private Run? _last;

    /// <summary>Gets the number of jobs.</summary>
    public int Count { get; private set; }

    /// <summary>Adds a job.</summary>
    /// <param name="job">The job.</param>
    public void Add(OutputJob job)
    {
        if (_last is { } run && run.First.Parent == job.Parent)
        {
            run.Last.Next = job;
            run.Last = job;
        }
        else
        {
            var next = new Run(job);
            _ = _last is null ? _first = next : _last.Next = next;
            _last = next;
        }

        Count++;
    }

    /// <summary>Takes some jobs of one directory: the first one that no other writer is in, or the first of all.</summary>
    /// <param name="batch">Where they go; empty.</param>
    /// <param name="most">The most jobs to take.</param>
    /// <param name="writers">How many writers there are: as many runs are searched.</param>
    /// <param name="isTaken">Whether another writer is in a directory.</param>
    public void Take(List<OutputJob> batch, int most, int writers, Func<Folder, bool> isTaken)
    {
        Run? before = null, chosen = _first, previous = null;
        Run? look = _first;
        for (int i = 0; i < Math.Max(LookAhead, writers) && look is not null; i++)
        {
            if (!isTaken(look.First.Parent))
            {
                (before, chosen) = (previous, look);
                break;
            }

            (previous, look) = (look, look.Next);
        }

        OutputJob? job = chosen!.First;
        while (batch.Count < most && job is not null)
        {
            batch.Add(job);
            OutputJob? next = job.Next;
            job.Next = null;
            job = next;
        }

        if (job is null)
        {
            Remove(before, chosen);
        }
        else
        {
            chosen.First = job;
        }

        Count -= batch.Count;
    }

    private void Remove(Run? before, Run run)
    {
        _ = before is null ? _first = run.Next : before.Next = run.Next;
        if (_last == run)
        {
            _last = before;
        }
    }

    private sealed class Run(OutputJob job)
    {
        public OutputJob First { get; set; } = job;

        public OutputJob Last { get; set; } = job;

        public Run? Next { get; set; }
    }
}
