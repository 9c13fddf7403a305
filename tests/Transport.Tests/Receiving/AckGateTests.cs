using System;
using System.Collections.Generic;
using System.IO;
using System.Threading;
using System.Threading.Tasks;
using System.Threading.Tasks.Sources;
using NUnit.Framework;
using Transport.Testing.Wires;

namespace Transport.Tests.Receiving;

internal sealed class AckGateTests
{
    [Test]
    public void What_is_safe_at_once_passes_at_once_and_only_rises()
    {
        List<long> passed = [];
        var gate = new AckGate(new FakeStore { IsOpen = true }, passed.Add, e => Assert.Fail(e.Message));
        gate.Ask(3);
        gate.Ask(3);
        gate.Ask(2);
        gate.Ask(7);
        Assert.That(passed, Is.EqualTo(new[] { 3L, 7L }));
        Assert.That(gate.Safe, Is.EqualTo(7));
    }

    [Test]
    public async Task One_question_at_a_time_and_what_came_meanwhile_goes_with_the_next()
    {
        List<long> passed = [];
        var store = new FakeStore();
        var gate = new AckGate(store, passed.Add, e => Assert.Fail(e.Message));
        gate.Ask(1);
        gate.Ask(2);
        Task<bool> settled = gate.SettleAsync(5);
        Assert.That((store.Asked, passed.Count, settled.IsCompleted), Is.EqualTo((1, 0, false)));
        store.Answer();
        Assert.That((store.Asked, passed.Count, settled.IsCompleted), Is.EqualTo((2, 1, false)));
        store.Answer();
        Assert.That(await settled.Within("the answer"), Is.True);
        Assert.That(passed, Is.EqualTo(new[] { 1L, 5L }));
        Assert.That(await gate.SettleAsync(5), Is.True, "it is so already");
        Assert.That(store.Asked, Is.EqualTo(2));
    }

    [Test]
    public async Task A_failure_is_reported_once_and_nothing_passes_after_it([Values] bool atOnce)
    {
        List<long> passed = [];
        List<Exception> reported = [];
        var store = new FakeStore { Refusal = atOnce ? new InvalidOperationException("no") : null };
        var gate = new AckGate(store, passed.Add, reported.Add);
        gate.Ask(1);
        Task<bool> settled = gate.SettleAsync(2);
        if (!atOnce)
        {
            store.Answer(new InvalidOperationException("no"));
        }

        gate.Ask(3);
        Assert.That(await settled.Within("the answer"), Is.False);
        Assert.That(await gate.SettleAsync(4).Within("the answer"), Is.False);
        Assert.That((reported.Count, passed.Count, gate.Safe), Is.EqualTo((1, 0, 0L)));
    }

    [Test]
    public async Task An_Ack_that_cannot_be_queued_is_a_failure_and_no_exception_of_the_stores_thread([Values] bool atOnce)
    {
        List<Exception> reported = [];
        var store = new FakeStore { IsOpen = atOnce };
        var gate = new AckGate(store, _ => throw new IOException("no"), reported.Add);
        Task<bool> settled = gate.SettleAsync(1);
        if (!atOnce)
        {
            store.Answer();
        }

        Assert.That(await settled.Within("the answer"), Is.False);
        Assert.That(reported, Has.One.InstanceOf<IOException>());
    }

#if NET
    [Test]
    public void An_Ack_allocates_nothing([Values] bool open)
    {
        var store = new FakeStore { IsOpen = open };
        long passed = 0;
        var gate = new AckGate(store, n => passed = n, e => Assert.Fail(e.Message));
        Run(1, 1000);
        long before = GC.GetAllocatedBytesForCurrentThread();
        Run(1001, 11_000);
        Assert.That(GC.GetAllocatedBytesForCurrentThread() - before, Is.LessThan(20_000),
            "10,000 Acks; a collection in between may count the rest of a block");
        Assert.That((gate.Safe, passed), Is.EqualTo((11_000L, 11_000L)));

        void Run(int from, int to)
        {
            for (int i = from; i <= to; i++)
            {
                gate.Ask(i);
                if (!open)
                {
                    store.Answer();
                }
            }
        }
    }
#endif

    /// <summary>Answers on the test's thread, with a source that is used again and again, as a journal's is.</summary>
    private sealed class FakeStore : IPacketStore, IValueTaskSource
    {
        private ManualResetValueTaskSourceCore<bool> _source;

        public bool IsOpen { get; set; }

        public Exception? Refusal { get; set; }

        public int Asked { get; private set; }

        public ValueTask AppendAsync(RawPacket packet, CancellationToken cancellationToken) => default;

        public ValueTask FlushAsync(CancellationToken cancellationToken)
        {
            Asked++;
            if (Refusal is not null)
            {
                throw Refusal;
            }

            _source.Reset();
            return IsOpen ? default : new ValueTask(this, _source.Version);
        }

        public void Answer(Exception? failure = null)
        {
            if (failure is null)
            {
                _source.SetResult(true);
            }
            else
            {
                _source.SetException(failure);
            }
        }

        void IValueTaskSource.GetResult(short token) => _source.GetResult(token);

        ValueTaskSourceStatus IValueTaskSource.GetStatus(short token) => _source.GetStatus(token);

        void IValueTaskSource.OnCompleted(Action<object?> continuation, object? state, short token,
            ValueTaskSourceOnCompletedFlags flags) => _source.OnCompleted(continuation, state, token, flags);
    }
}
