using System;
using System.Collections.Concurrent;
using System.Linq;
using System.Threading;
using System.Threading.Tasks;
using NATS.Client.Core;
using NATS.Client.JetStream;
using NATS.Client.JetStream.Models;
using NUnit.Framework;
using Transport.Nats.Helper;
using Transport.Nats.Tests.Kit;
using Transport.Testing.Wires;

namespace Transport.Nats.Tests.Work;

/// <summary>Requests to agents that answer in this process: what each of the two says, and what happens when one of them, or the server, is
/// gone.</summary>
[NonParallelizable]
public sealed class RemotePoolTests : ServerTests
{
    private static readonly TimeSpan Short = TimeSpan.FromSeconds(1);

    private readonly ConcurrentQueue<string> _lines = new();

    [SetUp]
    public void Begin() => _lines.Clear();

    [Test]
    public async Task Requests_are_spread_over_agents_and_each_has_its_own_answer()
    {
        await using RemotePool pool = Pool();
        await using WorkAgent one = Agent("one"), two = Agent("two");
        Squared[] all = await Task.WhenAll(Enumerable.Range(0, 200).Select(i => pool.RequestAsync(new Square(i, Milliseconds: 5))))
            .Within("the answers");
        Assert.That(all.Select(answer => answer.Value), Is.EqualTo(Enumerable.Range(0, 200).Select(i => (long)i * i)));
        Assert.That(pool.Status, Is.EqualTo(new RemotePoolStatus(0, 0, 200, 0, 0, 0, null)));
        await Records.UntilAsync(() => one.Status.Completed + two.Status.Completed == 200 && one.Status.Running + two.Status.Running == 0,
            () => $"{one.Status} {two.Status}");
        Assert.That(new[] { one.Status.Completed, two.Status.Completed }, Is.All.GreaterThan(20));
        Assert.That(await QueuedAsync(), Is.Zero, "what is answered is out of the queue");
    }

    [Test]
    public async Task Reports_come_before_the_response_and_failures_have_the_handlers_words()
    {
        await using RemotePool pool = Pool();
        await using WorkAgent agent = Agent("one");
        var steps = new ConcurrentQueue<Step>();
        Squared answer = await pool.RequestAsync(new Square(3), new Steps(steps)).Within("the answer");
        Assert.That(answer.Value, Is.EqualTo(9));
        Assert.That(steps.Select(step => step.Percent), Is.EqualTo(new[] { 50 }));
        TransportException thrown = await FaultOf(pool.RequestAsync(new Square(3, How: "throw")));
        Assert.That(thrown.Fault, Is.EqualTo(TransportFault.RequestFailed));
        Assert.That(thrown.Message, Does.Contain("thrown for the test").And.Contain("(agent one)"));
        TransportException unknown = await FaultOf(pool.RequestAsync(new Unknown()));
        Assert.That(unknown.Message, Does.Contain("no handler for request type 1103"));
        await Records.UntilAsync(() => (pool.Status.Failed, agent.Status.Failed) == (2, 2), () => $"{pool.Status} {agent.Status}");
    }

    [Test]
    public async Task An_answer_larger_than_a_message_comes_in_parts_and_one_larger_than_allowed_fails()
    {
        await using RemotePool pool = Pool(options => options.MaxResponseBytes = 5 << 20);
        await using WorkAgent agent = Agent("one");
        Squared large = await pool.RequestAsync(new Square(7, Bytes: 4 << 20)).Within("four megabytes");
        byte[] expected = new byte[4 << 20];
        new Random(7).NextBytes(expected);
        Assert.That(large.Filler!.AsSpan().SequenceEqual(expected), Is.True);
        TransportException fault = await FaultOf(pool.RequestAsync(new Square(7, Bytes: 6 << 20)));
        Assert.That(fault.Fault, Is.EqualTo(TransportFault.PacketTooLarge));
        Assert.That(fault.Message, Does.Contain("RemotePoolOptions.MaxResponseBytes"));
        TransportException asked = await FaultOf(pool.RequestAsync(new Square(7, How: new string('x', 2 << 20))));
        Assert.That(asked.Fault, Is.EqualTo(TransportFault.PacketTooLarge));
        Assert.That(asked.Message, Does.Contain("max_payload"));
    }

