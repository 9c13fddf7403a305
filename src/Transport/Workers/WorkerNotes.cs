namespace Transport;

/// <summary>Collects what explains a worker's exit while it runs. The first write of each fact wins. Safe from any thread.</summary>
internal sealed class WorkerNotes
{
    private readonly object _lock = new();   // over the fields below
    private Link? _link;
    private string? _activity;
    private string? _refusal;
    private string? _linkProblem;
    private string? _killReason;
    private string? _stopReason;
    private bool _isStopAsked, _isRecycled;
    private int _killsAfterLink;   // kills that were sent, or are about to be, after the link had ended

    /// <summary>Gets or sets the link, once reading has begun.</summary>
    public Link? Link
    {
        get
        {
            lock (_lock)
            {
                return _link;
            }
        }

        set
        {
            lock (_lock)
            {
                _link = value;
            }
        }
    }

    /// <summary>Gets or sets what the worker is doing.</summary>
    public string? Activity
    {
        get
        {
            lock (_lock)
            {
                return _activity;
            }
        }

        set
        {
            lock (_lock)
            {
                _activity = value;
            }
        }
    }

    /// <summary>Gets the code with which its connection was refused.</summary>
    public string? Refusal
    {
        get
        {
            lock (_lock)
            {
                return _refusal;
            }
        }
    }

    /// <summary>Gets why it has no link, as far as that is known.</summary>
    public string? LinkProblem
    {
        get
        {
            lock (_lock)
            {
                return _linkProblem;
            }
        }
    }

    /// <summary>Gets why it was killed.</summary>
    public string? KillReason
    {
        get
        {
            lock (_lock)
            {
                return _killReason;
            }
        }
    }

    /// <summary>Gets why it was to stop.</summary>
    public string? StopReason
    {
        get
        {
            lock (_lock)
            {
                return _stopReason;
            }
        }
    }

    /// <summary>Gets a value indicating whether the program has asked it to stop.</summary>
    public bool IsStopAsked
    {
        get
        {
            lock (_lock)
            {
                return _isStopAsked;
            }
        }
    }

    /// <summary>Gets a value indicating whether its pool replaces it.</summary>
    public bool IsRecycled
    {
        get
        {
            lock (_lock)
            {
                return _isRecycled;
            }
        }
    }

    /// <summary>Gets a value indicating whether it was killed after its link had ended.</summary>
    public bool WasKilledAfterLink
    {
        get
        {
            lock (_lock)
            {
                return _killsAfterLink > 0;
            }
        }
    }

    /// <summary>Notes a refusal, which counts more than that connections could not be taken.</summary>
    public void Refused(string code, string why)
    {
        lock (_lock)
        {
            if (_refusal is null)
            {
                (_refusal, _linkProblem) = (code, "its connection was refused: " + why);
            }
        }
    }

    /// <summary>Notes why connections could not be taken while its own may have come.</summary>
    public void NotAccepted(string why)
    {
        lock (_lock)
        {
            _linkProblem ??= "while it waited: " + why;
        }
    }

    /// <summary>Notes that it was asked to stop.</summary>
    public void StopAsked(bool isRecycled)
    {
        lock (_lock)
        {
            _isStopAsked = true;
            _isRecycled |= isRecycled;
        }
    }

    /// <summary>Notes that it is to stop.</summary>
    public void Stopping(string reason)
    {
        lock (_lock)
        {
            _stopReason ??= reason;
        }
    }

    /// <summary>Notes a kill that is about to be sent: the end may be reported before it was.</summary>
    /// <returns>Whether the link had ended.</returns>
    public bool Killing(string reason)
    {
        bool isAfterLink = Link is { } link && (link.Broken.IsCompleted || link.Completion.IsCompleted);
        lock (_lock)
        {
            _killReason ??= reason;
            _killsAfterLink += isAfterLink ? 1 : 0;
        }

        return isAfterLink;
    }

    /// <summary>Takes back that a kill came after the link's end: the process had ended before.</summary>
    public void NotKilledAfterLink()
    {
        lock (_lock)
        {
            _killsAfterLink--;
        }
    }
}
