using System;
using System.Collections.Generic;
using Transport.Files.Trees;

namespace Transport.Files.Writing;

/// <summary>Jobs in order, neighbours of one directory together. Not safe for several threads: <see cref="WriterPool"/> holds its lock.</summary>
internal sealed class JobQueue
{
    /// <summary>How many runs are looked through for one whose directory no other writer is in.</summary>
    private const int LookAhead = 8;
    private readonly LinkedList<Run> _runs = new();

    public int Count { get; private set; }

    public void Add(OutputJob job)
    {
        if (_runs.Last is not { } last || last.Value.Folder != job.Parent)
        {
            last = _runs.AddLast(new Run(job.Parent));
        }

        last.Value.Jobs.Enqueue(job);
        Count++;
    }

    /// <summary>Takes some jobs of one directory: the first that no other writer is in, else the first of all.</summary>
    /// <param name="batch">Where they go; empty.</param>
    /// <param name="most">How many at most.</param>
    /// <param name="isTaken">Whether another writer is in a directory.</param>
    public void Take(List<OutputJob> batch, int most, Func<Folder, bool> isTaken)
    {
        LinkedListNode<Run> chosen = _runs.First!;
        LinkedListNode<Run>? look = chosen;
        for (int i = 0; i < LookAhead && look is not null; i++, look = look.Next)
        {
            if (!isTaken(look.Value.Folder))
            {
                chosen = look;
                break;
            }
        }

        Queue<OutputJob> jobs = chosen.Value.Jobs;
        while (batch.Count < most && jobs.Count > 0)
        {
            batch.Add(jobs.Dequeue());
        }

        if (jobs.Count == 0)
        {
            _runs.Remove(chosen);
        }

        Count -= batch.Count;
    }

    private sealed class Run(Folder folder)
    {
        public Folder Folder { get; } = folder;

        public Queue<OutputJob> Jobs { get; } = new();
    }
}