    [Test]
    public async Task A_request_that_is_cancelled_or_late_is_cancelled_at_its_agent_and_one_that_nobody_has_begun_leaves_the_queue()
    {
        await using RemotePool pool = Pool();
        using var cancel = new CancellationTokenSource();
        Task<Squared> early = pool.RequestAsync(new Square(1), cancellationToken: cancel.Token);
        await UntilQueuedAsync(1);
        await cancel.CancelAsync();
        await Assert.ThatAsync(() => early.Within("the cancelled request"), Throws.InstanceOf<OperationCanceledException>());
        await UntilQueuedAsync(0);
        TransportException late = await FaultOf(pool.RequestAsync(new Square(1), TimeSpan.FromMilliseconds(300)));
        Assert.That(late.Fault, Is.EqualTo(TransportFault.RequestTimeout));
        Assert.That(late.Message, Does.Contain("no agent of pool default has begun it"));

        int cancelled = 0;
        await using WorkAgent agent = Agent("one", cancelled: () => Interlocked.Increment(ref cancelled));
        using var second = new CancellationTokenSource();
        Task<Squared> begun = pool.RequestAsync(new Square(1, How: "wait"), cancellationToken: second.Token);
        await Records.UntilAsync(() => pool.Status.Running == 1, () => pool.Status.ToString());
        await second.CancelAsync();
        await Assert.ThatAsync(() => begun.Within("the cancelled request"), Throws.InstanceOf<OperationCanceledException>());
        TransportException tooLong = await FaultOf(pool.RequestAsync(new Square(1, How: "wait"), TimeSpan.FromMilliseconds(500)));
        Assert.That(tooLong.Message, Does.Contain("begun by one"));
        await Records.UntilAsync(() => cancelled == 2 && agent.Status is { Running: 0, Unwanted: 2 }, () => $"{cancelled} {agent.Status}");
        await UntilQueuedAsync(0);
    }

    [Test]
    public async Task A_caller_that_ends_cancels_what_it_asked_and_its_queued_requests_are_taken_out()
    {
        int cancelled = 0;
        await using WorkAgent agent = Agent("one", options => options.Slots = 1, () => Interlocked.Increment(ref cancelled));
        RemotePool pool = Pool();
        Task<Squared> running = pool.RequestAsync(new Square(1, How: "wait"));
        await Records.UntilAsync(() => pool.Status.Running == 1, () => pool.Status.ToString());
        Task<Squared> waiting = pool.RequestAsync(new Square(2));
        await UntilQueuedAsync(2);
        await pool.DisposeAsync();
        Assert.That((await FaultOf(running)).Fault, Is.EqualTo(TransportFault.RequestCancelled));
        Assert.That((await FaultOf(waiting)).Fault, Is.EqualTo(TransportFault.RequestCancelled));
        Assert.That((await FaultOf(pool.RequestAsync(new Square(3)))).Fault, Is.EqualTo(TransportFault.RequestCancelled));
        await Records.UntilAsync(() => cancelled == 1 && agent.Status.Running == 0, () => agent.Status.ToString());
        await UntilQueuedAsync(0);
    }

