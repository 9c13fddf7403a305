using System;
using System.Threading;

namespace Transport;

/// <summary>The main node's request that a worker finishes. The link closes, unless the program closes it itself, behind its last packets.
/// Safe from any thread.</summary>
/// <param name="close">Closes the link, with a reason, once the requests that were begun are answered; null: the program does.</param>
internal sealed class StopRequest(Action<string>? close)
{
    private readonly object _lock = new();   // over the fields below; nobody is called while it is held
    private readonly CancellationTokenSource _requested = new();
    private string? _reason;

    /// <summary>Gets the token that is cancelled when the main node asks.</summary>
    public CancellationToken Token => _requested.Token;

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
        lock (_lock)
        {
            if (_reason is not null)
            {
                return;
            }

            _reason = reason;
        }

        // The program's callbacks must not run on the receive thread.
        ThreadPool.QueueUserWorkItem(static state => Cancel((CancellationTokenSource)state!), _requested);
        close?.Invoke(reason);
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
