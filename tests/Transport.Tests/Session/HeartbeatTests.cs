using System;
using System.Threading;
using System.Threading.Tasks;
using NUnit.Framework;
using Transport.Testing.Clock;
using Transport.Testing.Wires;

namespace Transport.Tests.Session;

/// <summary>One timer for many links: none of them may keep the others from their beat.</summary>
internal sealed class HeartbeatTests
{
    private readonly ManualClock _clock = new();

    [Test]
    public async Task A_beat_that_takes_long_is_not_overtaken_by_the_next()
    {
        using var free = new ManualResetEventSlim();
        using Heartbeat heartbeat = Create();
        int inside = 0, beats = 0;
        bool overlapped = false;
        heartbeat.Add(new User(() =>
        {
            overlapped |= Interlocked.Increment(ref inside) > 1;
            if (Interlocked.Increment(ref beats) == 1)
            {
                free.Wait(WithinExtensions.Bound);
            }

            Interlocked.Decrement(ref inside);
        }));
        Task slow = WireReading.OnThread(() => _clock.Advance(heartbeat.Period));
        Assert.That(SpinWait.SpinUntil(() => Volatile.Read(ref beats) == 1, WithinExtensions.Bound), Is.True);
        _clock.Advance(heartbeat.Period);
        free.Set();
        await slow.Within("the slow beat");
        Assert.That((overlapped, beats), Is.EqualTo((false, 1)));
        _clock.Advance(heartbeat.Period);
        Assert.That(beats, Is.EqualTo(2), "it goes on afterwards");
    }

    [Test]
    public void A_link_whose_beat_fails_keeps_no_other_link_from_its_own()
    {
        using Heartbeat heartbeat = Create();
        int beats = 0;
        heartbeat.Add(new User(() => throw new InvalidOperationException("a defect")));
        heartbeat.Add(new User(() => beats++));
        _clock.Advance(heartbeat.Period);
        _clock.Advance(heartbeat.Period);
        Assert.That(beats, Is.EqualTo(2));
    }

    [Test]
    public void A_clock_that_fails_once_costs_one_beat_and_not_the_process()
    {
        var clock = new FailingClock(_clock);
        using Heartbeat heartbeat = Create(clock);
        int beats = 0;
        heartbeat.Add(new User(() => beats++));
        clock.IsFailing = true;
        Assert.DoesNotThrow(() => _clock.Advance(heartbeat.Period));
        clock.IsFailing = false;
        _clock.Advance(heartbeat.Period);
        Assert.That(beats, Is.EqualTo(1));
    }

    private Heartbeat Create(TimeProvider? clock = null)
    {
        LinkOptions options = new LinkOptions { TimeProvider = clock ?? _clock }.ForConnector();
        return new Heartbeat(options, options.GetOrCreatePool());
    }

    private sealed class FailingClock(TimeProvider clock) : TimeProvider
    {
        public bool IsFailing { get; set; }

        public override long TimestampFrequency => clock.TimestampFrequency;

        public override long GetTimestamp() => IsFailing ? throw new InvalidOperationException("the clock fails") : clock.GetTimestamp();

        public override ITimer CreateTimer(TimerCallback callback, object? state, TimeSpan dueTime, TimeSpan period) =>
            clock.CreateTimer(callback, state, dueTime, period);
    }

    private sealed class User(Action beat) : IHeartbeatUser
    {
        public void OnBeat(bool isLate) => beat();
    }
}
