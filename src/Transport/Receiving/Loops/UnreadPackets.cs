using System;
using System.Collections.Generic;
using System.Linq;
using System.Threading;
using System.Threading.Tasks;

namespace Transport;

/// <summary>The packets of one link that stand in loops (<see cref="PacketRouter.ReadAllAsync{T}"/>), or are with a loop's body: they have
/// been dispatched, and are not handled. An Ack counts packets in the order of arrival, so it stops before the oldest of them.</summary>
/// <remarks>The receive thread adds, a loop's thread takes away, any thread looks. Neither a loop nor the link is called under the
/// lock.</remarks>
/// <param name="dispatched">Gives how many packets were dispatched, on the receive thread.</param>
/// <param name="acknowledge">Takes the number that may be acknowledged; called from any thread, also with an older number behind a newer
/// one.</param>
/// <param name="misses">Counts the packets for which there is no loop any more.</param>
/// <param name="store">Stands behind this: what is handled is flushed before it is acknowledged. Null: there is no store.</param>
internal sealed class UnreadPackets(Func<long> dispatched, Action<long> acknowledge, MissCounts misses, IAckGate? store) : IAckGate
{
    private readonly object _lock = new();   // over all below
    private readonly List<LoopShare> _shares = [];
    private readonly TaskCompletionSource<bool> _closed = new(TaskCreationOptions.RunContinuationsAsynchronously);
    private TaskCompletionSource<bool>? _allRead;
    private long _wanted;
    private long _wantedNow;
    private long _passed;
    private PacketLoop? _awaited;

    /// <inheritdoc/>
    public long Safe
    {
        get
        {
            lock (_lock)
            {
                return store?.Safe ?? _passed;
            }
        }
    }

    /// <summary>Gets how many packets the loops have taken for which something is unread here, of this link or of others: while it grows,
    /// this link waits for no more than its turn.</summary>
    public long Moves => Sum(static share => share.Ordinals.Count > 0 ? share.Loop.Taken : 0);

    /// <summary>Gets how many packets are unread, also the one at hand.</summary>
    public long Count => Sum(static share => share.Ordinals.Count);

    /// <summary>Gets or sets the loop that the receive thread waits for; null: for none. That thread, or what goes on for it, sets
    /// it.</summary>
    public PacketLoop? Awaited
    {
        get
        {
            lock (_lock)
            {
                return _awaited;
            }
        }

        set
        {
            lock (_lock)
            {
                _awaited = value;
            }
        }
    }

    /// <summary>Gets the place of the oldest unread packet in the order of arrival, and its loop; 0 if none is unread.</summary>
    public (long Ordinal, PacketLoop? Loop) Oldest
    {
        get
        {
            lock (_lock)
            {
                return FindOldest();
            }
        }
    }

    /// <summary>Returns how many of the first packets are unread.</summary>
    /// <param name="first">So many were dispatched when somebody looked; others may stand in their loops meanwhile.</param>
    public long Among(long first) => Sum(share => share.Ordinals.TakeWhile(ordinal => ordinal <= first).Count());

    /// <summary>Returns a number of packets for each loop that has any.</summary>
    public List<KeyValuePair<PacketLoop, long>> ByLoop(Func<LoopShare, long> count)
    {
        lock (_lock)
        {
            return [.. _shares.Select(share => new KeyValuePair<PacketLoop, long>(share.Loop, count(share)))
                .Where(static one => one.Value > 0)];
        }
    }

    /// <summary>Adds the packet at hand: it is given to its loop. On the receive thread.</summary>
    /// <returns>Where it is to be reported.</returns>
    public LoopShare Add(PacketLoop loop)
    {
        long ordinal = dispatched() + 1;
        lock (_lock)
        {
            LoopShare share = ShareOf(loop);
            share.Ordinals.Enqueue(ordinal);
            return share;
        }
    }

    /// <summary>Counts the packet at hand as one for which there is no loop any more. On the receive thread.</summary>
    public void Miss(PacketLoop loop)
    {
        lock (_lock)
        {
            ShareOf(loop).Missed++;
            misses.AddUnhandled();
        }
    }

    /// <summary>The link is cut: what is unread stays so, and no loop gets it any more. So what its receipt and its worker's exit report
    /// say of it is final.</summary>
    public void Close()
    {
        lock (_lock)
        {
            _closed.TrySetResult(true);   // who waits for it goes on elsewhere
        }
    }

    /// <summary>Gets what completes when the link is cut.</summary>
    public Task Closed => _closed.Task;

    /// <summary>Returns whether a loop may take a packet: not if its link is cut.</summary>
    public bool MayTake()
    {
        lock (_lock)
        {
            return !_closed.Task.IsCompleted;
        }
    }

