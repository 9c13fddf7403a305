using System;
using System.Collections.Generic;
using System.Linq;
using System.Runtime.CompilerServices;
using System.Threading;
using System.Threading.Tasks;
using NUnit.Framework;
using Transport.Testing;
using Transport.Testing.Links;
using Transport.Testing.Wires;

namespace Transport.Conformance.Links;

/// <summary>Answers that stream, and reports before an answer.</summary>
[TestFixtureSource(typeof(WireKinds), nameof(WireKinds.All))]
internal sealed partial class LinkStreams(string wire)
{
    private const int SmallWindow = 1024;   // 30 items of a few bytes, which count 32 more

    private static readonly PacketType<string> Question = TestPackets.Text;
    private static readonly PacketType<string> Item = new(1026, "Item", TestPackets.Text.Formatter);

    [Test]
    public async Task A_thousand_items_arrive_in_order_both_ways_at_once()
    {
        await using LinkRig rig = await LinkRig.OpenAsync(wire);
        PacketRouter Router() => new PacketRouter().OnRequestStream(
            Question, Item, (q, context) => CountAsync(q, 1_000, context.CancellationToken));
        rig.Main.Start(Router());
        rig.Worker.Start(Router());
        Link SideOf(int i) => i % 2 == 0 ? rig.Main : rig.Worker;
        Task<List<string>>[] streams =
            [.. Enumerable.Range(0, 8).Select(i => ReadAsync(SideOf(i).RequestStreamAsync(Question, Item, $"q{i}-")))];
        List<string>[] read = await Task.WhenAll(streams).Within("the streams");
        for (int i = 0; i < read.Length; i++)
        {
            Assert.That(read[i], Is.EqualTo(Enumerable.Range(0, 1_000).Select(n => $"q{i}-{n}")));
        }
    }

    /// <summary>It failed behind all that was buffered, seconds late, and then said that nothing had arrived.</summary>
    [Test]
    public async Task A_stream_whose_time_is_over_fails_at_the_next_read_and_says_how_far_it_came()
    {
        await using LinkRig rig = await LinkRig.OpenAsync(wire);
        var givenUp = new TaskCompletionSource<bool>(TaskCreationOptions.RunContinuationsAsynchronously);
        async IAsyncEnumerable<string> ManyAsync([EnumeratorCancellation] CancellationToken token)
        {
            for (int i = 0; i < 200; i++)
            {
                yield return $"{i}";
            }

            using CancellationTokenRegistration registration = token.Register(() => givenUp.TrySetResult(true));
            await givenUp.Task;
            token.ThrowIfCancellationRequested();
        }

        rig.Main.Start(new PacketRouter());
        rig.Worker.Start(new PacketRouter().OnRequestStream(Question, Item, (_, context) => ManyAsync(context.CancellationToken)));
        await using IAsyncEnumerator<string> reader =
            rig.Main.RequestStreamAsync(Question, Item, "?", timeout: TimeSpan.FromMilliseconds(200)).GetAsyncEnumerator();
        Assert.That(await reader.MoveNextAsync(), Is.True);
        await givenUp.Task.Within("the time of the stream");

        // The sender's copy of the deadline may run out first.
        await Wait.UntilAsync(() => !rig.Main.RequestsIn(Lane.Normal).AreAny, "this side knows it too");
        TransportException? late = null;
        int more = 0;
        while (late is null)
        {
            try
            {
                more += await reader.MoveNextAsync() ? 1 : 0;
            }
            catch (TransportException e)
            {
                late = e;
            }
        }

        Assert.That((late.Fault, more), Is.EqualTo((TransportFault.RequestTimeout, 0)), late.Message);
        Assert.That(late.Message, Does.Contain("had not come to its end within 0.2 s: ").And.Contain(" items were read."));
    }

