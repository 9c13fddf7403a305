using System.Diagnostics.Tracing;

namespace Transport;

/// <summary>What happens inside, for any EventSource listener (dotnet-trace, PerfView, EventListener): the source is named
/// "Transport-Link".</summary>
/// <remarks>Ids are grouped by layer and never used again for something else: 1-19 links, 20-39 sending, 40-59 receiving, 60-79 pool, 80-99
/// nodes. No secret is ever an argument.</remarks>
[EventSource(Name = "Transport-Link")]
internal sealed class TransportEventSource : EventSource
{
    /// <summary>The one source.</summary>
    public static readonly TransportEventSource Log = new();

    private TransportEventSource()
    {
    }

    [Event(1, Level = EventLevel.Informational, Message = "{0} opened a link with {1} over {2}")]
    public void LinkOpened(string node, string peer, string wire)
    {
        if (IsEnabled())
        {
            WriteEvent(1, node, peer, wire);
        }
    }

    [Event(2, Level = EventLevel.Informational, Message = "{0}: the link with {1} ended: {2} {3}")]
    public void LinkEnded(string node, string peer, string fault, string reason)
    {
        if (IsEnabled())
        {
            WriteEvent(2, node, peer, fault, reason);
        }
    }

    [Event(3, Level = EventLevel.Warning, Message = "a connection was refused ({0}): {1}")]
    public void ConnectionRefused(string code, string message)
    {
        if (IsEnabled())
        {
            WriteEvent(3, code, message);
        }
    }

    [Event(4, Level = EventLevel.Warning, Message = "accepting failed {0} times in a row: {1}")]
    public void AcceptFailed(int times, string message)
    {
        if (IsEnabled())
        {
            WriteEvent(4, times, message);
        }
    }

    [Event(5, Level = EventLevel.Warning, Message = "{0}, link with {1}, stalled ({2}): {3}")]
    public void Stalled(string node, string peer, string kind, string sentence)
    {
        if (IsEnabled())
        {
            WriteEvent(5, node, peer, kind, sentence);
        }
    }

    [Event(6, Level = EventLevel.Informational, Message = "{0}, link with {1}, no longer stalled ({2}): {3}")]
    public void StallEnded(string node, string peer, string kind, string sentence)
    {
        if (IsEnabled())
        {
            WriteEvent(6, node, peer, kind, sentence);
        }
    }

    [Event(7, Level = EventLevel.Error, Message = "{0}: a heartbeat of a link or of the pool failed: {1}")]
    public void HeartbeatFailed(string node, string exception)
    {
        if (IsEnabled())
        {
            WriteEvent(7, node, exception);
        }
    }

    [Event(20, Level = EventLevel.Verbose, Message = "a send was answered Full on lane {0}; {1} bytes are queued")]
    public void AnsweredFull(int lane, long queuedBytes)
    {
        if (IsEnabled(EventLevel.Verbose, EventKeywords.None))
        {
            WriteEvent(20, lane, queuedBytes);
        }
    }

    [Event(21, Level = EventLevel.Warning, Message = "{0}: writing failed: {1}")]
    public void WriteFailed(string node, string message)
    {
        if (IsEnabled())
        {
            WriteEvent(21, node, message);
        }
    }

    [Event(22, Level = EventLevel.Warning, Message = "{0}: the wire's {1} threw {2}")]
    public void WireEndFailed(string node, string call, string exception)
    {
        if (IsEnabled())
        {
            WriteEvent(22, node, call, exception);
        }
    }

    [Event(40, Level = EventLevel.Verbose, Message = "a packet of type {0} has no handler")]
    public void UnknownPacket(int type)
    {
        if (IsEnabled(EventLevel.Verbose, EventKeywords.None))
        {
            WriteEvent(40, type);
        }
    }

    [Event(41, Level = EventLevel.Warning, Message = "{0}, link with {1}: the handler of packet {2} failed: {3}")]
    public void HandlerFailed(string node, string peer, string packet, string exception)
    {
        if (IsEnabled())
        {
            WriteEvent(41, node, peer, packet, exception);
        }
    }

    [Event(60, Level = EventLevel.Verbose, Message = "the pool had no segment of {0} bytes")]
    public void PoolMissed(int bytes)
    {
        if (IsEnabled(EventLevel.Verbose, EventKeywords.None))
        {
            WriteEvent(60, bytes);
        }
    }

    [Event(80, Level = EventLevel.Informational, Message = "worker {0} started as process {1}")]
    public void WorkerStarted(string node, int processId)
    {
        if (IsEnabled())
        {
            WriteEvent(80, node, processId);
        }
    }

    [Event(81, Level = EventLevel.Informational, Message = "worker {0} (process {1}) ended: {2}")]
    public void WorkerEnded(string node, int processId, string cause)
    {
        if (IsEnabled())
        {
            WriteEvent(81, node, processId, cause);
        }
    }

    [Event(82, Level = EventLevel.Warning, Message = "{0} goes on without a crash tail: {1}")]
    public void NoTail(string node, string problem)
    {
        if (IsEnabled())
        {
            WriteEvent(82, node, problem);
        }
    }

    [Event(83, Level = EventLevel.Informational, Message = "{0} gives its workers pipes, since it gets no socket: {1}")]
    public void SocketRefused(string node, string problem)
    {
        if (IsEnabled())
        {
            WriteEvent(83, node, problem);
        }
    }
}
