using System;
using System.Collections.Generic;
using System.Diagnostics.Tracing;

namespace Transport;

/// <summary>Raises the event of one link's answers Full. A listener that logs through this link is answered Full too: its thread is not
/// notified of that.</summary>
internal sealed class FullAnswerEvent
{
    private readonly object _gate = new();
    private readonly HashSet<int> _threads = [];   // those inside a listener

    /// <summary>Raises the event, unless this thread is raising it already. Safe from any thread.</summary>
    public void Raise(Lane lane, long queuedBytes)
    {
        if (!TransportEventSource.Log.IsEnabled(EventLevel.Verbose, EventKeywords.None))
        {
            return;
        }

        int thread = Environment.CurrentManagedThreadId;
        lock (_gate)
        {
            if (!_threads.Add(thread))
            {
                return;
            }
        }

        try
        {
            TransportEventSource.Log.AnsweredFull((int)lane, queuedBytes);
        }
        finally
        {
            lock (_gate)
            {
                _threads.Remove(thread);
            }
        }
    }
}
