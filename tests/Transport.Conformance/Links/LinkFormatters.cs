using System;
using System.Buffers;
using System.Collections.Generic;
using System.Diagnostics.Tracing;
using System.Linq;
using System.Threading;
using System.Threading.Tasks;
using NUnit.Framework;
using Transport.Testing.Links;
using Transport.Testing.Wires;

namespace Transport.Conformance.Links;

/// <summary>What runs while a packet is written: its formatter, which must not call its link, and listeners of events, which may.</summary>
[TestFixtureSource(typeof(WireKinds), nameof(WireKinds.All))]
internal sealed class LinkFormatters(string wire)
{
    private static readonly TimeSpan Moment = TimeSpan.FromSeconds(1);

    [Test]
    public async Task Every_call_of_the_link_from_inside_a_formatter_throws_the_same_error()
    {
        await using LinkRig rig = await LinkRig.OpenAsync(wire);
        rig.Worker.Start(new PacketRouter());
        Link link = rig.Main;
        (string Name, Func<Task> Call)[] calls =
        [
            ("TrySend", () => Done(link.TrySend(TestPackets.Text, "x"))),
            ("TrySend urgent", () => Done(link.TrySend(TestPackets.Text, "x", Lane.Urgent))),
            ("TrySendRaw", () => Done(link.TrySendRaw(1025, [0xc0]))),
            ("SendAsync", async () => _ = await link.SendAsync(TestPackets.Text, "x")),
            ("Send", () => Done(link.Send(TestPackets.Text, "x", Moment))),
            ("RequestAsync", () => link.RequestAsync(TestPackets.Text, TestPackets.Text, "x", Moment)),
            ("SetLevel", () => Done(link.SetLevels(new LevelRules(PacketLevel.Information)))),
            ("Start", () => Done(() => link.Start(new PacketRouter()))),
            ("Abort", () => Done(() => link.Abort("x"))),
            ("CloseAsync", () => link.CloseAsync("x")),
            ("DisposeAsync", () => link.DisposeAsync().AsTask()),
        ];
        var thrown = new List<(string Name, Task Task)>();
        var type = new PacketType<int>(1030, "Calling", new CallingFormatter(() =>
        {
            foreach ((string name, Func<Task> call) in calls)
            {
                try
                {
                    thrown.Add((name, call()));
                }
                catch (InvalidOperationException e)
                {
                    thrown.Add((name, Task.FromException(e)));
                }
            }
        }));
        Assert.That(link.TrySend(type, 1), Is.EqualTo(SendResult.Queued), "the packet itself is valid");
        foreach ((string name, Task task) in thrown)
        {
            Assert.That(async () => await task.Within(name),
                Throws.InvalidOperationException.With.Message.Contains("must not call the link that it writes for"), name);
        }

        Assert.That(thrown.Count, Is.EqualTo(calls.Length));
        link.Start(new PacketRouter());
        Assert.That((await link.CloseAsync().Within("the close")).Receipt.Sent, Is.EqualTo(1));
    }

    /// <summary>A listener that logs through the link whose pool it hears of wrote into the segment that was just being opened: its packet
    /// was gone and a segment lost.</summary>
    [Test]
    public async Task A_listener_of_events_may_send_through_the_link_that_raised_them()
    {
        await using LinkRig rig = await LinkRig.OpenAsync(wire, worker: o => o.MaxQueuedBytes = 256 << 10);
        int handled = 0;
        rig.Main.Start(new PacketRouter().On(TestPackets.Numbered, (_, _) => Interlocked.Increment(ref handled)));
        rig.Worker.Start(new PacketRouter());
        int thread = Environment.CurrentManagedThreadId;
        int queued = 0, events = 0, depth = 0;
        var failures = new List<Exception>();
        void Log()
        {
            if (Environment.CurrentManagedThreadId != thread || events > 500)
            {
                return;
            }

            events++;
            depth++;
            try
            {
                Assert.That(depth, Is.LessThan(20), "the events of its own sends come back to the listener");
                bool taken = rig.Worker.TrySend(TestPackets.Numbered, new Numbered(7, events, new byte[100])) == SendResult.Queued;
                queued += taken ? 1 : 0;
            }
            catch (Exception e)
            {
                failures.Add(e);
            }
            finally
            {
                depth--;
            }
        }

        using (new Listener(Log))
        {
            for (int i = 0; i < 300; i++)
            {
                bool taken = rig.Worker.TrySend(TestPackets.Numbered, new Numbered(1, i, new byte[1 + (i * 200)])) == SendResult.Queued;
                queued += taken ? 1 : 0;
            }
        }

        Assert.That(failures, Is.Empty);
#if NET
        Assert.That(events, Is.Positive);   // on Mono no listener hears of them
#endif
        LinkEnd end = await rig.Worker.CloseAsync().Within("the close");
        Assert.That((end.IsClean, end.Receipt.Sent, handled), Is.EqualTo((true, (long)queued, queued)), end.ToString());
    }

