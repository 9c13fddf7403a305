using System;
using System.Diagnostics;

namespace Transport;

/// <summary>How many of this side's packets the peer has handled, as far as what it says can be true.</summary>
/// <remarks>Safe from any thread; the peer reports it once in some thousand packets.</remarks>
internal sealed class AckLedger(SendQueue queue)
{
    /// <summary>The least that a packet takes on the wire: a header and one byte.</summary>
    private const int LeastPacket = FrameHeader.Size + 1;

    private readonly object _gate = new();
    private long _acknowledged;
    private long _excess;   // what the peer said beyond what was sent
    private long _lastWritten;
    private (long Packets, long Stamp)? _timed;   // the packet whose time until its acknowledgment is measured

    /// <summary>Gets the packets acknowledged.</summary>
    public long Acknowledged
    {
        get
        {
            lock (_gate)
            {
                return _acknowledged;
            }
        }
    }

    /// <summary>Gets the packets written that are not acknowledged.</summary>
    public long Missing
    {
        get
        {
            long written = queue.PacketsWritten;
            return Math.Max(0, written - Acknowledged);
        }
    }

    /// <summary>Gets a value indicating whether every packet that was written is acknowledged.</summary>
    public bool IsComplete => Missing == 0;

    /// <summary>Begins to measure the time until what is written is acknowledged, if somebody wants to know and none is being
    /// measured.</summary>
    public void NoteWritten()
    {
        if (TransportMeter.AcknowledgeDuration.Enabled)
        {
            lock (_gate)
            {
                _ = MaxPossiblySent(out long written);
                bool isNew = written > _lastWritten && written > _acknowledged;   // the peer may be faster than this call
                _lastWritten = written;
                _timed ??= isNew ? (written, Stopwatch.GetTimestamp()) : null;
            }
        }
    }

    /// <summary>Takes an Ack. One that says more than was sent changes nothing yet: the next <see cref="FindLie"/> takes it or calls it a
    /// lie.</summary>
    /// <returns>Whether more is acknowledged than before.</returns>
    public bool Take(long packets)
    {
        bool isMore;
        long? since = null;
        lock (_gate)
        {
            if (packets > MaxPossiblySent(out _))
            {
                _excess = packets;
                return false;
            }

            isMore = packets > _acknowledged;
            _acknowledged = Math.Max(_acknowledged, packets);
            if (_timed is { } timed && _acknowledged >= timed.Packets)
            {
                (since, _timed) = (timed.Stamp, null);
            }
        }

        if (since is { } stamp)
        {
            Listeners.Record(TransportMeter.AcknowledgeDuration, TransportMeter.SecondsOf(Stopwatch.GetTimestamp() - stamp));
        }

        return isMore;
    }

    /// <summary>Reports what the peer acknowledged that was never sent; what was sent meanwhile is taken.</summary>
    /// <returns>A sentence; null if nothing is wrong.</returns>
    public string? FindLie()
    {
        lock (_gate)
        {
            if (_excess > MaxPossiblySent(out long written))
            {
                return $"The peer's Ack says that {_excess} packets are handled, {written} were sent.";
            }

            // A write that was counted since explains it.
            _acknowledged = Math.Max(_acknowledged, _excess);
            _excess = 0;
            return null;
        }
    }

    /// <summary>A write is counted when it is over, and the peer may be faster: so what is queued may have been sent. Asked in this order,
    /// nothing can be missing from both.</summary>
    private long MaxPossiblySent(out long written)
    {
        long queued = queue.QueuedBytes;
        written = queue.PacketsWritten;
        return (queued / LeastPacket) + written;
    }
}