    [Test]
    public async Task An_agent_that_stops_gives_its_work_back_and_one_that_answers_late_is_dropped_and_counted()
    {
        await using RemotePool pool = Pool();
        WorkAgent first = Agent("one");
        Task<Squared> request = pool.RequestAsync(new Square(4, How: "wait"));
        await Records.UntilAsync(() => pool.Status.Running == 1, () => pool.Status.ToString());
        await first.DisposeAsync();
        var router = new PacketRouter().OnRequest<Square, Squared>(square => new Squared(square.Number * 100, 1));
        await using WorkAgent second = WorkAgent.Start(Connection, router, Options("two"));
        Assert.That((await request.Within("the second agent's answer")).Value, Is.EqualTo(400));
        Assert.That(pool.Status.Retried, Is.EqualTo(1));

        // What a third says of a request that is answered is dropped.
        await Connection.PublishAsync(
            WorkStream.CallerOf(FleetStream.ForWork(), await CallerAsync(pool)),
            new WorkNews
            {
                Kind = WorkNewsKind.Answer, Id = Guid.NewGuid(), Name = "three",
                Outcome = new WorkOutcome(TransportFault.None, string.Empty, null, []),
            }.ToBytes());
        await Records.UntilAsync(() => pool.Status.LateResponses == 1, () => pool.Status.ToString());
    }

    [Test]
    public async Task A_handler_that_takes_no_notice_of_its_token_does_not_hold_up_the_end_of_its_agent()
    {
        await using RemotePool pool = Pool();
        var begun = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
        var never = new TaskCompletionSource<Squared>(TaskCreationOptions.RunContinuationsAsynchronously);
        WorkAgent stuck = WorkAgent.Start(
            Connection,
            new PacketRouter().OnRequest<Square, Squared>((_, _) =>
            {
                begun.TrySetResult();
                return never.Task;
            }),
            Options("stuck"));
        Task<Squared> request = pool.RequestAsync(new Square(5));
        await begun.Task.Within("the handler");
        await stuck.DisposeAsync().AsTask().Within("the agent's end");
        await using WorkAgent other = Agent("other");
        Assert.That((await request.Within("another agent's answer")).Value, Is.EqualTo(25));
        never.SetException(new InvalidOperationException("nobody hears of it"));
    }

    [Test]
    public async Task A_request_that_agents_begin_and_never_answer_fails_with_their_names()
    {
        await using RemotePool pool = Pool(options => options.MaxTries = 2);
        Task<Squared> request = pool.RequestAsync(new Square(4, How: "wait"));
        foreach ((string name, int retried) in new[] { ("one", 0), ("two", 1) })
        {
            WorkAgent agent = Agent(name);
            await Records.UntilAsync(
                () => (pool.Status.Running, pool.Status.Retried) == (1, retried), () => $"{name}: {pool.Status}");
            await agent.DisposeAsync();
        }

        await using WorkAgent third = Agent("three");
        TransportException fault = await FaultOf(request);
        Assert.That(fault.Fault, Is.EqualTo(TransportFault.PeerGone));
        Assert.That(fault.Message, Does.Contain("begun 2 times").And.Contain("begun by one, then two"));
        Assert.That(((FleetException)fault.InnerException!).Fault, Is.EqualTo(FleetFault.TriedTooOften));
        await UntilQueuedAsync(0);
    }

    [Test]
    public async Task A_server_that_is_killed_and_comes_back_loses_neither_what_waits_nor_what_is_in_work()
    {
        await using RemotePool pool = Pool();
        await using WorkAgent agent = Agent("one", options => options.Slots = 2);
        Task<Squared>[] all = [.. Enumerable.Range(0, 20).Select(i => pool.RequestAsync(new Square(i, Milliseconds: 300)))];
        await Records.UntilAsync(() => pool.Status.Running > 0, () => pool.Status.ToString());
        await Server.KillAsync();
        await Records.UntilAsync(() => pool.Status.Problem is not null || !_lines.IsEmpty, () => pool.Status.ToString());
        Task<Squared> meanwhile = pool.RequestAsync(new Square(100));
        await Server.StartAgainAsync();
        Squared[] answers = await Task.WhenAll([.. all, meanwhile]).Within("all answers");
        Assert.That(answers.Select(answer => answer.Value), Is.EqualTo(Enumerable.Range(0, 20).Append(100).Select(i => (long)i * i)));
        Assert.That(pool.Status.Failed, Is.Zero);
    }

