using System;
using System.Collections.Generic;
using System.Linq;
using System.Threading;
using System.Threading.Tasks;
using NUnit.Framework;
using Transport.Conformance.Wires;
using Transport.Testing.Buffers;
using Transport.Testing.Clock;
using Transport.Testing.Links;
using Transport.Testing.Wires;
using static Transport.Conformance.Links.LoopKit;

namespace Transport.Conformance.Links;

/// <summary>Loops that take nothing, slow ones, and what waits for them.</summary>
[TestFixtureSource(typeof(WireKinds), nameof(WireKinds.All))]
internal sealed class LinkLoopStalls(string wire)
{
    [Test]
    public async Task A_loop_that_takes_nothing_is_named_within_the_stall_time([Values] bool hasBegun, [Values(1, 256)] int capacity)
    {
        var clock = new ManualClock();
        var stalls = new StallLog();
        await using LinkRig rig = await LinkRig.OpenAsync(wire, o => o.TimeProvider = clock, o => o.TimeProvider = clock);
        var router = new PacketRouter();
        await using IAsyncEnumerator<(string Packet, PacketContext Context)> loop = Loop(router, capacity);
        stalls.Of(rig.Main).Start(router);
        rig.Worker.Start(new PacketRouter());
        Assert.That(SpinWait.SpinUntil(() => rig.Main.Reading.IsWaiting, WithinExtensions.Bound), Is.True);
        clock.Advance(TimeSpan.FromSeconds(1.25));
        foreach (string text in new[] { "one", "two", "three" })
        {
            _ = rig.Worker.TrySend(TestPackets.Text, text);
        }

        if (hasBegun)
        {
            await NextAsync(loop, "one");
        }

        int here = Math.Min(3, capacity + (hasBegun ? 2 : 1));
        Assert.That(SpinWait.SpinUntil(
            () => rig.Main.Receipt.Received == here && (rig.Main.Reading.IsWaiting || rig.Main.Unread!.Awaited is not null),
            WithinExtensions.Bound), Is.True);
        clock.Advance(TimeSpan.FromSeconds(10));
        StallReport report = stalls.Next();
        Assert.That((report.Kind, report.Packet, report.IsOver), Is.EqualTo((StallKind.Loop, "Text (1025)", false)));
        Assert.That(report.ToString(), Does.Contain("main's loop over Text (1025)").And.Contain($"{here} of w1 are with loops"));
        for (int i = hasBegun ? 1 : 0; i < 3; i++)
        {
            Assert.That(await loop.MoveNextAsync().AsTask().Within("a packet"), Is.True);
        }

        Task<bool> more = loop.MoveNextAsync().AsTask();
        Assert.That(SpinWait.SpinUntil(() => rig.Worker.Receipt.Acknowledged == 3, WithinExtensions.Bound), Is.True);
        clock.Advance(TimeSpan.FromSeconds(1.25));
        Assert.That((stalls.Next().IsOver, stalls.IsEmpty), Is.EqualTo((true, true)));
        _ = rig.Worker.CloseAsync();
        Assert.That(await more.Within("the loop's end"), Is.False);
    }