    [Promise("Sending", "The sender of a stream is never ahead of its reader by more than the credit.")]
    [Test]
    public async Task A_slow_reader_holds_up_its_sender_at_its_credit_and_nothing_else()
    {
        int most = (SmallWindow / 32) + 1;
        await using LinkRig rig = await LinkRig.OpenAsync(wire, o => o.StreamWindowBytes = SmallWindow);
        int sent = 0, read = 0, ahead = 0;
        async IAsyncEnumerable<string> NumbersAsync([EnumeratorCancellation] CancellationToken token)
        {
            for (int i = 0; i < 5_000; i++)
            {
                ahead = Math.Max(ahead, Interlocked.Increment(ref sent) - Volatile.Read(ref read));
                yield return $"{i}";
                await Task.CompletedTask;
                token.ThrowIfCancellationRequested();
            }
        }

        rig.Main.Start(new PacketRouter());
        rig.Worker.Start(new PacketRouter()
            .OnRequestStream(Question, Item, (_, context) => NumbersAsync(context.CancellationToken))
            .OnRequest(Item, Item, (text, _) => Task.FromResult(text + "!")));
        await foreach (string item in rig.Main.RequestStreamAsync(Question, Item, "?"))
        {
            Assert.That(item, Is.EqualTo($"{read}"));
            if (read is 0 or 100)
            {
                // While nothing is read, questions are asked and answered, and the sender stands.
                Task<string> beside = rig.Main.RequestAsync(Item, Item, "beside");
                Assert.That(await beside.Within("an answer beside the stream"), Is.EqualTo("beside!"));
                Assert.That(Volatile.Read(ref sent), Is.LessThanOrEqualTo(read + most + 1));
            }

            Volatile.Write(ref read, read + 1);
        }

        Assert.That(read, Is.EqualTo(5_000));
        Assert.That(ahead, Is.LessThanOrEqualTo(most + 1), "one more is made, and waits");
    }

    [Test]
    public async Task Items_larger_than_the_window_and_than_a_frame_arrive_one_at_a_time()
    {
        await using LinkRig rig = await LinkRig.OpenAsync(wire, o => o.StreamWindowBytes = SmallWindow);
        string[] items = [new('a', 200_000), string.Empty, new('b', 70_000), "c", new('d', 5_000)];
        rig.Main.Start(new PacketRouter());
        rig.Worker.Start(new PacketRouter().OnRequestStream(Question, Item, (_, _) => ToAsync(items)));
        Assert.That(await ReadAsync(rig.Main.RequestStreamAsync(Question, Item, "?")).Within("the stream"), Is.EqualTo(items));
    }

    [TestCase(false)]
    [TestCase(true)]
    public async Task A_reader_that_stops_or_cancels_stops_its_sender(bool cancels)
    {
        await using LinkRig rig = await LinkRig.OpenAsync(wire, o => o.StreamWindowBytes = SmallWindow);
        var stopped = new TaskCompletionSource<bool>(TaskCreationOptions.RunContinuationsAsynchronously);
        async IAsyncEnumerable<string> EndlessAsync([EnumeratorCancellation] CancellationToken token)
        {
            try
            {
                while (true)
                {
                    await Task.Yield();
                    yield return "more";
                }
            }
            finally
            {
                stopped.TrySetResult(token.IsCancellationRequested);
            }
        }

        rig.Main.Start(new PacketRouter());
        rig.Worker.Start(new PacketRouter().OnRequestStream(Question, Item, (_, context) => EndlessAsync(context.CancellationToken)));
        using var cancel = new CancellationTokenSource();
        int read = 0;
        async Task ReadSomeAsync()
        {
            await foreach (string unused in rig.Main.RequestStreamAsync(Question, Item, "?").WithCancellation(cancel.Token))
            {
                if (++read < 500)
                {
                    continue;
                }

                if (!cancels)
                {
                    break;
                }

                cancel.Cancel();
            }
        }

        Task reading = ReadSomeAsync();
        if (cancels)
        {
            Assert.That(async () => await reading.Within("the reader"), Throws.InstanceOf<OperationCanceledException>());
        }
        else
        {
            await reading.Within("the reader");
        }

        Assert.That(await stopped.Task.Within("the sender's end"), Is.True, "by its token");
        Assert.That(read, Is.EqualTo(500), "nothing is read behind a cancel");
        Assert.That(rig.Main.State(), Is.EqualTo(LinkState.Open));
    }

