using System;
using System.Collections.Generic;
using System.Threading;

namespace Transport;

/// <summary>Counts who may still receive packets by a router: links, workers that were started, pools. Its loops end when nobody does any
/// more. One for a router and its copies.</summary>
/// <remarks>Safe from any thread. A loop is woken outside of the lock.</remarks>
internal sealed class RouterUses
{
    private readonly object _lock = new();   // over the four below
    private readonly List<PacketLoop> _loops = [];
    private int _users;
    private bool _wasUsed;
    private bool _isOver;

    /// <summary>Gets a value indicating whether packets of the router are read by loops.</summary>
    public bool HasLoops
    {
        get
        {
            lock (_lock)
            {
                return _loops.Count > 0;
            }
        }
    }

    /// <summary>Adds a loop.</summary>
    public void Add(PacketLoop loop)
    {
        lock (_lock)
        {
            _loops.Add(loop);
        }
    }

    /// <summary>Begins a use.</summary>
    /// <exception cref="InvalidOperationException">A loop has ended because all uses before this one were over: what comes now, nobody
    /// would read.</exception>
    public void Enter()
    {
        lock (_lock)
        {
            if (_isOver)
            {
                throw new InvalidOperationException(
                    "Every link, worker and pool that used this router has ended, and with them the loop over its packets "
                    + $"(PacketRouter.ReadAllAsync of {_loops[0].Name}): nobody would read what comes now. Start all of them before the "
                    + "loop comes to its end, let a WorkerPool start them, hold the router while they come and go (PacketRouter.Hold), or give "
                    + "what is started later a router of its own.");
            }

            _users++;
        }
    }

    /// <summary>Ends a use: nothing more comes by it.</summary>
    /// <param name="wasUsed">Whether anything could; not by a start that has failed, behind which a loop goes on as if nothing had been
    /// started yet.</param>
    public void Leave(bool wasUsed = true)
    {
        PacketLoop[] loops;
        lock (_lock)
        {
            _wasUsed |= wasUsed;
            if (--_users > 0)
            {
                return;
            }

            loops = [.. _loops];
        }

        Array.ForEach(loops, static loop => loop.Wake());
    }

    /// <summary>Ends the router's loops if there has been a use, and there is none any more. What has come stands in them
    /// already.</summary>
    /// <returns>Whether nothing more will come.</returns>
    public bool TryEnd()
    {
        lock (_lock)
        {
            return _isOver = _isOver || (_wasUsed && _users == 0);
        }
    }
}

/// <summary>A use of a router by the program itself.</summary>
internal sealed class RouterHold : IDisposable
{
    private RouterUses? _uses;   // taken by the first who disposes of it, on any thread: by itself

    public RouterHold(RouterUses uses)
    {
        uses.Enter();
        _uses = uses;
    }

    /// <inheritdoc/>
    public void Dispose() => Interlocked.Exchange(ref _uses, null)?.Leave();
}
