using System;
using System.Threading;
using System.Threading.Tasks;
using NUnit.Framework;
using Transport.Conformance.Wires;
using Transport.Testing.Clock;
using Transport.Testing.Links;
using Transport.Testing.Wires;

namespace Transport.Conformance.Links;

/// <summary>Both sides full in both directions: nobody hangs, and the side that caused it is named.</summary>
[TestFixtureSource(typeof(WireKinds), nameof(WireKinds.All))]
internal sealed class LinkStandstill(string wire)
{
    private const int Size = 20_000;

    /// <summary>Handlers that answer with a send which waits: once both queues are full, each waits for the other's reader, and that for
    /// its handler.</summary>
    [Promise("Handling", "Handlers of both sides that wait for each other's capacity end the link instead of deadlocking.")]
    [TestCase("async")]
    [TestCase("async after an await")]
    [TestCase("wait")]
    [TestCase("blocking")]
    public async Task Handlers_of_both_sides_that_wait_for_capacity_end_the_link_by_name(string how)
    {
        var clock = new ManualClock();
        void Small(LinkOptions options) => (options.MaxQueuedBytes, options.TimeProvider) = (64 << 10, clock);
        await using LinkRig rig = await LinkRig.OpenAsync(wire, Small, Small);
        Inside inMain = new(), inWorker = new();
        rig.Main.Start(Answering(rig.Main, how, inMain));
        rig.Worker.Start(Answering(rig.Worker, how, inWorker));
        Task flooding = Task.WhenAll(FloodAsync(rig.Main), FloodAsync(rig.Worker));
        await Stalled.StandsAsync(() => rig.Main.Counters.BytesSent + rig.Worker.Counters.BytesSent, () => inMain.IsTrue
            && inWorker.IsTrue);
        clock.Advance(TimeSpan.FromSeconds(31));

        // What writes hang in ends by the same clock; not faster than threads can follow.
        await WireReading.OnThread(() =>
        {
            while (!SpinWait.SpinUntil(() => rig.Main.Completion.IsCompleted && rig.Worker.Completion.IsCompleted,
                TimeSpan.FromMilliseconds(20)))
            {
                clock.Advance(TimeSpan.FromMilliseconds(100));
            }
        }).Within("both ends");
        LinkEnd main = await rig.Main.Completion;
        LinkEnd worker = await rig.Worker.Completion;
        await flooding.Within("the floods");
        TestContext.Out.WriteLine($"main: {main}; worker: {worker}");
        // the other may have heard of it by the same name, but has no exception of its own
        LinkEnd first = main.Cause is TransportException ? main : worker;
        LinkEnd other = ReferenceEquals(first, main) ? worker : main;
        Assert.That(first.Fault, Is.EqualTo(TransportFault.HandlerFailed), first.ToString());
        Assert.That((first.Cause as TransportException)?.Fault, Is.EqualTo(TransportFault.HandlerBlocked), first.ToString());
        Assert.That(first.Reason, Does.Contain("Numbered (1024)").And.Contain("SilenceTimeout"));
        Assert.That(other.Fault, Is.EqualTo(TransportFault.HandlerFailed).Or.EqualTo(TransportFault.PeerGone), other.ToString());
    }

    /// <summary>The pulse runs on a thread of the pool, and with many such links their handlers have taken all of them: 40 links with two
    /// sides each stood still for 43 s instead of 2, and forever if the pool was bounded.</summary>
    [Test]
    public async Task A_handler_that_blocks_its_thread_ends_the_link_by_name_though_no_pulse_comes()
    {
        static void Small(LinkOptions options) =>
            (options.MaxQueuedBytes, options.TimeProvider, options.Heartbeat.PingInterval, options.Heartbeat.SilenceTimeout) =
                (64 << 10, new ClockWithoutPulse(), TimeSpan.FromMilliseconds(500), TimeSpan.FromSeconds(1));
        await using LinkRig rig = await LinkRig.OpenAsync(wire, Small, Small);
        rig.Main.Start(Answering(rig.Main, "wait", new Inside()));
        rig.Worker.Start(Answering(rig.Worker, "wait", new Inside()));
        Task flooding = Task.WhenAll(FloodAsync(rig.Main), FloodAsync(rig.Worker));
        LinkEnd main = await rig.Main.Completion.Within("the main node's end");
        LinkEnd worker = await rig.Worker.Completion.Within("the worker's end");
        await flooding.Within("the floods");
        Assert.That(
            new[] { main, worker },
            Has.Some.Matches<LinkEnd>(end => end!.Cause is TransportException { Fault: TransportFault.HandlerBlocked }),
            $"main: {main}; worker: {worker}");
    }

