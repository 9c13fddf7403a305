using System;

namespace Transport.Journal;

/// <summary>
/// The lead: the right to commit, which one thread has at a time. The leader ends it or passes it on. A leader that leaves it by disposing
/// of it without either ends the journal by name, so that nobody waits for a leader that is gone. The default value is no lead.
/// </summary>
/// <remarks>Each is of one term. Ending and passing on begin the next term, so a copy that is used after that is no lead any more: it
/// throws, and disposing of it does nothing.</remarks>
internal readonly struct CommitLead(CommitQueue queue, int term) : IDisposable
{
    private readonly CommitQueue? _queue = queue;
    private readonly int _term = term;

    /// <summary>Gets a value indicating whether this is the lead still. From any thread: nobody but its owner changes that.</summary>
    public bool IsHeld => _queue is not null && _queue.Term == _term;

    /// <summary>Under the gate: ends the lead.</summary>
    /// <exception cref="InvalidOperationException">It is not held.</exception>
    public void End() => Holder().EndLead();

    /// <summary>Under the gate: makes another thread the leader.</summary>
    /// <returns>The lead, for the other thread.</returns>
    /// <exception cref="InvalidOperationException">It is not held.</exception>
    public CommitLead Pass() => Holder().PassLead();

    /// <summary>Ends the journal if this was neither ended nor passed on. Without the gate.</summary>
    public void Dispose()
    {
        if (IsHeld)
        {
            var defect = new InvalidOperationException("The lead was left by the thread that had it.");
            _queue!.Fail(Faults.Unexpected("Committing", defect), this);
        }
    }

    private CommitQueue Holder() => IsHeld ? _queue! : throw new InvalidOperationException("This is not the lead, or not any more.");
}
