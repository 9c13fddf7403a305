using System;
using System.Diagnostics.Tracing;
using System.Threading;
using System.Threading.Tasks;
using NUnit.Framework;
using Transport.Testing.Buffers;
using Transport.Testing.Wires;
using Transport.Testing.Sending;

namespace Transport.Tests.Sending;

/// <summary>The event of an answer Full, if who listens to it sends through the same link.</summary>
internal sealed class FullAnswerEventTests
{
    [Test]
    public async Task A_listener_that_sends_through_its_full_link_does_not_hear_of_its_own_sends_while_others_send()
    {
        if (Type.GetType("Mono.Runtime") is not null)
        {
            Assert.Ignore("Mono's EventSource has no listeners.");
        }

        SendQueue queue = Queues.Make(new AccusingPool(), 64 << 10);
        using var meeting = new Barrier(2);
        using var listener = new SendingListener(queue, meeting);
        Task[] senders =
        [
            Task.Factory.StartNew(listener.Send, CancellationToken.None, TaskCreationOptions.LongRunning, TaskScheduler.Default),
            Task.Factory.StartNew(listener.Send, CancellationToken.None, TaskCreationOptions.LongRunning, TaskScheduler.Default),
        ];
        await Task.WhenAll(senders).Within("the senders");
        Assert.That(
            (listener.Deepest, queue.Refused), Is.EqualTo((1, 4L)), "one event for each sender; the listener's sends are counted");
        queue.Break(goodbyeReason: null);
    }

    /// <summary>Answers each event on a thread of the test with a send, once both threads are inside.</summary>
    private sealed class SendingListener(SendQueue queue, Barrier meeting) : EventListener
    {
        private readonly ThreadLocal<int> _depth = new();
        private readonly ThreadLocal<bool> _isMine = new();
        private readonly object _gate = new();

        /// <summary>Gets the most calls of this listener inside each other.</summary>
        public int Deepest { get; private set; }

        public void Send()
        {
            _isMine.Value = true;
            Refuse();
        }

        public override void Dispose()
        {
            base.Dispose();
            _depth.Dispose();
            _isMine.Dispose();
        }

        protected override void OnEventSourceCreated(EventSource eventSource)
        {
            if (eventSource.Name == "Transport-Link")
            {
                EnableEvents(eventSource, EventLevel.Verbose);
            }
        }

        protected override void OnEventWritten(EventWrittenEventArgs eventData)
        {
            // The base class may call this before this class is made.
            if (_isMine is not { Value: true } || eventData.EventName != nameof(TransportEventSource.AnsweredFull))
            {
                return;
            }

            int depth = ++_depth.Value;
            lock (_gate)
            {
                Deepest = Math.Max(Deepest, depth);
            }

            if (depth == 1)
            {
                meeting.SignalAndWait(WithinExtensions.Bound);
                Refuse();
            }

            _depth.Value--;
        }

        private void Refuse() => _ = queue.RefusedFor(Lane.Normal, PacketLevel.None, LanePolicy.Refuse);
    }
}
