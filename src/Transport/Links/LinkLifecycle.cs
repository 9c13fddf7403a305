using System;

namespace Transport;

/// <summary>Where a link stands and why it ends. One table of moves, one lock; the first cause wins, and nobody is called while the lock is held.</summary>
internal sealed class LinkLifecycle
{
    private readonly object _gate = new();
    private LinkState _state;
    private LinkCause? _cause;
    private bool _recovering;
    private bool _goodbye;

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

    /// <summary>Gets a value indicating whether nothing is written any more, and only what the peer left is handled.</summary>
    public bool IsRecovering
    {
        get
        {
            lock (_gate)
            {
                return _recovering;
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

    /// <summary>
    /// Gives a cause that ends the link now, unless it is recovering: no deadline and no rule of an open link cuts that short.
    /// </summary>
    /// <returns>Whether it is the first.</returns>
    public bool TrySetCause(LinkCause cause)
    {
        lock (_gate)
        {
            if (_cause is not null || _recovering || _state == LinkState.Closed)
            {
                return false;
            }

            _cause = cause;
            return true;
        }
    }

    /// <summary>Notes that the peer has said Goodbye: from here on the link does not begin to recover.</summary>
    public void NoteGoodbye()
    {
        lock (_gate)
        {
            _goodbye = true;
        }
    }

    /// <summary>Begins to recover: from here on only <see cref="Conclude"/> ends the link.</summary>
    /// <param name="cause">Why the link ends; null if the end of its stream is the cause, which <see cref="Conclude"/> gives.</param>
    /// <returns>Whether this call began it. False if there is a cause already, or the peer has said Goodbye.</returns>
    public bool TryRecover(LinkCause? cause)
    {
        lock (_gate)
        {
            if (_cause is not null || _recovering || _goodbye || _state == LinkState.Closed)
            {
                return false;
            }

            _recovering = true;
            _cause = cause;
            return true;
        }
    }

    /// <summary>
    /// Gives the cause of what ends the link in any case: its reader has ended, or somebody asked for the end. The first cause stays; a
    /// fault found while recovering is added to its sentence.
    /// </summary>
    public void Conclude(LinkCause cause)
    {
        lock (_gate)
        {
            if (_state == LinkState.Closed)
            {
                return;
            }

            if (_cause is null)
            {
                _cause = cause;
            }
            else if (_recovering && cause.Fault is not (TransportFault.None or TransportFault.PeerGone or TransportFault.Aborted))
            {
                string reason = $"{_cause.Reason} Then {cause.Fault}: {cause.Reason}";
                _cause = _cause with { Reason = reason, Exception = _cause.Exception ?? cause.Exception };
            }
        }
    }
}

/// <summary>Why a link ends.</summary>
/// <param name="Fault">The fault; None for a clean end.</param>
/// <param name="Reason">A sentence for a person.</param>
/// <param name="Exception">What was underneath, or null.</param>
/// <param name="TellPeer">Whether Goodbye with the fault's name is worth writing.</param>
internal sealed record LinkCause(TransportFault Fault, string Reason, Exception? Exception, bool TellPeer);