    [Test]
    public async Task A_failure_in_the_middle_comes_behind_the_items_before_it()
    {
        await using LinkRig rig = await LinkRig.OpenAsync(wire);
        var router = new PacketRouter().OnRequestStream(Question, Item, (_, _) => FailingAsync());
        var reported = new List<Exception>();
        router.HandlerFailed += (_, e) => reported.Add(e.Exception);
        rig.Main.Start(new PacketRouter());
        rig.Worker.Start(router);
        var read = new List<string>();
        TransportException? failure = null;
        try
        {
            await foreach (string item in rig.Main.RequestStreamAsync(Question, Item, "?"))
            {
                read.Add(item);
            }
        }
        catch (TransportException e)
        {
            failure = e;
        }

        Assert.That(read, Is.EqualTo(new[] { "1", "2" }));
        Assert.That((failure?.Fault, failure?.Message),
            Is.EqualTo((TransportFault.RequestFailed, "The peer responded: System.InvalidOperationException: disk full")));
        Assert.That(reported.Select(e => e.Message), Is.EqualTo(new[] { "disk full" }));

        static async IAsyncEnumerable<string> FailingAsync()
        {
            yield return "1";
            await Task.Yield();
            yield return "2";
            throw new InvalidOperationException("disk full");
        }
    }

    [Test]
    public async Task A_stream_whose_sender_is_gone_ends_with_the_links_cause_behind_what_arrived()
    {
        await using LinkRig rig = await LinkRig.OpenAsync(wire);
        var hang = new TaskCompletionSource<bool>();
        async IAsyncEnumerable<string> HangingAsync()
        {
            yield return "1";
            await hang.Task;
        }

        rig.Main.Start(new PacketRouter());
        rig.Worker.Start(new PacketRouter().OnRequestStream(Question, Item, (_, _) => HangingAsync()));
        IAsyncEnumerator<string> reader = rig.Main.RequestStreamAsync(Question, Item, "?").GetAsyncEnumerator();
        Assert.That(await reader.MoveNextAsync().AsTask().Within("the first item"), Is.True);
        rig.Worker.Abort("killed");
        TransportException gone = await FaultAsync(reader.MoveNextAsync().AsTask());
        Assert.That(gone.Fault, Is.EqualTo(TransportFault.PeerGone), gone.Message);
        await reader.DisposeAsync();
        hang.SetResult(true);
    }

    [Test]
    public async Task A_question_for_the_wrong_kind_of_answer_fails_and_says_how_to_ask()
    {
        await using LinkRig rig = await LinkRig.OpenAsync(wire);
        rig.Main.Start(new PacketRouter());
        rig.Worker.Start(new PacketRouter()
            .OnRequestStream(Question, Item, (_, _) => ToAsync("1"))
            .OnRequestStream(Ask.PacketType, Step.PacketType, (_, _) => ToStepsAsync())
            .OnRequest(Item, Item, (text, _) => Task.FromResult(text)));
        TransportException one = await FaultAsync(rig.Main.RequestAsync(Question, Item, "?"));
        Assert.That((one.Fault, one.Message), Is.EqualTo((TransportFault.RequestFailed, "The peer responded: System."
            + "InvalidOperationException: The response of Text (1025) is a stream: ask with RequestStreamAsync.")));
        TransportException many = await FaultAsync(ReadAsync(rig.Main.RequestStreamAsync(Item, Item, "?")));
        Assert.That((many.Fault, many.Message), Is.EqualTo((TransportFault.RequestFailed,
            "The peer answers Item (1026) with one response, not a stream: ask with RequestAsync.")));
        TransportException reports =
            await FaultAsync(rig.Main.RequestAsync(new Ask("?"), new Reports(_ => { })));
        Assert.That(reports.Message, Is.EqualTo("The peer answers Ask (1050) with a stream: ask with RequestStreamAsync."));
        TransportException unknown = await FaultAsync(ReadAsync(rig.Worker.RequestStreamAsync(Question, Item, "?")));
        Assert.That(unknown.Message, Does.Contain("no handler for request type 1025"));
    }

