using System;
using System.Collections.Generic;

namespace Transport.Files;

/// <summary>Jobs in order, neighbours of one directory together. Not safe for several threads: <see cref="WriterPool"/> holds its lock.</summary>
/// <remarks>Jobs are chained by themselves: with a million small entries, what a queue of its own a directory takes is more than the jobs do.</remarks>
internal sealed class JobQueue
{
    /// <summary>How many runs are looked through for one whose directory no other writer is in.</summary>
    private const int LookAhead = 8;
    private Run? _first;
    private Run? _last;

    public int Count { get; private set; }

    public void Add(OutputJob job)
    {
        if (_last is { } run && run.First.Parent == job.Parent)
        {
            run.Last.Behind = job;
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

    /// <summary>Takes some jobs of one directory: the first that no other writer is in, else the first of all.</summary>
    /// <param name="batch">Where they go; empty.</param>
    /// <param name="most">How many at most.</param>
    /// <param name="isTaken">Whether another writer is in a directory.</param>
    public void Take(List<OutputJob> batch, int most, Func<Folder, bool> isTaken)
    {
        Run? before = null, chosen = _first, previous = null;
        Run? look = _first;
        for (int i = 0; i < LookAhead && look is not null; i++)
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
            OutputJob? next = job.Behind;
            job.Behind = null;
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
