using System;
using System.Collections;
using System.Linq;
using System.Reflection;
using System.Threading;
using System.Threading.Tasks;
using NUnit.Framework;
using Transport.Testing.Clock;
using Transport.Testing.Links;
using Transport.Testing.Wires;

namespace Transport.Conformance.Links;

/// <summary>Questions: each ends in an answer, a failure, a cancel, a deadline or the link's end, never in silence.</summary>
[TestFixtureSource(typeof(WireKinds), nameof(WireKinds.All))]
internal sealed class LinkRequests(string wire)
{
    private static readonly PacketType<string> Other = new(1026, "Other", TestPackets.Text.Formatter);

    [Test]
    public async Task A_thousand_questions_both_ways_are_answered_each_with_its_own()
    {
        await using LinkRig rig = await LinkRig.OpenAsync(wire);
        PacketRouter Router(string side) => new PacketRouter().OnRequest(TestPackets.Text, Other, async (q, _) =>
        {
            await Task.Yield();
            return q + side;
        });
        rig.Main.Start(Router("m"));
        rig.Worker.Start(Router("w"));
        Task<string>[] asked =
            [.. Enumerable.Range(0, 1_000).Select(i => (i % 2 == 0 ? rig.Main : rig.Worker).RequestAsync(TestPackets.Text, Other, $"{i}"))];
        string[] answers = await Task.WhenAll(asked).Within("the answers");
        Assert.That(answers, Is.EqualTo(Enumerable.Range(0, 1_000).Select(i => i + (i % 2 == 0 ? "w" : "m"))));
        Assert.That(Entries(rig.Main) + Entries(rig.Worker), Is.Zero, "no leftover entries");
    }

    [Test]
    public async Task A_failure_travels_with_its_message_and_an_unknown_type_says_so()
    {
        await using LinkRig rig = await LinkRig.OpenAsync(wire);
        rig.Main.Start(new PacketRouter());
        rig.Worker.Start(new PacketRouter()
            .OnRequest<string, string>(TestPackets.Text, Other, (_, _) => throw new InvalidOperationException("disk full")));
        TransportException failed = await FaultAsync(rig.Main.RequestAsync(TestPackets.Text, Other, "?"));
        Assert.That((failed.Fault, failed.Message),
            Is.EqualTo((TransportFault.RequestFailed, "The peer responded: System.InvalidOperationException: disk full")));
        TransportException unknown = await FaultAsync(rig.Main.RequestAsync(Other, Other, "?"));
        Assert.That(unknown.Fault, Is.EqualTo(TransportFault.RequestFailed));
        Assert.That(unknown.Message, Does.Contain("1026"));
        Assert.That(rig.Main.State(), Is.EqualTo(LinkState.Open), "the link goes on");
        Assert.That(Entries(rig.Main) + Entries(rig.Worker), Is.Zero);
    }

    [Test]
    public async Task A_cancel_reaches_the_handler_and_ends_the_wait()
    {
        await using LinkRig rig = await LinkRig.OpenAsync(wire);
        var began = new TaskCompletionSource<bool>(TaskCreationOptions.RunContinuationsAsynchronously);
        var seen = new TaskCompletionSource<bool>(TaskCreationOptions.RunContinuationsAsynchronously);
        rig.Main.Start(new PacketRouter());
        rig.Worker.Start(new PacketRouter().OnRequest<string, string>(TestPackets.Text, Other, async (_, context) =>
        {
            using var registration = context.CancellationToken.Register(() => seen.TrySetResult(true));
            began.TrySetResult(true);
            await seen.Task;
            context.CancellationToken.ThrowIfCancellationRequested();
            return "never";
        }));
        using var cancel = new CancellationTokenSource();
        Task<string> asked = rig.Main.RequestAsync(TestPackets.Text, Other, "?", cancellationToken: cancel.Token);
        await began.Task.Within("the handler");
        cancel.Cancel();
        Assert.That(async () => await asked.Within("the cancelled wait"), Throws.InstanceOf<OperationCanceledException>());
        await seen.Task.Within("the handler's token");
        await rig.Main.CloseAsync().Within("the close");
        Assert.That(Entries(rig.Main) + Entries(rig.Worker), Is.Zero);
    }

