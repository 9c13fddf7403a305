using System;

namespace Transport;

/// <summary>Where the reading of a link stands, for the threads that watch it: heartbeat, main node, and the thread that ends the
/// link.</summary>
/// <remarks>
/// Written by the receive thread, at each read and after each handler that waited, never for each packet; anybody looks. All of it is under
/// one lock, so that a look shows one moment: what was dry while a handler was already at work again never looks like both.
/// </remarks>
internal sealed class ReceiveProgress
{
    private readonly object _lock = new();
    private readonly TimeProvider _clock;
    private ReceiveLook _now;
    private long _quietSince;   // the receive thread's alone: since when no frame has come, handlers at work or not; 0 after a frame

    public ReceiveProgress(TimeProvider clock)
    {
        _clock = clock;
        _now.LastFrame = clock.GetTimestamp();
    }

    /// <summary>Looks at it. Any thread; the others are the receive thread's.</summary>
    public ReceiveLook Look()
    {
        lock (_lock)
        {
            return _now;
        }
    }

    /// <summary>Reading begins.</summary>
    public void Begin()
    {
        lock (_lock)
        {
            _now.IsRunning = true;
        }
    }

    /// <summary>The peer is heard. Once for all the frames of a read: asking the clock for each would cost as much as reading it.</summary>
    /// <returns>When, as the clock's timestamp.</returns>
    public long FrameCame()
    {
        long now = _clock.GetTimestamp();
        _quietSince = 0;
        lock (_lock)
        {
            (_now.PendingSince, _now.LastFrame) = (0, now);
        }

        return now;
    }

    /// <summary>A read begins: if nothing comes, it is the peer's silence from now on.</summary>
    /// <param name="isDry">Whether all that had arrived is handled.</param>
    public void ReadBegins(bool isDry)
    {
        _quietSince = _quietSince == 0 ? Math.Max(1, _clock.GetTimestamp()) : _quietSince;
        lock (_lock)
        {
            _now.PendingSince = _quietSince;
            _now.Dry += isDry ? 1 : 0;
        }
    }

    /// <summary>Nothing has come for a while, and a store flushes what is handled before it is acknowledged. If it blocks, the peer's
    /// silence does not count: nobody reads.</summary>
    public void ReportBegins()
    {
        lock (_lock)
        {
            (_now.PendingSince, _now.IsReporting) = (0, true);
        }
    }

    /// <summary>The acknowledgement is on its way: from now on the peer can be silent again.</summary>
    public void ReportEnds()
    {
        _quietSince = Math.Max(1, _clock.GetTimestamp());
        lock (_lock)
        {
            (_now.PendingSince, _now.IsReporting) = (_quietSince, false);
        }
    }

    /// <summary>A read without limit begins.</summary>
    public void WaitBegins()
    {
        lock (_lock)
        {
            _now.Dry++;
            _now.IsWaiting = true;
        }
    }

    /// <summary>Something has come, or the end.</summary>
    public void WaitEnds()
    {
        lock (_lock)
        {
            _now.IsWaiting = false;
        }
    }

    /// <summary>The stream is over, and a replay begins: nobody's silence counts any more.</summary>
    public void StreamEnded()
    {
        lock (_lock)
        {
            _now.PendingSince = 0;
        }
    }

    /// <summary>Reading is over.</summary>
    public void End()
    {
        lock (_lock)
        {
            _now.IsRunning = false;
        }
    }
}

/// <summary>One moment of a link's reading.</summary>
internal struct ReceiveLook
{
    /// <summary>Gets or sets when the last whole frame came, as the clock's timestamp.</summary>
    public long LastFrame { get; set; }

    /// <summary>Gets or sets since when this side has been waiting for the peer's next whole frame, as the clock's timestamp; 0 while
    /// frames are handled. Bytes that are no whole frame change nothing.</summary>
    public long PendingSince { get; set; }

    /// <summary>Gets or sets how often the stream was found empty and all that had come before was handled. Of two such moments the second
    /// is one after the first was seen here.</summary>
    public long Dry { get; set; }

    /// <summary>Gets or sets a value indicating whether the pump runs: it was started and has not ended.</summary>
    public bool IsRunning { get; set; }

    /// <summary>Gets or sets a value indicating whether everything that was read is handled and reported, a look found nothing, and a read
    /// waits for more.</summary>
    public bool IsWaiting { get; set; }

    /// <summary>Gets or sets a value indicating whether everything that was read is handled and is being acknowledged, which a store may
    /// hold up.</summary>
    public bool IsReporting { get; set; }

    /// <summary>Gets a value indicating whether a packet is with its handler, or will be at once.</summary>
    public readonly bool IsBusy => IsRunning && !IsWaiting;
}