    /// <summary>The oldest packet of a loop is done with.</summary>
    /// <param name="share">Where it was added.</param>
    /// <param name="isMissed">Whether its loop was left before it took the packet.</param>
    public void Done(LoopShare share, bool isMissed)
    {
        TaskCompletionSource<bool>? allRead = null;
        long number;
        lock (_lock)
        {
            if (_closed.Task.IsCompleted)
            {
                return;
            }

            share.Ordinals.Dequeue();
            if (isMissed)
            {
                share.Missed++;
                misses.AddUnhandled();   // before the Ack that counts it
            }

            number = Passable(out bool isAllRead);
            if (isAllRead)
            {
                (allRead, _allRead) = (_allRead, null);
            }

            // A loop that works through many packets reports after as many as the receive thread, whatever their bytes.
            bool isDue = number > _passed
                && (number == _wanted || number - _passed >= PacketDispatcher.AckPackets || _passed < _wantedNow);
            number = isDue ? number : 0;
            _passed = Math.Max(_passed, number);
        }

        if (number > 0)
        {
            Pass(number, isLoops: true);
        }

        allRead?.TrySetResult(true);
    }

    /// <inheritdoc/>
    public void Ask(long handled)
    {
        long number;
        lock (_lock)
        {
            _wanted = Math.Max(_wanted, handled);
            number = Passable(out _);
            if (number <= _passed)
            {
                return;
            }

            _passed = number;
        }

        Pass(number, isLoops: false);
    }

    /// <summary>The peer waits for its packets so far: each step towards them is reported.</summary>
    public void AskNow(long handled)
    {
        lock (_lock)
        {
            _wantedNow = handled;
        }

        Ask(handled);
    }

    /// <summary>Waits, with a store, until what was passed on is flushed; not for loops.</summary>
    public Task FlushAsync()
    {
        long passed;
        lock (_lock)
        {
            passed = _passed;
        }

        return store is null ? Task.CompletedTask : store.SettleAsync(passed);
    }

    /// <inheritdoc/>
    public async Task<bool> SettleAsync(long handled)
    {
        Ask(handled);
        await AllReadAsync().ConfigureAwait(false);
        return store is null || await store.SettleAsync(handled).ConfigureAwait(false);
    }

    /// <summary>Waits until no packet is unread.</summary>
    /// <param name="clock">The link's clock.</param>
    /// <param name="limit">How long the loops may take nothing.</param>
    /// <param name="hurry">Ends the wait.</param>
    public async Task ReadOutAsync(TimeProvider clock, TimeSpan limit, Task hurry)
    {
        Task over = Task.WhenAny(AllReadAsync(), hurry);
        long before;
        do
        {
            before = Moves;
        }
        while (!await Delay.InTimeAsync(over, clock, limit).ConfigureAwait(false) && Moves != before);
    }

    private Task<bool> AllReadAsync()
    {
        lock (_lock)
        {
            return FindOldest().Loop is null ? Task.FromResult(true)
                : (_allRead ??= new(TaskCreationOptions.RunContinuationsAsynchronously)).Task;
        }
    }

    private void Pass(long number, bool isLoops)
    {
        if (store is null)
        {
            acknowledge(number);
        }
        else if (isLoops)
        {
            _ = Task.Run(() => store.Ask(number));   // it may block in its call, and this is the thread of somebody's loop
        }
        else
        {
            store.Ask(number);
        }
    }

    private long Passable(out bool isAllRead)
    {
        (long oldest, PacketLoop? loop) = FindOldest();
        isAllRead = loop is null;
        return isAllRead ? _wanted : Math.Min(_wanted, oldest - 1);
    }

    private (long Ordinal, PacketLoop? Loop) FindOldest()
    {
        LoopShare? first = null;
        foreach (LoopShare share in _shares)
        {
            if (share.Ordinals.Count > 0 && (first is null || share.Ordinals.Peek() < first.Ordinals.Peek()))
            {
                first = share;
            }
        }

        return first is null ? (0, null) : (first.Ordinals.Peek(), first.Loop);
    }

    private LoopShare ShareOf(PacketLoop loop)
    {
        LoopShare? share = _shares.Find(one => ReferenceEquals(one.Loop, loop));
        if (share is null)
        {
            _shares.Add(share = new LoopShare(loop));
        }

        return share;
    }

    private long Sum(Func<LoopShare, long> number)
    {
        lock (_lock)
        {
            return _shares.Sum(number);
        }
    }
}

/// <summary>What one link has given to one loop. Under the lock of its <see cref="UnreadPackets"/>.</summary>
internal sealed class LoopShare(PacketLoop loop)
{
    /// <summary>Gets the loop.</summary>
    public PacketLoop Loop { get; } = loop;

    /// <summary>Gets the places of its unread packets in the order of arrival. A loop takes them in that order, and holds no more than its
    /// capacity.</summary>
    public Queue<long> Ordinals { get; } = [];

    /// <summary>Gets or sets how many packets came after the loop was left, or stood in it then.</summary>
    public long Missed { get; set; }
}
