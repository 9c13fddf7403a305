using System;
using System.Collections.Generic;
using System.Threading;

namespace Transport;

/// <summary>Senders that wait for capacity, served first come first served. Each gets its bytes reserved before it is woken.</summary>
/// <remarks>
/// While anybody waits, nobody else takes of the budget, so that what is given back adds up for the first in line, however large its packet
/// is. The urgent lane's reserve is not for the line: its urgent waiters take of it as well, in their order, but for packets larger than
/// the reserve, which wait for their turn in the line. Costs the send loop one read if nobody waits.
/// </remarks>
internal sealed class WaitingLine(ByteBudget budget)
{
    /// <summary>What a packet may need beyond what was measured: a report of drops in front of it.</summary>
    private const int Allowance = 256;

    /// <summary>How many places are kept for reuse. More senders rarely wait at once.</summary>
    private const int MaxSpare = 16;

    private readonly object _gate = new();
    private readonly LinkedList<Waiter> _waiting = new();
    private readonly Stack<Waiter> _spare = new();   // under the lock

    // Written under the lock, read without: a giver reads it after giving, a waiter looks at the budget after writing it.
    private int _count;
    private int _urgent;   // of those that wait; under the lock

    /// <summary>Gets a value indicating whether anybody waits.</summary>
    public bool HasWaiters => Volatile.Read(ref _count) > 0;

    /// <summary>Begins a wait, at the end of the line.</summary>
    /// <param name="bytes">What the packet needs, as a try before reported.</param>
    /// <param name="lane">Its lane.</param>
    /// <returns>The place in the line; to be left by <see cref="Leave"/>.</returns>
    public Waiter Enter(long bytes, Lane lane)
    {
        Waiter waiter;
        lock (_gate)
        {
            waiter = _spare.Count > 0 ? _spare.Pop() : new Waiter();
            waiter.Begin(lane);
            Queue(waiter, bytes, first: false);
        }

        Serve();
        return waiter;
    }

    /// <summary>Waits once more, at the head of the line: the packet needs more than was reserved.</summary>
    public void EnterAgain(Waiter waiter, long bytes)
    {
        lock (_gate)
        {
            GiveBack(waiter);
            if (waiter.Place.List is null)
            {
                Queue(waiter, bytes, first: true);
            }
        }

        Serve();
    }

    /// <summary>
    /// Ends a wait. What was reserved and not used goes to the next. Another sender may get this place from now on, so the caller must have
    /// disposed its cancellation registration, which could signal the next owner.
    /// </summary>
    public void Leave(Waiter waiter)
    {
        lock (_gate)
        {
            if (waiter.Place.List is not null)
            {
                Remove(waiter);
            }

            GiveBack(waiter);
            if (_spare.Count < MaxSpare)
            {
                _spare.Push(waiter);
            }
        }

        Serve();
    }

    /// <summary>Reserves for those whose turn it is, as far as there is capacity. Called after bytes were given back.</summary>
    public void Serve()
    {
        if (!HasWaiters)
        {
            return;
        }

        lock (_gate)
        {
            bool reserveIsTaken = false;
            LinkedListNode<Waiter>? next;
            for (LinkedListNode<Waiter>? place = _waiting.First; place is not null; place = next)
            {
                next = place.Next;
                Waiter waiter = place.Value;
                if (place == _waiting.First && budget.TryTake(waiter.Wanted, budget.Limit))
                {
                    Grant(waiter, waiter.Wanted);
                    continue;
                }

                if (waiter.Lane == Lane.Urgent && !reserveIsTaken && waiter.Needed <= budget.Reserve)
                {
                    long wanted = Math.Min(waiter.Wanted, budget.Reserve);
                    if (budget.TryTakeReserve(wanted))
                    {
                        Grant(waiter, wanted);
                    }
                    else
                    {
                        reserveIsTaken = true;
                    }
                }

                if (_urgent == 0 || reserveIsTaken)
                {
                    return;
                }
            }
        }
    }

    /// <summary>Wakes all that wait, to look around: the queue was closed, or time has passed.</summary>
    public void Release()
    {
        lock (_gate)
        {
            foreach (Waiter waiter in _waiting)
            {
                waiter.Signal();
            }
        }
    }

    private void Queue(Waiter waiter, long bytes, bool first)
    {
        waiter.Needed = bytes;
        waiter.Wanted = bytes <= budget.Limit ? Math.Min(bytes + Allowance, budget.Limit) : bytes + Allowance;
        if (first)
        {
            _waiting.AddFirst(waiter.Place);
        }
        else
        {
            _waiting.AddLast(waiter.Place);
        }

        _urgent += waiter.Lane == Lane.Urgent ? 1 : 0;
        Interlocked.Increment(ref _count);
    }

    private void Remove(Waiter waiter)
    {
        _waiting.Remove(waiter.Place);
        _urgent -= waiter.Lane == Lane.Urgent ? 1 : 0;
        Interlocked.Decrement(ref _count);
    }

    private void Grant(Waiter waiter, long bytes)
    {
        Remove(waiter);
        waiter.Reserved = bytes;
        waiter.Signal();
    }

    private void GiveBack(Waiter waiter)
    {
        long bytes = waiter.Reserved;
        waiter.Reserved = 0;
        if (bytes > 0)
        {
            budget.GiveFrom(waiter.Lane, bytes);
        }
    }
}