    [Test]
    public async Task Reports_come_in_order_before_the_answer_and_the_last_of_them_always()
    {
        await using LinkRig rig = await LinkRig.OpenAsync(wire, o => o.StreamWindowBytes = SmallWindow);
        rig.Main.Start(new PacketRouter());
        rig.Worker.Start(new PacketRouter().OnRequest<Ask, Told, Step>((ask, progress, _) =>
        {
            for (int i = 0; i <= 10_000; i++)
            {
                progress.Report(new Step($"{i}"));
            }

            return Task.FromResult(new Told(ask.Text + " done"));
        }));
        var seen = new List<int>();
        Told answer = await rig.Main.RequestAsync(new Ask("?"), new Reports(text => seen.Add(int.Parse(text))))
            .Within("the answer");
        Assert.That(answer.Text, Is.EqualTo("? done"));
        Assert.That(seen, Is.Ordered.Ascending.And.Unique);
        Assert.That(seen.Last(), Is.EqualTo(10_000));
        Assert.That((await rig.Main.RequestAsync(new Ask("without")).Within("the answer alone")).Text, Is.EqualTo("without done"));
    }

    [Test]
    public async Task A_report_before_a_failure_comes_before_it()
    {
        await using LinkRig rig = await LinkRig.OpenAsync(wire);
        rig.Main.Start(new PacketRouter());
        rig.Worker.Start(new PacketRouter().OnRequest<Ask, Told, Step>((_, progress, _) =>
        {
            progress.Report(new Step("half"));
            throw new InvalidOperationException("disk full");
        }));
        var seen = new List<string>();
        TransportException failed = await FaultAsync(rig.Main.RequestAsync(new Ask("?"), new Reports(seen.Add)));
        Assert.That((failed.Message, string.Join(",", seen)),
            Is.EqualTo(("The peer responded: System.InvalidOperationException: disk full", "half")));
    }

    [Test]
    public async Task A_stream_of_many_items_to_a_slow_reader_stays_within_its_credit()
    {
        int items = Nightly.Rounds(nightly: 1_000_000, otherwise: 20_000);
        await using LinkRig rig = await LinkRig.OpenAsync(wire);
        int sent = 0, read = 0, ahead = 0;
        async IAsyncEnumerable<string> NumbersAsync()
        {
            for (int i = 0; i < items; i++)
            {
                ahead = Math.Max(ahead, Interlocked.Increment(ref sent) - Volatile.Read(ref read));
                yield return "0123456789";
                await Task.CompletedTask;
            }
        }

        rig.Main.Start(new PacketRouter());
        rig.Worker.Start(new PacketRouter().OnRequestStream(Question, Item, (_, _) => NumbersAsync()));
        await foreach (string unused in rig.Main.RequestStreamAsync(Question, Item, "?"))
        {
            Volatile.Write(ref read, read + 1);
            if (read % 1_000 == 0)
            {
                await Task.Yield();
            }
        }

        Assert.That((sent, read), Is.EqualTo((items, items)));
        Assert.That(ahead, Is.LessThanOrEqualTo(((256 << 10) / (32 + 11)) + 2));
    }

    private static async IAsyncEnumerable<string> CountAsync(string prefix, int count, [EnumeratorCancellation] CancellationToken token)
    {
        for (int i = 0; i < count; i++)
        {
            token.ThrowIfCancellationRequested();
            yield return $"{prefix}{i}";
            if (i % 100 == 0)
            {
                await Task.Yield();
            }
        }
    }

    private static async IAsyncEnumerable<string> ToAsync(params string[] items)
    {
        foreach (string item in items)
        {
            await Task.Yield();
            yield return item;
        }
    }

    private static async Task<List<string>> ReadAsync(IAsyncEnumerable<string> stream)
    {
        var read = new List<string>();
        await foreach (string item in stream)
        {
            read.Add(item);
        }

        return read;
    }

    private static async Task<TransportException> FaultAsync(Task task)
    {
        try
        {
            await task.Within("a failure");
        }
        catch (TransportException e)
        {
            return e;
        }

        throw new AssertionException("It did not fail.");
    }

    private static async IAsyncEnumerable<Step> ToStepsAsync()
    {
        await Task.Yield();
        yield return new Step("1");
    }

    private sealed class Reports(Action<string> take) : IProgress<Step>
    {
        public void Report(Step value) => take(value.Text);
    }

    [Packet(1050)]
    internal sealed partial record Ask(string Text) : IRequest<Told>;

    [Packet(1051)]
    internal sealed partial record Told(string Text);

    [Packet(1052)]
    internal sealed partial record Step(string Text);
}
