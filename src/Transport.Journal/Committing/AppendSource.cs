using System;
using System.Threading;
using System.Threading.Tasks;
using System.Threading.Tasks.Sources;

namespace Transport.Journal;

/// <summary>
/// What an asynchronous append's task is made of. Pooled. It is marked complete in order by who commits, and what awaits it runs later,
/// on the pool: so the task of an append never looks
/// complete while one before it does not, and nobody's code runs on a thread that commits.
/// </summary>
internal sealed class AppendSource(AppendSourcePool pool) : Waiter, IValueTaskSource<long>
{
    private static readonly Action<object?> Ran = static _ => { };

    private Action<object?>? _continuation;   // exchanged by who awaits and by who runs it: the second of the two invokes it
    private object? _state;
    private object? _scheduler;
    private ExecutionContext? _context;
    private int _owners;         // who awaits and who runs it; the last of the two gives this back
    private bool _isComplete;    // written under the gate, behind position and fault; read by who awaits
    private bool _isTaken;

    /// <summary>Gets what distinguishes one use of this object from the next.</summary>
    public short Version { get; private set; }

    /// <summary>Begins a use. It ends when the result was taken and <see cref="Run"/> was called.</summary>
    public void Rent()
    {
        _owners = 2;
        (_isComplete, _isTaken) = (false, false);
        (Fault, Next, First) = (null, null, 0);
    }

    /// <summary>Makes the result visible; <see cref="Run"/> must follow.</summary>
    public void Complete() => Volatile.Write(ref _isComplete, true);

    /// <summary>Runs what awaits it, if its context wants that.</summary>
    public void Run()
    {
        Action<object?>? continuation = Interlocked.CompareExchange(ref _continuation, Ran, null);
        if (continuation is not null)
        {
            Invoke(continuation);
        }

        Leave();
    }

    public ValueTaskSourceStatus GetStatus(short token)
    {
        Expect(token);
        return !Volatile.Read(ref _isComplete) ? ValueTaskSourceStatus.Pending
            : Fault is null ? ValueTaskSourceStatus.Succeeded : ValueTaskSourceStatus.Faulted;
    }

    public void OnCompleted(Action<object?> continuation, object? state, short token, ValueTaskSourceOnCompletedFlags flags)
    {
        Expect(token);
        _context = (flags & ValueTaskSourceOnCompletedFlags.FlowExecutionContext) != 0 ? ExecutionContext.Capture() : null;
        _scheduler = (flags & ValueTaskSourceOnCompletedFlags.UseSchedulingContext) != 0 ? CurrentScheduler() : null;
        _state = state;
        if (Interlocked.CompareExchange(ref _continuation, continuation, null) is not null)
        {
            Invoke(continuation, queued: true);
        }
    }

    public long GetResult(short token)
    {
        Expect(token);
        if (!Volatile.Read(ref _isComplete) || _isTaken)
        {
            throw new InvalidOperationException("The task of an append is awaited once, and its result taken when it is complete.");
        }

        _isTaken = true;
        JournalException? fault = Fault;
        long position = Position;
        Leave();
        return fault is null ? position : throw fault.Again();
    }

    private static object? CurrentScheduler()
    {
        if (SynchronizationContext.Current is { } context && context.GetType() != typeof(SynchronizationContext))
        {
            return context;
        }

        TaskScheduler scheduler = TaskScheduler.Current;
        return scheduler == TaskScheduler.Default ? null : scheduler;
    }

    private void Expect(short token)
    {
        if (token != Version)
        {
            throw new InvalidOperationException("The task of an append is awaited once; this one was awaited before.");
        }
    }

    private void Invoke(Action<object?> continuation, bool queued = false)
    {
        object? state = _state;
        if (_scheduler is null && !queued)
        {
            if (_context is { } own)
            {
                ExecutionContext.Run(own, new ContextCallback(continuation), state);
            }
            else
            {
                continuation(state);
            }

            return;
        }

        // The continuation restores its execution context itself.
        Action<object?> later = _context is { } flow ? In(flow, continuation) : continuation;
        switch (_scheduler)
        {
            case SynchronizationContext context:
                context.Post(new SendOrPostCallback(later), state);
                break;
            case TaskScheduler scheduler:
                _ = Task.Factory.StartNew(later, state, CancellationToken.None, TaskCreationOptions.DenyChildAttach, scheduler);
                break;
            default:
                _ = ThreadPool.UnsafeQueueUserWorkItem(new WaitCallback(later), state);
                break;
        }
    }

    private static Action<object?> In(ExecutionContext flow, Action<object?> continuation) =>
        state => ExecutionContext.Run(flow, new ContextCallback(continuation), state);

    private void Leave()
    {
        if (Interlocked.Decrement(ref _owners) == 0)
        {
            (_continuation, _state, _scheduler, _context, Fault) = (null, null, null, null, null);
            Version++;
            pool.Return(this);
        }
    }
}
