using System;
using System.Collections.Generic;
using System.Threading.Tasks;

namespace Transport;

/// <summary>Those who wait for something of a pool. Each change looks for them, in its own step: what is so for a moment alone, such as a
/// worker that is given its only request as it connects, would be over when they look themselves. Under the pool's lock.</summary>
internal sealed class PoolWaits
{
    private readonly LinkedList<PoolWait> _waits = [];

    /// <summary>Looks now, and from now on at each change.</summary>
    /// <param name="find">Looks; null: not found.</param>
    /// <param name="isOver">Whether it will not be found any more.</param>
    public PoolWait<T> Enter<T>(Func<T?> find, Func<bool> isOver)
        where T : class
    {
        var wait = new PoolWait<T>(find, isOver);
        if (!wait.TryEnd())
        {
            _waits.AddLast(wait.Node);
        }

        return wait;
    }

    /// <summary>Ends the waits that a change has ended.</summary>
    public void Look()
    {
        for (LinkedListNode<PoolWait>? node = _waits.First; node is not null;)
        {
            PoolWait wait = node.Value;
            node = node.Next;
            if (wait.TryEnd())
            {
                Leave(wait);
            }
        }
    }

    /// <summary>Looks no more for somebody; if he is there.</summary>
    public void Leave(PoolWait wait)
    {
        if (wait.Node.List is not null)
        {
            _waits.Remove(wait.Node);
        }
    }
}

/// <summary>Somebody who waits for something of a pool.</summary>
internal abstract class PoolWait
{
    protected PoolWait() => Node = new LinkedListNode<PoolWait>(this);

    /// <summary>Gets its place among those who wait.</summary>
    public LinkedListNode<PoolWait> Node { get; }

    /// <summary>Looks, and ends the wait if it is over.</summary>
    public abstract bool TryEnd();
}

/// <inheritdoc/>
internal sealed class PoolWait<T>(Func<T?> find, Func<bool> isOver) : PoolWait
    where T : class
{
    private readonly TaskCompletionSource<T?> _found = new(TaskCreationOptions.RunContinuationsAsynchronously);

    /// <summary>Gets what is found; null: it will not be.</summary>
    public Task<T?> Task => _found.Task;

    /// <inheritdoc/>
    public override bool TryEnd()
    {
        T? found = find();
        return (found is not null || isOver()) && _found.TrySetResult(found);
    }
}