    [Test]
    public async Task A_queue_that_has_forgotten_a_request_gets_it_again_once_the_connection_is_back()
    {
        await using RemotePool pool = Pool();
        Task<Squared> request = pool.RequestAsync(new Square(5));
        await UntilQueuedAsync(1);
        await new NatsJSContext(Connection).PurgeStreamAsync("TRANSPORT_work", new StreamPurgeRequest());
        await Server.KillAsync();
        await Server.StartAgainAsync();
        await UntilQueuedAsync(1);
        await using WorkAgent agent = Agent("one");
        Assert.That((await request.Within("the answer")).Value, Is.EqualTo(25));
    }

    [Test]
    public async Task What_is_no_request_and_what_is_of_another_version_is_said_and_the_others_go_on()
    {
        await using RemotePool pool = Pool();
        await using WorkAgent agent = Agent("one");
        Assert.That((await pool.RequestAsync(new Square(2)).Within("the first answer")).Value, Is.EqualTo(4));
        var jetStream = new NatsJSContext(Connection);
        string subject = WorkStream.QueueOf(FleetStream.ForWork(), "default");
        await jetStream.PublishAsync(subject, "not MessagePack"u8.ToArray());
        var item = new WorkItem { Id = Guid.NewGuid(), Caller = Guid.NewGuid(), Type = 1100, Name = "Square", Body = [0x90] };
        await jetStream.PublishAsync(subject, item.ToBytes()[..30]);
        await Records.UntilAsync(() => _lines.Count(line => line.Contains("is no request", StringComparison.Ordinal)) == 2,
            () => string.Join('\n', _lines));

        // A caller of version 2 hears that this agent speaks version 1.
        var later = new TaskCompletionSource<WorkNews>();
        await using INatsSub<byte[]> inbox = await Connection.SubscribeCoreAsync<byte[]>(
            WorkStream.CallerOf(FleetStream.ForWork(), item.Caller));
        byte[] ofVersion2 = item.ToBytes();
        ofVersion2[1] = 2;
        await jetStream.PublishAsync(subject, ofVersion2);
        NatsMsg<byte[]> said = await inbox.Msgs.ReadAsync().AsTask().Within("what the agent says");
        await said.ReplyAsync(new[] { (byte)WorkReply.Yes });
        Assert.That(WorkNews.Read(said.Data).Outcome!.Message, Does.Contain("version 1").And.Contain("2: update the older"));

        // And a caller says so of an agent.
        byte[] news = new WorkNews { Kind = WorkNewsKind.Begun, Name = "old" }.ToBytes();
        news[1] = 3;
        await Connection.PublishAsync(WorkStream.CallerOf(FleetStream.ForWork(), await CallerAsync(pool)), news);
        await Connection.PublishAsync(WorkStream.CallerOf(FleetStream.ForWork(), await CallerAsync(pool)), new byte[] { 0xc1 });
        await Records.UntilAsync(() => _lines.Any(line => line.Contains("speaks version 3", StringComparison.Ordinal))
            && _lines.Any(line => line.Contains("none of an agent's", StringComparison.Ordinal)), () => string.Join('\n', _lines));
        Assert.That((await pool.RequestAsync(new Square(3)).Within("the last answer")).Value, Is.EqualTo(9));
        await UntilQueuedAsync(0);
    }

    [Test]
    public async Task Without_a_server_a_pool_gives_up_if_it_may_and_without_an_agent_it_says_so()
    {
        await using RemotePool waiting = Pool(options => options.Patience = TimeSpan.FromMilliseconds(300));
        Task<Squared> nobody = waiting.RequestAsync(new Square(1));
        await Records.UntilAsync(
            () => _lines.Any(line => line.Contains("no agent of pool default has begun one", StringComparison.Ordinal)),
            () => string.Join('\n', _lines));
        await Server.KillAsync();
        await using NatsConnection another = Server.Connect();
        await using RemotePool brief = RemotePool.Start(another, new RemotePoolOptions { GiveUpAfter = TimeSpan.FromMilliseconds(500) });
        TransportException fault = await FaultOf(brief.RequestAsync(new Square(1)));
        Assert.That(fault.Fault, Is.EqualTo(TransportFault.ConnectFailed));
        Assert.That(fault.Message, Does.Contain("Given up after 0.5 s"));
        Assert.That(
            (await FaultOf(brief.RequestAsync(new Square(1)))).Fault, Is.EqualTo(TransportFault.ConnectFailed), "and from then on");
        Assert.That(nobody.IsCompleted, Is.False);
    }

