using System;
using System.Collections.Concurrent;
using System.Collections.Generic;
using System.Diagnostics;
using System.Globalization;
using System.Linq;
using System.Runtime.CompilerServices;
using System.Threading;
using System.Threading.Tasks;
using NUnit.Framework;
using Transport.Testing.Links;
using Transport.Testing.Wires;

namespace Transport.Conformance.Links;

/// <summary>Traces that go from one process to another: spans, and contexts if nobody listens.</summary>
/// <remarks>Listeners are the process's own, and hear of other links too: each test looks at its own trace alone.</remarks>
[TestFixtureSource(typeof(WireKinds), nameof(WireKinds.All))]
[NonParallelizable]
internal sealed class LinkTraces(string wire)
{
    private static readonly PacketType<string> Answer = new(1026, "Answer", TestPackets.Text.Formatter);

    [Test]
    public async Task A_request_is_a_span_on_each_side_and_the_question_of_a_handler_is_its_child()
    {
        using var spans = new Spans();
        await using LinkRig rig = await LinkRig.OpenAsync(wire);
        var later = new TaskCompletionSource<Activity?>(TaskCreationOptions.RunContinuationsAsynchronously);
        rig.Main.Start(new PacketRouter().OnRequest<string, string>(TestPackets.Text, Answer, (_, _) => Task.FromResult("m")));
        rig.Worker.Start(new PacketRouter()
            .OnRequest<string, string>(Answer, Answer, async (_, context) =>
                await ((Link)context.Sender).RequestAsync(TestPackets.Text, Answer, "?", cancellationToken: context.CancellationToken)
                    .ConfigureAwait(false))
            .On(TestPackets.Text, (_, _) => { later.TrySetResult(Activity.Current); }));
        using Activity root = Root();
        Assert.That(await rig.Main.RequestAsync(Answer, Answer, "?").Within("the answer"), Is.EqualTo("m"));
        Assert.That(rig.Main.TrySend(TestPackets.Text, "after it"), Is.EqualTo(SendResult.Queued));
        Assert.That(await later.Task.Within("the packet"), Is.Null, "the reading thread is in no span");

        Activity[] all = spans.Of(root, 4);
        Activity asking = all.Single(a => a is { Kind: ActivityKind.Client, DisplayName: "Answer" });
        Activity answering = all.Single(a => a is { Kind: ActivityKind.Server, DisplayName: "Answer" });
        Activity nested = all.Single(a => a is { Kind: ActivityKind.Client, DisplayName: "Text" });
        Activity last = all.Single(a => a is { Kind: ActivityKind.Server, DisplayName: "Text" });
        using (Assert.EnterMultipleScope())
        {
            Assert.That(asking.ParentSpanId, Is.EqualTo(root.SpanId));
            Assert.That((answering.ParentSpanId, answering.HasRemoteParent), Is.EqualTo((asking.SpanId, true)));
            Assert.That(nested.ParentSpanId, Is.EqualTo(answering.SpanId));
            Assert.That(last.ParentSpanId, Is.EqualTo(nested.SpanId));
            Assert.That(asking.Tags, Is.EquivalentTo(new Dictionary<string, string?>
            {
                ["rpc.system.name"] = "transport", ["rpc.method"] = "Answer", ["transport.lane"] = "Normal",
            }));
        }
    }

    [Test]
    public async Task A_request_that_fails_says_why_in_both_spans()
    {
        using var spans = new Spans();
        await using LinkRig rig = await LinkRig.OpenAsync(wire);
        rig.Main.Start(new PacketRouter());
        rig.Worker.Start(new PacketRouter()
            .OnRequest<string, string>(TestPackets.Text, Answer, (_, _) => throw new InvalidOperationException("disk full")));
        using Activity root = Root();
        Assert.That(
            async () => await rig.Main.RequestAsync(TestPackets.Text, Answer, "?").Within("the failure"),
            Throws.InstanceOf<TransportException>());
        Activity[] all = spans.Of(root, 2);
        Assert.That(all.Select(a => $"{a.Kind} {a.Status} {a.GetTagItem("error.type")}"), Is.EquivalentTo(new[]
        {
            "Client Error RequestFailed", "Server Error System.InvalidOperationException",
        }));
    }