    [Test]
    public async Task A_formatter_that_does_not_return_holds_up_neither_abort_nor_the_end()
    {
        await using LinkRig rig = await LinkRig.OpenAsync(wire);
        rig.Main.Start(new PacketRouter());
        rig.Worker.Start(new PacketRouter());
        using var formatter = new HangingFormatter();
        Task<SendResult> send = Task.Run(() => rig.Worker.TrySend(formatter.Type, 1));
        await formatter.Entered.Within("the formatter");
        Task<LinkEnd> closing = rig.Worker.CloseAsync("done");   // Goodbye waits for the packet that is on its way in
        await Task.Run(() => rig.Worker.Abort("enough")).Within("the abort");
        LinkEnd end = await closing.Within("the end");
        Assert.That(end.Fault, Is.EqualTo(TransportFault.Aborted), end.ToString());
        Assert.That(send.IsCompleted, Is.False, "the formatter is still at work");
        LinkReceipt receipt = rig.Worker.Receipt;
        formatter.Release();
        _ = await send.Within("the send");
        Assert.That(rig.Worker.Receipt, Is.EqualTo(receipt with { TooLate = 1 }), "nothing else of a receipt changes after the end");
    }

    [Test]
    public async Task A_send_whose_formatter_outlasts_its_link_is_answered_Closed()
    {
        await using LinkRig rig = await LinkRig.OpenAsync(wire);
        rig.Main.Start(new PacketRouter());
        rig.Worker.Start(new PacketRouter());
        using var formatter = new HangingFormatter();
        Task<SendResult> send = Task.Run(() => rig.Worker.TrySend(formatter.Type, 1));
        await formatter.Entered.Within("the formatter");
        rig.Worker.Abort("enough");
        LinkEnd end = await rig.Worker.Completion.Within("the end");
        formatter.Release();
        Assert.That(await send.Within("the send"), Is.EqualTo(SendResult.Closed), "no count of " + end + " has that packet");
    }

    [Test]
    public async Task Urgent_packets_do_not_wait_for_a_formatter_of_another_lane()
    {
        await using LinkRig rig = await LinkRig.OpenAsync(wire);
        using var handled = new SemaphoreSlim(0);
        rig.Main.Start(new PacketRouter().On(TestPackets.Text, (_, _) => handled.Release()).OnUnknown(static _ => Task.CompletedTask));
        rig.Worker.Start(new PacketRouter());
        using var formatter = new HangingFormatter();
        Task<SendResult> send = Task.Run(() => rig.Worker.TrySend(formatter.Type, 1, Lane.Bulk));
        await formatter.Entered.Within("the formatter");
        for (int i = 0; i < 20; i++)
        {
            Assert.That(rig.Worker.TrySend(TestPackets.Text, "now", Lane.Urgent), Is.EqualTo(SendResult.Queued));
            Assert.That(await handled.WaitAsync(WithinExtensions.Bound), Is.True, $"urgent packet {i}");
        }

        Assert.That(send.IsCompleted, Is.False, "the formatter is still at work");
        formatter.Release();
        Assert.That(await send.Within("the send"), Is.EqualTo(SendResult.Queued));
        LinkEnd end = await rig.Worker.CloseAsync().Within("the close");
        Assert.That((end.IsClean, end.Receipt.Sent), Is.EqualTo((true, 21L)), end.ToString());
    }

    private static Task Done<T>(T value) => Task.FromResult(value);

    private static Task Done(Action call)
    {
        call();
        return Task.CompletedTask;
    }

    /// <summary>A formatter that waits until it is released.</summary>
    private sealed class HangingFormatter : IPacketFormatter<int>, IDisposable
    {
        private readonly TaskCompletionSource<bool> _entered = new(TaskCreationOptions.RunContinuationsAsynchronously);
        private readonly ManualResetEventSlim _released = new();

        public HangingFormatter() => Type = new PacketType<int>(1031, "Hanging", this);

        public PacketType<int> Type { get; }

        public Task Entered => _entered.Task;

        public void Release() => _released.Set();

        public void Dispose()
        {
            _released.Set();
        }

        public void Write(IBufferWriter<byte> output, int packet)
        {
            _entered.TrySetResult(true);
            _released.Wait();
            var writer = new PacketWriter(output);
            writer.WriteInt(packet);
            writer.Flush();
        }

        public int Read(in ReadOnlySequence<byte> body) => throw new NotSupportedException();
    }

    private sealed class CallingFormatter(Action call) : IPacketFormatter<int>
    {
        public void Write(IBufferWriter<byte> output, int packet)
        {
            call();
            var writer = new PacketWriter(output);
            writer.WriteInt(packet);
            writer.Flush();
        }

        public int Read(in ReadOnlySequence<byte> body) => throw new NotSupportedException();
    }

    private sealed class Listener(Action log) : EventListener
    {
        private readonly Action _log = log;

        protected override void OnEventSourceCreated(EventSource eventSource)
        {
            if (eventSource.Name == "Transport-Link")
            {
                EnableEvents(eventSource, EventLevel.Verbose);
            }
        }

        protected override void OnEventWritten(EventWrittenEventArgs eventData) => _log?.Invoke();
    }
}
