using System.Threading;

namespace Transport;

/// <summary>Counts the peer's packets that count as handled for it, and were not. Safe from any thread; each count stands by
/// itself.</summary>
internal sealed class MissCounts
{
    private long _unhandled;   // added to by the receive thread and by threads of loops, read by all: it orders nothing else
    private long _failed;      // the same, by the receive thread

    /// <summary>Gets the packets for which there was no handler, or no loop any more.</summary>
    public long Unhandled => Volatile.Read(ref _unhandled);

    /// <summary>Gets the packets whose handler threw.</summary>
    public long Failed => Volatile.Read(ref _failed);

    /// <summary>Counts a packet without a handler, or without a loop.</summary>
    public void AddUnhandled() => Interlocked.Increment(ref _unhandled);

    /// <summary>Counts a packet whose handler threw.</summary>
    public void AddFailed() => Interlocked.Increment(ref _failed);

    /// <summary>Returns both.</summary>
    public HandlerMisses Read() => new(Unhandled, Failed);
}
