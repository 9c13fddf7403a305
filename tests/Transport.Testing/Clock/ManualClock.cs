using System;
using System.Collections.Generic;
using System.Threading;

namespace Transport.Testing.Clock;

/// <summary>A clock that stands still until the test moves it. Safe from any thread; callbacks run on the thread that calls
/// <see cref="Advance"/>, outside the lock.</summary>
public sealed class ManualClock : TimeProvider
{
    private readonly object _gate = new();
    private readonly List<ManualTimer> _timers = [];
    private DateTimeOffset _now = new(2026, 1, 1, 0, 0, 0, TimeSpan.Zero);
    private long _order;
    private int _undisposed;

    /// <inheritdoc/>
    public override long TimestampFrequency => TimeSpan.TicksPerSecond;

    /// <inheritdoc/>
    public override TimeZoneInfo LocalTimeZone => TimeZoneInfo.Utc;

    /// <summary>Gets how many timers are set to fire.</summary>
    public int Armed
    {
        get
        {
            lock (_gate)
            {
                return _timers.FindAll(t => t.Due is not null).Count;
            }
        }
    }

    /// <summary>Gets how many timers are not disposed.</summary>
    public int Timers
    {
        get
        {
            lock (_gate)
            {
                return _undisposed;
            }
        }
    }

    /// <inheritdoc/>
    public override DateTimeOffset GetUtcNow()
    {
        lock (_gate)
        {
            return _now;
        }
    }

    /// <inheritdoc/>
    public override long GetTimestamp() => GetUtcNow().UtcTicks;

    /// <inheritdoc/>
    public override ITimer CreateTimer(TimerCallback callback, object? state, TimeSpan dueTime, TimeSpan period)
    {
        var timer = new ManualTimer(this, callback, state);
        lock (_gate)
        {
            _undisposed++;
        }

        timer.Change(dueTime, period);
        return timer;
    }

    /// <summary>Moves the clock; every timer that comes due on the way fires at its own time, the earlier one first, periodic ones as often
    /// as they come due.</summary>
    /// <param name="time">How far; not negative.</param>
    public void Advance(TimeSpan time)
    {
        if (time < TimeSpan.Zero)
        {
            throw new ArgumentOutOfRangeException(nameof(time), time, "Time does not go back.");
        }

        DateTimeOffset until = GetUtcNow() + time;
        while (TakeDue(until) is { } timer)
        {
            timer.Fire();
        }
    }

    /// <summary>Moves the clock at once, as a process sees it that was stopped meanwhile: every timer that came due fires once, at the new
    /// time.</summary>
    /// <param name="time">How far; not negative.</param>
    public void Jump(TimeSpan time)
    {
        List<ManualTimer> due;
        lock (_gate)
        {
            _now += time;
            due = _timers.FindAll(t => t.Due <= _now);
            due.ForEach(t => t.Rearm(++_order, from: _now));
        }

        due.ForEach(static t => t.Fire());
    }

    private ManualTimer? TakeDue(DateTimeOffset until)
    {
        lock (_gate)
        {
            ManualTimer? next = null;
            foreach (ManualTimer timer in _timers)
            {
                if (timer.Due <= until && (next is null || (timer.Due, timer.Order).CompareTo((next.Due, next.Order)) < 0))
                {
                    next = timer;
                }
            }

            if (next is null)
            {
                _now = _now > until ? _now : until;
                return null;
            }

            _now = _now > next.Due!.Value ? _now : next.Due.Value;
            next.Rearm(++_order, from: next.Due.Value);
            return next;
        }
    }

    private sealed class ManualTimer(ManualClock clock, TimerCallback callback, object? state) : ITimer
    {
        private TimeSpan _period;
        private bool _disposed;

        public DateTimeOffset? Due { get; private set; }

        public long Order { get; private set; }

        public void Fire() => callback(state);

        public bool Change(TimeSpan dueTime, TimeSpan period)
        {
            lock (clock._gate)
            {
                if (_disposed)
                {
                    return false;
                }

                _period = period;
                Due = dueTime < TimeSpan.Zero ? null : clock._now + dueTime;
                Order = ++clock._order;
                clock._timers.Remove(this);
                if (Due is not null)
                {
                    clock._timers.Add(this);
                }

                return true;
            }
        }

        /// <summary>Under the clock's lock.</summary>
        public void Rearm(long order, DateTimeOffset from)
        {
            Order = order;
            Due = _period > TimeSpan.Zero ? from + _period : null;
            if (Due is null)
            {
                clock._timers.Remove(this);
            }
        }

        public void Dispose()
        {
            lock (clock._gate)
            {
                clock._undisposed -= _disposed ? 0 : 1;
                _disposed = true;
                Due = null;
                clock._timers.Remove(this);
            }
        }

        public System.Threading.Tasks.ValueTask DisposeAsync()
        {
            Dispose();
            return default;
        }
    }
}
