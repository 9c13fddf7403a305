using System;
using System.Collections.Generic;
using System.Linq;
using System.Threading.Tasks;

namespace Transport;

/// <summary>The connected workers of a pool, the choice among them, and the line of requests for which none had a place. Under the pool's
/// lock.</summary>
internal sealed class PoolMembers(WorkerPoolOptions options)
{
    private readonly List<PoolMember> _members = [];
    private readonly LinkedList<PoolWaiter> _line = [];   // first come, first served
    private bool _replaces = options.Restart != WorkerRestart.Never;
    private long _turn;

    /// <summary>Gets the members that take something.</summary>
    public IEnumerable<PoolMember> Open => _members.Where(static member => member.IsOpen);

    /// <summary>Gets a value indicating whether a worker is connected, though it may take nothing new.</summary>
    public bool IsAnyConnected => _members.Exists(static member => member.Link.IsOpen);

    /// <summary>Gets the requests that wait for a response.</summary>
    public int Waiting { get; private set; }

    public void Add(PoolMember member) => _members.Add(member);

    public void Remove(WorkerProcess worker) => _members.RemoveAll(member => member.Worker == worker);

    /// <summary>Chooses who gets the next packet; null: nobody is connected.</summary>
    public PoolMember? Next() => Choose(static _ => true);

    /// <summary>Takes a place for a request.</summary>
    /// <param name="isNext">Whether it comes before those who wait.</param>
    /// <returns>The member; null: none has a place, or others wait for one.</returns>
    public PoolMember? TryTake(bool isNext) => isNext || _line.Count == 0 ? TakeNow() : null;

    /// <summary>Enters the line.</summary>
    /// <param name="isNext">Whether it had its place already, at a worker that could not be asked any more.</param>
    public PoolWaiter Enter(bool isNext)
    {
        var waiter = new PoolWaiter(isNext);
        LinkedListNode<PoolWaiter>? behind = isNext ? _line.First : null;
        while (behind is { Value.IsNext: true })
        {
            behind = behind.Next;
        }

        if (behind is null)
        {
            _line.AddLast(waiter.Node);
        }
        else
        {
            _line.AddBefore(behind, waiter.Node);
        }

        return waiter;
    }

    /// <summary>Leaves the line.</summary>
    /// <returns>False: it was served before.</returns>
    public bool TryLeave(PoolWaiter waiter)
    {
        if (waiter.Node.List is null)
        {
            return false;
        }

        _line.Remove(waiter.Node);
        return true;
    }

    /// <summary>Ends a request.</summary>
    /// <param name="member">Who had it.</param>
    /// <param name="recycled">Why the member is to be replaced; null: it is not.</param>
    /// <returns>Whether the member is to be replaced now: its last request is over.</returns>
    public bool Release(PoolMember member, string? recycled)
    {
        member.Waiting--;
        Waiting--;
        member.Recycled ??= _replaces ? recycled : null;
        return member.Recycled is not null && member.Waiting == 0;
    }

    /// <summary>No worker takes another's place any more: those that there are go on.</summary>
    public void StopReplacing()
    {
        _replaces = false;
        foreach (PoolMember member in _members.Where(member => member.Waiting > 0))
        {
            member.Recycled = null;
        }
    }

    /// <summary>Gives places to those who wait for one.</summary>
    /// <param name="isOver">Whether there will be none any more.</param>
    public void Serve(bool isOver)
    {
        while (_line.First is { } first && (TakeNow() is var member && (member is not null || isOver)))
        {
            _line.RemoveFirst();
            first.Value.SetResult(member);
        }
    }

    private PoolMember? TakeNow()
    {
        PoolMember? member = Choose(one => one.Waiting < options.MaxRequestsPerWorker);
        if (member is not null)
        {
            member.Waiting++;
            Waiting++;
            if (++member.Given == options.RecycleAfterRequests && _replaces)
            {
                member.Recycled = FormattableString.Invariant(
                    $"recycled after {member.Given} requests (WorkerPoolOptions.{nameof(options.RecycleAfterRequests)})");
            }
        }

        return member;
    }

    private PoolMember? Choose(Func<PoolMember, bool> may)
    {
        PoolMember? next = null;
        foreach (PoolMember member in Open.Where(may))
        {
            next = next is null || IsBefore(member, next) ? member : next;
        }

        if (next is not null)
        {
            next.Turn = ++_turn;
        }

        return next;
    }

    private bool IsBefore(PoolMember one, PoolMember other)
    {
        if (options.TakesTurns)
        {
            return one.Turn < other.Turn;
        }

        return (one.Waiting, one.Link.Counters.QueuedBytes, one.Turn)
            .CompareTo((other.Waiting, other.Link.Counters.QueuedBytes, other.Turn)) < 0;
    }
}

/// <summary>A request that waits for a place at a worker; its result is the worker, or null if there will be none.</summary>
internal sealed class PoolWaiter : TaskCompletionSource<PoolMember?>
{
    /// <param name="isNext">Whether it stands before those that never had a place.</param>
    public PoolWaiter(bool isNext)
        : base(TaskCreationOptions.RunContinuationsAsynchronously)
    {
        Node = new LinkedListNode<PoolWaiter>(this);
        IsNext = isNext;
    }

    public bool IsNext { get; }

    /// <summary>Makes one that need not wait.</summary>
    public static PoolWaiter With(PoolMember? member)
    {
        var waiter = new PoolWaiter(isNext: false);
        waiter.SetResult(member);
        return waiter;
    }

    /// <summary>Gets its place in the line.</summary>
    public LinkedListNode<PoolWaiter> Node { get; }
}