    [Test]
    public async Task A_queue_with_wrong_settings_is_refused_by_name_and_a_full_one_is_waited_for()
    {
        var jetStream = new NatsJSContext(Connection);
        await jetStream.CreateStreamAsync(new StreamConfig("TRANSPORT_work", ["transport.work.queue.*"]));
        await using RemotePool pool = Pool();
        Task<Squared> request = pool.RequestAsync(new Square(6));
        await Records.UntilAsync(() => pool.Status.Problem is not null, () => pool.Status.ToString());
        Assert.That(pool.Status.Problem, Does.Contain("retention = Limits, expected Workqueue"));
        await jetStream.DeleteStreamAsync("TRANSPORT_work");
        await jetStream.CreateStreamAsync(new StreamConfig("TRANSPORT_work", ["transport.work.queue.*"])
        {
            Retention = StreamConfigRetention.Workqueue, MaxMsgs = 1, Discard = StreamConfigDiscard.New,
        });
        await UntilQueuedAsync(1);
        Task<Squared> second = pool.RequestAsync(new Square(7));
        await Records.UntilAsync(() => pool.Status.Problem is not null, () => pool.Status.ToString());
        Assert.That(pool.Status.Problem, Does.Contain("takes no request: maximum messages exceeded"));
        await using WorkAgent agent = Agent("one");
        Assert.That((await Task.WhenAll(request, second).Within("both")).Select(answer => answer.Value), Is.EqualTo(new[] { 36L, 49L }));
    }

    private static async Task<TransportException> FaultOf(Task request) =>
        (await Assert.ThrowsAsync<TransportException>(() => request.Within("a failure")))!;

    private RemotePool Pool(Action<RemotePoolOptions>? configure = null)
    {
        var options = new RemotePoolOptions { Stream = { Create = true }, Report = _lines.Enqueue };
        configure?.Invoke(options);
        return RemotePool.Start(Connection, options);
    }

    private AgentOptions Options(string name) => new()
    {
        Stream = { Create = true }, Name = name, Slots = 4, AckWait = Short, CallerPatience = Short, Report = _lines.Enqueue,
    };

    private WorkAgent Agent(string name, Action<AgentOptions>? configure = null, Action? cancelled = null)
    {
        AgentOptions options = Options(name);
        configure?.Invoke(options);
        return WorkAgent.Start(Connection, Answers.Router(cancelled), options);
    }

    /// <summary>Finds a caller's id by a request that only it has asked.</summary>
    private async Task<Guid> CallerAsync(RemotePool pool)
    {
        var asked = new TaskCompletionSource<Guid>();
        await using INatsSub<byte[]> all = await Connection.SubscribeCoreAsync<byte[]>("transport.work.queue.*");
        Task request = pool.RequestAsync(new Square(1), TimeSpan.FromSeconds(20));
        NatsMsg<byte[]> message = await all.Msgs.ReadAsync().AsTask().Within("a request");
        await request.Within("its answer");
        return WorkItem.Read(message.Data).Caller;
    }

    private async Task<long> QueuedAsync()
    {
        try
        {
            return (await new NatsJSContext(Connection).GetStreamAsync("TRANSPORT_work")).Info.State.Messages;
        }
        catch (Exception e) when (e is NatsException or TimeoutException)
        {
            return -1;
        }
    }

    private async Task UntilQueuedAsync(long count)
    {
        long last = -1;
        using var bound = new CancellationTokenSource(Records.Bound);
        while ((last = await QueuedAsync()) != count)
        {
            Assert.That(bound.IsCancellationRequested, Is.False, $"{last} are queued, expected {count}");
            await Task.Yield();
        }
    }
}
