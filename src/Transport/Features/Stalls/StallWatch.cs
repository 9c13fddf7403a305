using System;

namespace Transport;

/// <summary>Finds what stands still on one link, by looking now and then at numbers that are there anyway: nothing is counted or timed for
/// it.</summary>
/// <remarks>A look knows only that something has not moved since the one before. So each sign counts from the look before the first that
/// saw it: it is named within the time, if anything early by the time between two looks. Not safe from several threads.</remarks>
internal sealed class StallWatch
{
    private readonly TimeProvider _clock;
    private readonly TimeSpan _limit;
    private Sign _handler, _loop, _queue, _acks;
    private StallView _last = new() { Handled = -1 };

    /// <param name="clock">The clock of what is looked at.</param>
    /// <param name="timeout">After how long a stall is reported.</param>
    /// <param name="period">The time between two looks: half of it is what a timer may be off.</param>
    public StallWatch(TimeProvider clock, TimeSpan timeout, TimeSpan period)
    {
        _clock = clock;
        _limit = timeout - TimeSpan.FromTicks(period.Ticks / 2);
        _last.Now = clock.GetTimestamp();
    }

    /// <summary>Gets since when this side's handler has stood still, as the clock's timestamp; 0 if it has not, or not for
    /// long.</summary>
    public long HandlerSince { get; private set; }

    /// <summary>Gets since when a loop of this side has not taken its next packet; as <see cref="HandlerSince"/>.</summary>
    public long LoopSince { get; private set; }

    /// <summary>Gets since when the peer has taken nothing; as <see cref="HandlerSince"/>.</summary>
    public long PeerSince { get; private set; }

    /// <summary>Gets how many packets were handled when it looked last.</summary>
    public long Handled => Math.Max(0, _last.Handled);

    /// <summary>Looks.</summary>
    public void Look(in StallView view)
    {
        long before = _last.Now;
        bool reads = view.Handled != _last.Handled || view.BytesReceived != _last.BytesReceived;
        _handler.Look(view.IsInHandler, reads, before);
        _loop.Look(view.OldestUnread != 0, view.OldestUnread != _last.OldestUnread || view.LoopMoves != _last.LoopMoves, before);

        // What the peer has said meanwhile stands unread behind such a handler or loop: nobody can blame it for silence.
        bool deaf = (view.IsInHandler || view.IsHeldUp) && !reads;

        // Bytes count when a whole segment is written, which a slow peer may take long over; what it acknowledges it has taken.
        bool handles = view.Acknowledged != _last.Acknowledged;
        _queue.Look(view.QueuedBytes > 0, handles || view.BytesSent != _last.BytesSent, before);
        _acks.Look(view.Unacknowledged > 0 && !deaf, handles, before);
        long asked = view.IsWaiting ? view.AskedSince : 0;
        _last = view;

        HandlerSince = IsLong(_handler.From) ? Math.Max(_handler.From, view.LastFrame) : 0;
        LoopSince = IsLong(_loop.From) ? _loop.From : 0;
        PeerSince = Earliest(IsLong(_queue.From) ? _queue.From : 0,
            Earliest(IsLong(_acks.From) ? _acks.From : 0, IsLong(asked) ? asked : 0));
    }

    private static long Earliest(long one, long other) => one == 0 ? other : other == 0 ? one : Math.Min(one, other);

    private bool IsLong(long from) => from != 0 && _clock.GetElapsedTime(from, _last.Now) >= _limit;

    /// <summary>Something that ought to move.</summary>
    private struct Sign
    {
        /// <summary>Gets since when it has not; 0 if it need not.</summary>
        public long From { get; private set; }

        public void Look(bool ought, bool moved, long before) => From = !ought ? 0 : moved || From == 0 ? Math.Max(1, before) : From;
    }
}

/// <summary>What a look sees.</summary>
internal struct StallView
{
    /// <summary>The clock's timestamp of the look.</summary>
    public long Now;

    /// <summary>Whether everything that was read is handled and a read waits.</summary>
    public bool IsWaiting;

    /// <summary>Whether a packet is with its handler, or will be at once.</summary>
    public bool IsInHandler;

    /// <summary>The place of the oldest packet that a loop has not taken, in the order of arrival; 0 if there is none.</summary>
    public long OldestUnread;

    /// <summary>How many packets those loops have taken, of all links.</summary>
    public long LoopMoves;

    /// <summary>Whether the receive thread waits for a loop.</summary>
    public bool IsHeldUp;

    public long Handled;
    public long BytesReceived;
    public long BytesSent;
    public long QueuedBytes;
    public long Unacknowledged;
    public long Acknowledged;

    /// <summary>Since when a Ping has not been answered; 0 if none is open.</summary>
    public long AskedSince;

    public long LastFrame;
}