    /// <summary>The response stands behind packets that wait for a loop, whose body waits for the response.</summary>
    [Test]
    public async Task What_a_full_loops_body_waits_for_is_given_up_after_the_silence_timeout([Values("request", "send")] string what)
    {
        var clock = new ManualClock();
        void Small(LinkOptions options) => (options.MaxQueuedBytes, options.TimeProvider) = (64 << 10, clock);
        await using LinkRig rig = await LinkRig.OpenAsync(wire, Small, o => o.TimeProvider = clock);
        var router = new PacketRouter();
        IAsyncEnumerable<(string Packet, PacketContext Context)> packets = router.ReadAllWithContextAsync(TestPackets.Text, capacity: 1);
        rig.Main.Start(router);
        using var held = new SemaphoreSlim(0);
        rig.Worker.Start(new PacketRouter().On(TestPackets.Numbered, async (_, _) => await held.WaitAsync())
            .OnRequest(TestPackets.Text, TestPackets.Text, async (text, context) =>
            {
                for (int i = 0; i < 5; i++)
                {
                    _ = await context.Sender.SendAsync(TestPackets.Text, $"{i}");
                }

                return text;
            }));
        _ = rig.Worker.TrySend(TestPackets.Text, "first");
        var faults = new List<TransportFault>();
        int read = 0;
        async Task ReadAsync()
        {
            await foreach ((string packet, PacketContext context) in packets)
            {
                read++;
                if (packet == "first")
                {
                    try
                    {
                        if (what == "request")
                        {
                            _ = await ((Link)context.Sender).RequestAsync(TestPackets.Text, TestPackets.Text, "and?");
                        }
                        else
                        {
                            for (int i = 0; i < 5; i++)
                            {
                                _ = rig.Worker.TrySend(TestPackets.Text, $"{i}");
                            }

                            var large = new Numbered(0, 0, new byte[20_000]);
                            while (await context.Sender.SendAsync(TestPackets.Numbered, large) == SendResult.Queued)
                            {
                            }
                        }
                    }
                    catch (TransportException blocked)
                    {
                        faults.Add(blocked.Fault);
                        Assert.That(blocked.Message, Does.Contain("the loop over Text (1025)"));
                        held.Release(int.MaxValue / 2);
                    }
                }
                else if (packet == "4")
                {
                    break;
                }
            }
        }

        Task reading = Task.Run(ReadAsync);
        Assert.That(SpinWait.SpinUntil(() => rig.Main.Unread!.Awaited is not null, WithinExtensions.Bound), Is.True, "the loop is full");
        Assert.That(
            SpinWait.SpinUntil(
                () =>
                {
                    clock.Advance(TimeSpan.FromSeconds(1));
                    return reading.IsCompleted;
                },
                WithinExtensions.Bound),
            Is.True, "the loop goes on");
        await reading;
        Assert.That((faults.Single(), read), Is.EqualTo((TransportFault.HandlerBlocked, 6)));
    }

    /// <summary>The loop is shared: a link whose packets wait for their turn in it has not been forgotten.</summary>
    [Test]
    public async Task A_link_whose_packets_wait_for_their_turn_in_a_loop_that_goes_on_is_no_stall()
    {
        var clock = new ManualClock();
        var stalls = new StallLog();
        await using LinkRig one = await LinkRig.OpenAsync(wire, o => o.TimeProvider = clock, o => o.TimeProvider = clock);
        await using LinkRig two = await LinkRig.OpenAsync(
            wire, o => (o.TimeProvider, o.Heartbeat.StallTimeout) = (clock, TimeSpan.FromSeconds(2)), o => o.TimeProvider = clock);
        var router = new PacketRouter();
        await using IAsyncEnumerator<(string Packet, PacketContext Context)> loop = Loop(router, 2);
        Start(one, router);
        stalls.Of(two.Main).Start(router);
        two.Worker.Start(new PacketRouter());
        for (int i = 0; i < 30; i++)
        {
            _ = one.Worker.TrySend(TestPackets.Text, "one");
        }

        Assert.That(SpinWait.SpinUntil(() => one.Main.Unread!.Awaited is not null, WithinExtensions.Bound), Is.True, "the loop is full");
        _ = two.Worker.TrySend(TestPackets.Text, "two");
        Assert.That(SpinWait.SpinUntil(() => two.Main.Unread!.Awaited is not null, WithinExtensions.Bound), Is.True, "the other waits");
        int read = 0;
        do
        {
            Assert.That(SpinWait.SpinUntil(
                () => two.Main.Reading.IsWaiting || two.Main.Unread!.Awaited is not null, WithinExtensions.Bound), Is.True);
            clock.Advance(TimeSpan.FromSeconds(0.5));   // 15 s in all: no silence that would end a link
            Assert.That(await loop.MoveNextAsync().AsTask().Within("a packet"), Is.True);
            read++;
        }
        while (read < 31);
        while (!stalls.IsEmpty)
        {
            Assert.That(stalls.Next().Kind, Is.Not.EqualTo(StallKind.Loop));   // Pings may be late by a clock that jumps
        }

        Task<bool> more = loop.MoveNextAsync().AsTask();
        await Task.WhenAll(one.Worker.CloseAsync(), two.Worker.CloseAsync()).Within("the closes");
        Assert.That(await more.Within("the loop's end"), Is.False);
    }
}
