using System;
using System.Collections.Generic;
using System.Threading;

namespace Transport;

/// <summary>What many links share: one timer for their Pings, silences and pool trims, which stands still while there is no link.</summary>
internal sealed class Heartbeat : IDisposable
{
    /// <summary>What nobody needed for about one PingInterval goes back to the system.</summary>
    private const int TicksATrim = 4;

    private readonly object _gate = new();
    private readonly List<IHeartbeatUser> _links = [];   // under the gate
    private readonly TimeProvider _clock;
    private readonly ITimer _timer;
    private readonly SegmentPool _pool;
    private readonly string _node;
    private int _ticks;
    private int _users = 1;     // under the gate, with the next two
    private bool _disposed;
    private bool _isTicking;
    private long _lastTick;

    public Heartbeat(LinkOptions options, SegmentPool pool)
    {
        _pool = pool;
        _node = options.OwnNode;
        // A quarter of the shortest time to be kept, so that nothing is late by more than that.
        HeartbeatOptions times = options.Heartbeat;
        long ticks = Math.Min(times.PingInterval.Ticks, Math.Min(times.SilenceTimeout.Ticks, times.StallTimeout.Ticks)) / 4;
        Period = TimeSpan.FromTicks(Math.Max(ticks, TimeSpan.FromMilliseconds(10).Ticks));
        _clock = options.TimeProvider;
        _timer = _clock.CreateTimer(static state => ((Heartbeat)state!).Tick(), this, Timeout.InfiniteTimeSpan, Timeout.InfiniteTimeSpan);
    }

    /// <summary>Gets the time between two looks.</summary>
    public TimeSpan Period { get; }

    public void Add(IHeartbeatUser link)
    {
        lock (_gate)
        {
            _links.Add(link);
            if (_links.Count == 1 && !_disposed)
            {
                _lastTick = _clock.GetTimestamp();
                _timer.Change(Period, Period);
            }
        }
    }

    public void Remove(IHeartbeatUser link)
    {
        lock (_gate)
        {
            if (!_links.Remove(link) || _links.Count > 0)
            {
                return;
            }

            if (!_disposed)
            {
                _timer.Change(Timeout.InfiniteTimeSpan, Timeout.InfiniteTimeSpan);
            }
        }

        // Nobody looks any more: what is kept now would be kept as long as there is no link. The first call frees what was not needed of
        // late, the second the rest.
        _pool.Trim();
        _pool.Trim();
    }

    /// <summary>Keeps the timer for one user more. The caller is one already.</summary>
    public void Hold()
    {
        lock (_gate)
        {
            _users++;
        }
    }

    /// <summary>Releases one reference; the last one disposes the timer. The constructor makes the first.</summary>
    public void Dispose()
    {
        lock (_gate)
        {
            if (--_users > 0)
            {
                return;
            }

            _disposed = true;
        }

        _timer.Dispose();
    }

    /// <summary>Called by the timer, which does not wait for the tick before: one that comes meanwhile is left out.</summary>
    private void Tick() => Try(Beat);

    private void Beat()
    {
        IHeartbeatUser[] links;
        bool isLate;
        lock (_gate)
        {
            if (_isTicking)
            {
                return;
            }

            long now = _clock.GetTimestamp();
            isLate = _clock.GetElapsedTime(_lastTick, now) >= Period + Period;
            _lastTick = now;
            links = [.. _links];
            _isTicking = true;   // last: whatever throws before, the next tick comes
        }

        try
        {
            Try(LookAfterPool);
            foreach (IHeartbeatUser link in links)
            {
                Try(() => link.OnBeat(isLate));
            }
        }
        finally
        {
            lock (_gate)
            {
                _isTicking = false;
            }
        }
    }

    private void LookAfterPool()
    {
        _pool.ReportMisses();
        if (++_ticks % TicksATrim == 0)
        {
            _pool.Trim();
        }
    }

    /// <summary>A defect of one link must not keep the others from their beat, nor end the process.</summary>
    private void Try(Action beat)
    {
        try
        {
            beat();
        }
        catch (Exception defect)
        {
            TransportEventSource.Log.HeartbeatFailed(_node, ExceptionText.Full(defect));
        }
    }
}