    [Test]
    public async Task A_deadline_ends_the_wait_and_cancels_the_handler()
    {
        var clock = new ManualClock();
        await using LinkRig rig = await LinkRig.OpenAsync(wire, o => o.TimeProvider = clock);
        var began = new TaskCompletionSource<bool>(TaskCreationOptions.RunContinuationsAsynchronously);
        var seen = new TaskCompletionSource<bool>(TaskCreationOptions.RunContinuationsAsynchronously);
        DateTimeOffset? deadline = null;
        rig.Main.Start(new PacketRouter());
        rig.Worker.Start(new PacketRouter().OnRequest<string, string>(TestPackets.Text, Other, async (_, context) =>
        {
            using var registration = context.CancellationToken.Register(() => seen.TrySetResult(true));
            deadline = context.Deadline;
            began.TrySetResult(true);
            await seen.Task;
            throw new OperationCanceledException(context.CancellationToken);
        }));
        Task<string> asked = rig.Main.RequestAsync(TestPackets.Text, Other, "?", timeout: TimeSpan.FromSeconds(60));
        await began.Task.Within("the handler");
        Assert.That(deadline, Is.Not.Null.And.EqualTo(TimeProvider.System.GetUtcNow().AddSeconds(60)).Within(TimeSpan.FromSeconds(45)));
        for (int i = 0; i < 59; i++)
        {
            clock.Advance(TimeSpan.FromSeconds(1));
            await rig.Worker.RequestAsync(TestPackets.Text, Other, "sync").ContinueWith(_ => { }, TaskScheduler.Default)
                .Within("a frame against silence");
        }

        Assert.That(asked.IsCompleted, Is.False);
        clock.Advance(TimeSpan.FromSeconds(1));
        TransportException late = await FaultAsync(asked);
        Assert.That(late.Fault, Is.EqualTo(TransportFault.RequestTimeout));
        await seen.Task.Within("the handler's token");
    }

    [TestCase(true)]
    [TestCase(false)]
    public async Task What_is_unanswered_ends_with_the_link(bool clean)
    {
        await using LinkRig rig = await LinkRig.OpenAsync(wire);
        var token = new TaskCompletionSource<bool>(TaskCreationOptions.RunContinuationsAsynchronously);
        var began = new TaskCompletionSource<bool>(TaskCreationOptions.RunContinuationsAsynchronously);
        rig.Main.Start(new PacketRouter());
        rig.Worker.Start(new PacketRouter().OnRequest<string, string>(TestPackets.Text, Other, async (_, context) =>
        {
            using var registration = context.CancellationToken.Register(() => token.TrySetResult(true));
            began.TrySetResult(true);
            await token.Task;
            return "late";
        }));
        Task<string> asked = rig.Main.RequestAsync(TestPackets.Text, Other, "?", timeout: Timeout.InfiniteTimeSpan);
        await began.Task.Within("the handler");
        if (clean)
        {
            await rig.Worker.CloseAsync().Within("the close");
        }
        else
        {
            rig.Worker.Abort("cut");
        }

        TransportException ended = await FaultAsync(asked);
        Assert.That(ended.Fault, Is.EqualTo(clean ? TransportFault.Stopped : TransportFault.PeerGone), ended.Message);
        await token.Task.Within("the handler's token");
        TransportException later = await FaultAsync(rig.Main.RequestAsync(TestPackets.Text, Other, "?"));
        Assert.That(later.Fault, Is.EqualTo(ended.Fault));
        Assert.That(Entries(rig.Main), Is.Zero);
    }

    [Test]
    public async Task More_than_max_requests_at_once_are_answered_with_a_failure()
    {
        await using LinkRig rig = await LinkRig.OpenAsync(wire, worker: o => o.MaxRequests = 4);
        var gate = new TaskCompletionSource<string>(TaskCreationOptions.RunContinuationsAsynchronously);
        rig.Main.Start(new PacketRouter());
        rig.Worker.Start(new PacketRouter().OnRequest(TestPackets.Text, Other, (_, _) => gate.Task));
        Task<string>[] first = [.. Enumerable.Range(0, 4).Select(_ => rig.Main.RequestAsync(TestPackets.Text, Other, "?"))];
        TransportException fifth = await FaultAsync(rig.Main.RequestAsync(TestPackets.Text, Other, "?"));
        Assert.That(fifth.Fault, Is.EqualTo(TransportFault.RequestFailed));
        Assert.That(fifth.Message, Does.Contain("MaxRequests"));
        gate.SetResult("ok");
        Assert.That(await Task.WhenAll(first).Within("the answers"), Is.All.EqualTo("ok"));
    }

