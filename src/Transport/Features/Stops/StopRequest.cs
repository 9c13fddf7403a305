using System;
using System.Threading;

namespace Transport;

/// <summary>The main node's request that a worker finishes. A program that looks at the token closes the link itself, when its last packets
/// are queued; for one that never looked, the link closes at once. Safe from any thread.</summary>
/// <param name="close">Closes the link, with a reason.</param>
internal sealed class StopRequest(Action<string> close)
{
    private readonly object _lock = new();   // over the fields below; nobody is called while it is held
    private readonly CancellationTokenSource _requested = new();
    private bool _isObserved;
    private string? _reason;

    /// <summary>Gets the token that is cancelled when the main node asks. From the first look on, the link waits for the program.</summary>
    public CancellationToken Token
    {
        get
        {
            lock (_lock)
            {
                _isObserved = true;
                return _requested.Token;
            }
        }
    }

    /// <summary>Gets why, as the main node said; null before it asks.</summary>
    public string? Reason
    {
        get
        {
            lock (_lock)
            {
                return _reason;
            }
        }
    }

    /// <summary>Takes the request; the first counts.</summary>
    public void Take(string reason)
    {
        bool isObserved;
        lock (_lock)
        {
            if (_reason is not null)
            {
                return;
            }

            _reason = reason;
            isObserved = _isObserved;
        }

        // The program's callbacks must not run on the receive thread.
        ThreadPool.QueueUserWorkItem(static state => Cancel((CancellationTokenSource)state!), _requested);
        if (!isObserved)
        {
            close(reason);
        }
    }

    private static void Cancel(CancellationTokenSource requested)
    {
        try
        {
            requested.Cancel();
        }
        catch (AggregateException thrown)
        {
            TransportEventSource.Log.HandlerFailed(string.Empty, string.Empty, "stop callback", ExceptionText.MessageOf(thrown));
        }
    }
}
