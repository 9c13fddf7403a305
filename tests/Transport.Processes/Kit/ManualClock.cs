using System;
using System.Collections.Generic;
using System.Linq;
using System.Threading;

namespace Transport.Processes.Kit;

/// <summary>A clock that only the test moves. Timers fire inside <see cref="Advance"/>, in order.</summary>
internal sealed class ManualClock : TimeProvider
{
    private readonly List<ManualTimer> _timers = new();
    private long _now = new DateTimeOffset(2026, 1, 1, 0, 0, 0, TimeSpan.Zero).Ticks;

    public override long TimestampFrequency => TimeSpan.TicksPerSecond;

    public override long GetTimestamp() => Volatile.Read(ref _now);

    public override DateTimeOffset GetUtcNow() => new(GetTimestamp(), TimeSpan.Zero);

    public override ITimer CreateTimer(TimerCallback callback, object? state, TimeSpan dueTime, TimeSpan period)
    {
        var timer = new ManualTimer(this, () => callback(state));
        timer.Change(dueTime, period);
        return timer;
    }

    public void Advance(TimeSpan by)
    {
        long until = GetTimestamp() + by.Ticks;
        while (true)
        {
            ManualTimer? next;
            lock (_timers)
            {
                next = _timers.Where(t => t.Due <= until).OrderBy(t => t.Due).FirstOrDefault();
                Volatile.Write(ref _now, next is null ? until : Math.Max(next.Due, GetTimestamp()));
                next?.Reset();
            }

            if (next is null)
            {
                return;
            }

            next.Fire();
        }
    }

    private sealed class ManualTimer(ManualClock clock, Action fire) : ITimer
    {
        private TimeSpan _period;

        public long Due { get; private set; } = long.MaxValue;

        public Action Fire { get; } = fire;

        public bool Change(TimeSpan dueTime, TimeSpan period)
        {
            lock (clock._timers)
            {
                _period = period;
                Due = dueTime == Timeout.InfiniteTimeSpan ? long.MaxValue : clock.GetTimestamp() + dueTime.Ticks;
                if (!clock._timers.Contains(this))
                {
                    clock._timers.Add(this);
                }
            }

            return true;
        }

        public void Reset() => Due = _period > TimeSpan.Zero ? Due + _period.Ticks : long.MaxValue;

        public void Dispose()
        {
            lock (clock._timers)
            {
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