    [Test]
    public async Task A_question_that_was_given_up_before_there_was_capacity_is_not_asked()
    {
        (RawPeer peer, Link main) = await RawPeer.OpenAsync(wire, o => o.MaxQueuedBytes = 64 << 10);
        await using RawPeer rawPeer = peer;
        main.Start(new PacketRouter());
        Assert.That(main.TrySend(TestPackets.Numbered, new Numbered(0, 0, new byte[5_000_000])), Is.EqualTo(Transport.SendResult.Queued));
        using var cancel = new CancellationTokenSource();
        Task<string> asked = main.RequestAsync(TestPackets.Text, Other, "?", lane: Lane.Normal, cancellationToken: cancel.Token);
        cancel.Cancel();
        Assert.That(async () => await asked.Within("the cancelled wait"), Throws.InstanceOf<OperationCanceledException>());
        while ((await peer.ReadAsync()).HasMore)
        {
        }

        Assert.That(SpinWait.SpinUntil(() => main.Counters.QueuedBytes == 0, WithinExtensions.Bound), Is.True);
        _ = main.CloseAsync();
        System.Collections.Generic.List<RawFrame> rest = await peer.ReadUntilAsync(RawPeer.Goodbye);
        Assert.That(rest.Select(f => f.Type), Has.None.EqualTo(272));
    }

    [Test]
    public async Task Questions_that_are_given_up_for_want_of_capacity_leave_neither_waits_nor_Cancels()
    {
        (RawPeer peer, Link main) = await RawPeer.OpenAsync(wire, o => o.MaxQueuedBytes = 64 << 10);
        await using RawPeer rawPeer = peer;
        main.Start(new PacketRouter());
        Assert.That(main.TrySend(TestPackets.Numbered, new Numbered(0, 0, new byte[5_000_000])), Is.EqualTo(Transport.SendResult.Queued));
        for (int i = 0; i < 200; i++)
        {
            using var cancel = new CancellationTokenSource();
            Task<string> asked = main.RequestAsync(TestPackets.Text, Other, "?", lane: Lane.Normal, cancellationToken: cancel.Token);
            cancel.Cancel();
            Assert.That(async () => await asked.Within("the cancelled wait"), Throws.InstanceOf<OperationCanceledException>());
        }

        var capacity = (WaitingLine)Field(Field(main, "_queue"), "Capacity");
        Assert.That(SpinWait.SpinUntil(() => !capacity.HasWaiters, WithinExtensions.Bound), Is.True, "nobody waits any more");
        while ((await peer.ReadAsync()).HasMore)
        {
        }

        _ = main.CloseAsync();
        System.Collections.Generic.List<RawFrame> rest = await peer.ReadUntilAsync(RawPeer.Goodbye);
        Assert.That(rest.Select(f => f.Type), Has.None.EqualTo(272).And.None.EqualTo(274));
    }

    [Test]
    public async Task A_peer_that_asks_and_does_not_read_ends_its_link_before_answers_pile_up()
    {
        (RawPeer peer, Link main) = await RawPeer.OpenAsync(wire, o =>
        {
            o.MaxQueuedBytes = 64 << 10;
            o.MaxRequests = 4;
        });
        await using RawPeer rawPeer = peer;
        main.Start(new PacketRouter());
        Assert.That(main.TrySend(TestPackets.Numbered, new Numbered(0, 0, new byte[5_000_000])), Is.EqualTo(Transport.SendResult.Queued));
        for (int id = 1; id <= 5; id++)
        {
            peer.Send(2, 272, [0x94, (byte)id, 0xcd, 0x07, 0xd0, 0xc4, 0x01, 0xc0, 0xc0]);   // not urgent: such answers have a reserve
        }

        LinkEnd end = await main.Completion.Within("the end");
        Assert.That(end.Fault, Is.EqualTo(TransportFault.Timeout));
        Assert.That(end.Reason, Does.Contain("MaxRequests"));
    }

    private static async Task<TransportException> FaultAsync(Task<string> asked)
    {
        try
        {
            throw new AssertionException("Expected a fault, got the answer " + await asked.Within("the fault"));
        }
        catch (TransportException fault)
        {
            return fault;
        }
    }

    /// <summary>Questions still in the link's books, of both directions; waits until the last answers are booked out.</summary>
    private static int Entries(Link link)
    {
        object requests = Field(link, "_requests");
        var asked = (ICollection)Field(requests, "_asked");
        var inWork = (ICollection)Field(Field(requests, "_peers"), "_inWork");
        SpinWait.SpinUntil(() => asked.Count + inWork.Count == 0, WithinExtensions.Bound);
        return asked.Count + inWork.Count;
    }

    private static object Field(object of, string name) =>
        of.GetType().GetFields(BindingFlags.Instance | BindingFlags.NonPublic).Single(f => f.Name == name || f.Name.Contains($"<{name}>"))
            .GetValue(of)!;
}
