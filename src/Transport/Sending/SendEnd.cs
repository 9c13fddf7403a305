namespace Transport;

/// <summary>Where a direction stands: whether it takes packets, whether Goodbye is to be said, and with what. All that ask, and all that
/// end it, share this one.</summary>
/// <remarks>
/// Its lock is taken inside a lane's and inside the control lane's, never around one. A sender asks under its lane's lock; the send thread
/// takes that lock after it has seen that Goodbye is due: so a lane that it then finds empty stays empty.
/// </remarks>
internal sealed class SendEnd
{
    private readonly object _gate = new();   // over everything below
    private volatile SendState _state;       // written under the lock, read without it: it only goes on, and a late look does no harm
    private bool _isGoodbyeDue;              // as soon as nothing is queued
    private string _reason = string.Empty;
    private string _detail = string.Empty;
    private long _refused;

    /// <summary>Gets where it stands.</summary>
    public SendState State => _state;

    /// <summary>Gets a value indicating whether sends are answered Closed.</summary>
    public bool IsClosed => _state != SendState.Accepting;

    /// <summary>Gets the packets that were answered Full and given back to their sender.</summary>
    public long Refused
    {
        get
        {
            lock (_gate)
            {
                return _refused;
            }
        }
    }

    /// <summary>Gets a value indicating whether Goodbye is to be written once nothing is queued.</summary>
    public bool IsGoodbyeDue
    {
        get
        {
            lock (_gate)
            {
                return _isGoodbyeDue;
            }
        }
    }

    /// <summary>Counts a packet that was given back to its sender, unless this is closed: Goodbye may contain the count already.</summary>
    /// <returns>False if it is closed.</returns>
    public bool TryRefuse()
    {
        lock (_gate)
        {
            _refused += IsClosed ? 0 : 1;
            return !IsClosed;
        }
    }

    /// <summary>Takes nothing new; what is queued is still written.</summary>
    public void Seal()
    {
        lock (_gate)
        {
            Close();
        }
    }

    /// <summary>Takes nothing new; what is queued is still written, then Goodbye.</summary>
    /// <param name="reason">A caller's text; the first counts.</param>
    public void Complete(string reason)
    {
        lock (_gate)
        {
            Close();
            if (_isGoodbyeDue || _state > SendState.Draining)
            {
                return;
            }

            // A caller's text must not read as a fault of this link.
            reason = PeerText.Cut(reason);
            _reason = FaultNames.Parse(reason) == TransportFault.None ? reason : "closed: " + reason;
            _isGoodbyeDue = true;
        }
    }

    /// <summary>The peer has said Goodbye: takes nothing new; what is queued is still written, then Goodbye, unless it is written
    /// already.</summary>
    public void Answer()
    {
        lock (_gate)
        {
            Close();
            _isGoodbyeDue |= _state <= SendState.Draining;
        }
    }

    /// <summary>Takes nothing new and gives up what is queued. Goodbye with the reason is written if that takes no waiting.</summary>
    /// <param name="goodbyeReason">The fault's name, or null: nothing can be written any more.</param>
    /// <param name="detail">The text about the fault for the peer; empty: none.</param>
    public void Break(string? goodbyeReason, string detail)
    {
        lock (_gate)
        {
            Close();
            if (goodbyeReason is null)
            {
                // Also if it was broken before: a wire that has failed must not get a Goodbye behind half a segment.
                _isGoodbyeDue = false;
            }
            else if (_state <= SendState.Draining)
            {
                _reason = goodbyeReason;
                _detail = PeerText.Cut(detail);
                _isGoodbyeDue = true;
            }

            _state = SendState.Broken;
        }
    }

    /// <summary>Takes what Goodbye is to say, if it is due: from now on it is not, and nothing but Ack and Pong follows.</summary>
    /// <returns>The reason, the text about a fault and the packets refused; null if it is not due.</returns>
    public (string Reason, string Detail, long Refused)? TakeGoodbye()
    {
        lock (_gate)
        {
            if (!_isGoodbyeDue)
            {
                return null;
            }

            _isGoodbyeDue = false;
            _state = _state == SendState.Broken ? _state : SendState.Sealed;
            return (_reason, _detail, _refused);
        }
    }

    /// <summary>Closes it to new packets. Under the lock, and first: a Goodbye that is due means that nothing new can be queued.</summary>
    private void Close() => _state = _state == SendState.Accepting ? SendState.Draining : _state;
}
