using System;

namespace Transport.Links;

/// <summary>Where a link stands and why it ends. One table of moves, one lock; the first cause wins, and nobody is called while the lock is held.</summary>
internal sealed class LinkLifecycle
{
    private readonly object _gate = new();
    private LinkState _state;
    private LinkCause? _cause;

    public LinkState State
    {
        get
        {
            lock (_gate)
            {
                return _state;
            }
        }
    }

    /// <summary>Gets the first cause that was given, or null.</summary>
    public LinkCause? Cause
    {
        get
        {
            lock (_gate)
            {
                return _cause;
            }
        }
    }

    /// <summary>Moves on, where the table allows it.</summary>
    /// <returns>Whether this call moved it.</returns>
    public bool TryMove(LinkState to)
    {
        lock (_gate)
        {
            bool allowed = (_state, to) is
                (LinkState.Created, LinkState.Open) or
                (LinkState.Created or LinkState.Open, LinkState.Draining) or
                (not LinkState.Closed, LinkState.Closed);
            if (allowed)
            {
                _state = to;
            }

            return allowed;
        }
    }

    /// <summary>Gives a cause.</summary>
    /// <returns>Whether it is the first.</returns>
    public bool TryBlame(LinkCause cause)
    {
        lock (_gate)
        {
            if (_cause is not null || _state == LinkState.Closed)
            {
                return false;
            }

            _cause = cause;
            return true;
        }
    }
}

/// <summary>Why a link ends.</summary>
/// <param name="Fault">The fault; None for a clean end.</param>
/// <param name="Reason">A sentence for a person.</param>
/// <param name="Exception">What was underneath, or null.</param>
/// <param name="TellPeer">Whether Goodbye with the fault's name is worth writing.</param>
internal sealed record LinkCause(TransportFault Fault, string Reason, Exception? Exception, bool TellPeer);
