using System;
using System.Threading;

namespace Transport.Journal;

/// <summary>The journal's own thread, which commits what nobody commits on a thread of their own. It starts when it is needed.</summary>
internal abstract class CommitThread
{
    private ManualResetEventSlim? _isOver;

    /// <summary>Gets a value indicating whether this thread alone leads, so that appenders never do.</summary>
    public abstract bool IsSoleLeader { get; }

    /// <summary>Under the gate: there is something to commit that nobody waits for on a thread of their own.</summary>
    public abstract void Wake();

    /// <summary>Under the gate: there is something to commit that nobody waits for yet. It may gather for a moment.</summary>
    public abstract void Gather();

    /// <summary>Under the gate: a thread waits for what is queued and does not lead.</summary>
    public abstract void NoteWaiter();

    /// <summary>Under the gate: takes the lead over from the caller. If it throws, the caller still has it.</summary>
    public abstract void TakeOver(CommitLead lead);

    /// <summary>Under the gate: a pause may have begun, which is to be marked if it lasts.</summary>
    public abstract void NotePause();

    /// <summary>Under the gate: there was no capacity, so what is queued is to be tried again in a while.</summary>
    public abstract void RetryLater();

    /// <summary>Under the gate: there may be capacity now.</summary>
    public abstract void RetryNow();

    /// <summary>Ends the thread and waits for that. Without the gate.</summary>
    public abstract void End();

    /// <summary>Under the gate: starts the thread if it does not run yet.</summary>
    protected void Start()
    {
        if (_isOver is not null)
        {
            return;
        }

        _isOver = new ManualResetEventSlim();
        if (!Threads.TryStart(() => new Thread(RunToEnd) { IsBackground = true, Name = "journal" }.Start()))
        {
            // A thread of the pool does it, if later.
            if (!Threads.TryStart(() => ThreadPool.UnsafeQueueUserWorkItem(static thread => ((CommitThread)thread!).RunToEnd(), this)))
            {
                _isOver = null;   // the next append tries again
                throw new JournalException(
                    JournalFault.TooFewDescriptors,
                    "The system gives the journal no thread. Close others, or raise the limits (ulimit -n, -u).");
            }
        }
    }

    /// <summary>Runs until <see cref="End"/>.</summary>
    protected abstract void Run();

    /// <summary>Ends the journal, and the lead if this thread has it: <see cref="Run"/> has thrown what it should not. Without the
    /// gate.</summary>
    protected abstract void OnUnexpected(JournalException failure);

    /// <summary>Waits for the end of the thread, if it was started.</summary>
    protected void Join() => _isOver?.Wait();

    private void RunToEnd()
    {
        try
        {
            Run();
        }
        catch (Exception e)
        {
            OnUnexpected(Faults.Unexpected("Committing", e));
        }
        finally
        {
            _isOver!.Set();
        }
    }
}
