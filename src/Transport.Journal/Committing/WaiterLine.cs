namespace Transport.Journal;

/// <summary>Who waits, by position; nearly always added at the end. Everything here happens under the engine's gate.</summary>
internal sealed class WaiterLine
{
    private Waiter? _first;
    private Waiter? _last;

    public bool IsEmpty => _first is null;

    /// <summary>Puts one chain of waiters behind another.</summary>
    public static Waiter? Chain(Waiter? first, Waiter? second)
    {
        if (first is null)
        {
            return second;
        }

        Waiter last = first;
        while (last.Next is { } next)
        {
            last = next;
        }

        last.Next = second;
        return first;
    }

    public void Add(Waiter waiter)
    {
        if (_last is null || _last.Position <= waiter.Position)
        {
            waiter.Next = null;
            if (_last is null)
            {
                _first = waiter;
            }
            else
            {
                _last.Next = waiter;
            }

            _last = waiter;
            return;
        }

        Waiter? before = null;
        Waiter at = _first!;
        while (at.Position <= waiter.Position)
        {
            before = at;
            at = at.Next!;
        }

        waiter.Next = at;
        if (before is null)
        {
            _first = waiter;
        }
        else
        {
            before.Next = waiter;
        }
    }

    /// <summary>Takes out all who wait for at most a position.</summary>
    public Waiter? TakeUpTo(long position)
    {
        if (_first is null || _first.Position > position)
        {
            return null;
        }

        Waiter taken = _first, last = taken;
        while (last.Next is { } next && next.Position <= position)
        {
            last = next;
        }

        _first = last.Next;
        _last = _first is null ? null : _last;
        last.Next = null;
        return taken;
    }

    /// <summary>Takes out the first thread that waits, to let it commit; null if none does.</summary>
    public ThreadWaiter? TakeFirstThread()
    {
        Waiter? before = null;
        for (Waiter? at = _first; at is not null; before = at, at = at.Next)
        {
            if (at is ThreadWaiter thread)
            {
                if (before is null)
                {
                    _first = at.Next;
                }
                else
                {
                    before.Next = at.Next;
                }

                _last = ReferenceEquals(_last, at) ? before : _last;
                at.Next = null;
                return thread;
            }
        }

        return null;
    }
}