    /// <summary>Who sends from elsewhere may wait as long as it likes, whatever a handler does meanwhile.</summary>
    [Test]
    public async Task A_wait_that_no_handler_began_is_not_blamed()
    {
        var clock = new ManualClock();
        (RawPeer peer, Link main) = await RawPeer.OpenAsync(wire, o => (o.MaxQueuedBytes, o.TimeProvider) = (64 << 10, clock));
        await using RawPeer rawPeer = peer;
        var began = new TaskCompletionSource<bool>(TaskCreationOptions.RunContinuationsAsynchronously);
        var gate = new TaskCompletionSource<bool>(TaskCreationOptions.RunContinuationsAsynchronously);
        main.Start(new PacketRouter().On(TestPackets.Text, async (_, _) =>
        {
            began.TrySetResult(true);
            await gate.Task;
        }));
        peer.Send(2, 1025, Bodies.Value("hold"));
        await began.Task.Within("the handler");
        Assert.That(main.TrySend(TestPackets.Numbered, new Numbered(0, 0, new byte[5_000_000])), Is.EqualTo(SendResult.Queued));
        Task<SendResult> waiting = main.SendAsync(TestPackets.Numbered, new Numbered(0, 1, new byte[Size])).AsTask();
        for (int i = 0; i < 10; i++)
        {
            clock.Advance(TimeSpan.FromSeconds(30));
        }

        Assert.That(waiting.IsCompleted, Is.False);
        gate.SetResult(true);
        Task reading = peer.ReadToEndAsync();
        Assert.That(await waiting.Within("capacity"), Is.EqualTo(SendResult.Queued));
        main.Abort("done");
        await reading.Within("the end");
    }

    /// <summary>A task that a handler started carries that handler's context forever; a later handler does not wait for it.</summary>
    [Test]
    public async Task A_task_that_an_earlier_handler_started_is_not_blamed_for_a_later_one([Values] bool blocking)
    {
        var clock = new ManualClock();
        (RawPeer peer, Link main) = await RawPeer.OpenAsync(wire, o => (o.MaxQueuedBytes, o.TimeProvider) = (64 << 10, clock));
        await using RawPeer rawPeer = peer;
        var go = new TaskCompletionSource<bool>(TaskCreationOptions.RunContinuationsAsynchronously);
        var began = new TaskCompletionSource<bool>(TaskCreationOptions.RunContinuationsAsynchronously);
        var waits = new TaskCompletionSource<Task<SendResult>>(TaskCreationOptions.RunContinuationsAsynchronously);
        using var gate = new ManualResetEventSlim();
        void Take(string text)
        {
            if (text == "start")
            {
                _ = Task.Run(async () =>
                {
                    await go.Task;
                    waits.SetResult(main.SendAsync(TestPackets.Numbered, new Numbered(0, 1, new byte[Size])).AsTask());
                });
            }
            else
            {
                began.TrySetResult(true);
            }
        }

        main.Start(blocking
            ? new PacketRouter().On(TestPackets.Text, (text, _) =>
            {
                Take(text);
                if (text != "start")
                {
                    gate.Wait();
                }
            })
            : new PacketRouter().On(TestPackets.Text, async (text, _) =>
            {
                Take(text);
                if (text != "start")
                {
                    await Task.Run(gate.Wait);
                }
            }));
        peer.Send(2, 1025, Bodies.Value("start"));
        peer.Send(2, 1025, Bodies.Value("hold"));
        await began.Task.Within("the later handler");
        Assert.That(main.TrySend(TestPackets.Numbered, new Numbered(0, 0, new byte[5_000_000])), Is.EqualTo(SendResult.Queued));
        go.SetResult(true);
        Task<SendResult> waiting = await waits.Task.Within("the earlier handler's task");
        for (int i = 0; i < 10; i++)
        {
            clock.Advance(TimeSpan.FromSeconds(30));
            SpinWait.SpinUntil(() => waiting.IsCompleted, TimeSpan.FromMilliseconds(20));   // not faster than the sender can look around
        }

        Assert.That(waiting.IsCompleted, Is.False);
        gate.Set();
        Task reading = peer.ReadToEndAsync();
        Assert.That(await waiting.Within("capacity"), Is.EqualTo(SendResult.Queued));
        main.Abort("done");
        await reading.Within("the end");
    }

    private static PacketRouter Answering(Link link, string how, Inside inside) => how == "blocking" ? Blocking(link, inside)
        : new PacketRouter().On(TestPackets.Numbered, async (n, context) =>
    {
        inside.IsTrue = true;
        if (how == "async after an await")
        {
            await Task.Yield();
        }

        _ = how == "wait" ? link.Send(TestPackets.Numbered, n, TimeSpan.MaxValue) : await link.SendAsync(TestPackets.Numbered, n);
        inside.IsTrue = false;
    });

    private static PacketRouter Blocking(Link link, Inside inside) => new PacketRouter().On(TestPackets.Numbered, (n, context) =>
    {
        inside.IsTrue = true;
        _ = link.Send(TestPackets.Numbered, n, TimeSpan.MaxValue);
        inside.IsTrue = false;
    });

    private static async Task FloodAsync(Link link)
    {
        while (await link.SendAsync(TestPackets.Numbered, new Numbered(0, 0, new byte[Size])) == SendResult.Queued)
        {
        }
    }

    /// <summary>The system's, but timers that are made to be set later, as the pulse's is, never come.</summary>
    private sealed class ClockWithoutPulse : TimeProvider
    {
        private readonly ManualClock _stopped = new();

        public override ITimer CreateTimer(TimerCallback callback, object? state, TimeSpan dueTime, TimeSpan period) =>
            dueTime == Timeout.InfiniteTimeSpan ? _stopped.CreateTimer(callback, state, dueTime, period)
                : base.CreateTimer(callback, state, dueTime, period);
    }

    /// <summary>Whether a side is in its handler.</summary>
    private sealed class Inside
    {
        private volatile bool _isTrue;

        public bool IsTrue
        {
            get => _isTrue;
            set => _isTrue = value;
        }
    }
}