    [Test]
    public async Task A_reader_that_leaves_a_stream_is_no_error_in_either_span()
    {
        using var spans = new Spans();
        await using LinkRig rig = await LinkRig.OpenAsync(wire);
        rig.Main.Start(new PacketRouter());
        rig.Worker.Start(new PacketRouter().OnRequestStream<string, string>(
            TestPackets.Text, Answer, (asked, context) => Endless(asked, context, context.CancellationToken)));
        using Activity root = Root();
        await foreach (string item in rig.Main.RequestStreamAsync(TestPackets.Text, Answer, "?"))
        {
            Assert.That(item, Is.EqualTo("0"));
            break;
        }

        Activity[] all = spans.Of(root, 2);
        Assert.That(all.Select(a => $"{a.Kind} {a.Status}"), Is.EquivalentTo(new[] { "Client Unset", "Server Unset" }));
    }

    [Test]
    public async Task Without_a_listener_a_context_goes_on_to_who_is_asked_next_without_a_gap()
    {
        await using LinkRig rig = await LinkRig.OpenAsync(wire);
        var received = new TaskCompletionSource<string?>(TaskCreationOptions.RunContinuationsAsynchronously);
        rig.Main.Start(new PacketRouter().OnRequest<string, string>(TestPackets.Text, Answer, (_, _) =>
        {
            received.TrySetResult(TransportTracing.Current);
            return Task.FromResult("m");
        }));
        rig.Worker.Start(new PacketRouter().OnRequest<string, string>(Answer, Answer, async (_, context) =>
            await ((Link)context.Sender).RequestAsync(TestPackets.Text, Answer, "?", cancellationToken: context.CancellationToken)
                    .ConfigureAwait(false)));
        using Activity root = Root();
        _ = await rig.Main.RequestAsync(Answer, Answer, "?").Within("the answer");
        Assert.That(
            await received.Task.Within("the context"),
            Is.EqualTo(root.Id),
            "two processes on, the parent is still the one that is recorded");
    }

    private static async IAsyncEnumerable<string> Endless(
        string question, PacketContext context, [EnumeratorCancellation] CancellationToken cancellationToken)
    {
        for (int i = 0; ; i++)
        {
            cancellationToken.ThrowIfCancellationRequested();
            yield return i.ToString(CultureInfo.InvariantCulture);
            await Task.Yield();
        }
    }

    [Test]
    public async Task Without_a_trace_a_Request_is_as_it_was()
    {
        await using LinkRig rig = await LinkRig.OpenAsync(wire);
        Activity? inHandler = new("not null");
        rig.Main.Start(new PacketRouter());
        rig.Worker.Start(new PacketRouter().OnRequest<string, string>(TestPackets.Text, Answer, (_, _) =>
        {
            inHandler = Activity.Current;
            return Task.FromResult("w");
        }));
        _ = await rig.Main.RequestAsync(TestPackets.Text, Answer, "?").Within("the answer");
        Assert.That(inHandler, Is.Null);
        Assert.That(RequestPackets.Request(1, 1025, [0xc0], deadline: null)[0], Is.EqualTo(0x94), "an array of four");
    }

    private static Activity Root() => new Activity("root").SetIdFormat(ActivityIdFormat.W3C).Start();

    /// <summary>What ends in the source Transport.</summary>
    private sealed class Spans : IDisposable
    {
        private readonly ConcurrentQueue<Activity> _all = new();
        private readonly ActivityListener _listener;

        public Spans()
        {
            _listener = new ActivityListener
            {
                ShouldListenTo = source => source.Name == "Transport",
                Sample = (ref ActivityCreationOptions<ActivityContext> _) => ActivitySamplingResult.AllDataAndRecorded,
                ActivityStopped = _all.Enqueue,
            };
            ActivitySource.AddActivityListener(_listener);
        }

        /// <summary>Waits for so many spans of a trace: the answering side's may end a moment after the answer is there.</summary>
        public Activity[] Of(Activity root, int count)
        {
            Assert.That(
                () => _all.Count(a => a.TraceId == root.TraceId),
                Is.EqualTo(count).After((int)WithinExtensions.Bound.TotalMilliseconds, 5));
            return [.. _all.Where(a => a.TraceId == root.TraceId)];
        }

        public void Dispose() => _listener.Dispose();
    }
}
