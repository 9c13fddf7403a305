using System;
using System.Linq;
using System.Threading;
using System.Threading.Tasks;
using NUnit.Framework;

namespace Transport.Journal.Tests.Spill;

/// <summary>What a sender that spills promises: everything that was taken arrives, in order, and handlers see nothing twice.</summary>
internal sealed class SpillingTests : SpillFixture
{
    [Test]
    public async Task What_fits_the_budget_is_not_spilled()
    {
        Rig.Arrive();
        await using SpillingSender sender = Rig.Open(o => SpillRig.Budget(o, 8 << 20));
        Rig.SendFirst(sender);
        long spilled = sender.Status.Spilled;   // the first ones may come before the lane is open
        SpillRig.Send(sender, 2, 5000);
        Rig.ExpectAll(1, 5000);
        SpillRig.Until(() => sender.Status.IsDelivered, "everything is acknowledged");
        SpillStatus done = await sender.CloseAsync();
        Assert.That((done.Spilled - spilled, done.Refused, Rig.Receiver.Duplicates, Rig.Receiver.Handled), Is.EqualTo((0, 0, 0, 5000)));
        Assert.That(done.Direct, Is.EqualTo(5000 - spilled));
    }

    [Promise("Spill", "A spilling sender stays within `SpillOptions.MaxMemoryBytes`, however slow its receiver is.")]
    [Test]
    public async Task A_slow_main_node_gets_everything_in_order_within_the_budget()
    {
        Rig.Arrive();
        await using SpillingSender sender = Rig.Open();
        Rig.SendFirst(sender);
        Rig.Hold();
        SpillRig.Send(sender, 2, 20_000);
        SpillRig.Until(() => Rig.Reported(SpillEvent.SpillingBegan), "spilling has begun");
        Assert.That(sender.Status.Spilled, Is.GreaterThan(10_000), "64 KiB hold a few hundred");
        Assert.That(sender.Link?.Counters.QueuedBytes ?? 0, Is.LessThanOrEqualTo(64 << 10));
        Assert.That(sender.Status.MemoryBytes, Is.InRange(1, 64 << 10));
        Rig.GoOn();
        Rig.ExpectAll(1, 20_000);
        SpillRig.Until(() => sender.Status is { IsDelivered: true, Waiting: 0 }, "everything is acknowledged");
        SpillRig.Until(() => Rig.Reported(SpillEvent.SpillingEnded), "spilling is over");
        long spilled = sender.Status.Spilled;
        SpillRig.Send(sender, 20_001, 20_010);
        Rig.ExpectAll(1, 20_010);
        Assert.That(sender.Status.Spilled, Is.EqualTo(spilled), "packets go directly again");
    }

    [Test]
    public async Task What_is_sent_before_there_is_a_main_node_arrives()
    {
        await using SpillingSender sender = Rig.Open();
        SpillRig.Send(sender, 1, 3000);
        SpillRig.Until(() => Rig.Reported(SpillEvent.AttemptFailed), "attempts are reported");
        Rig.Arrive();
        SpillRig.Send(sender, 3001, 4000);
        Rig.ExpectAll(1, 4000);
        Assert.That(Rig.Receiver.Duplicates, Is.Zero);
    }

    /// <summary>Where the lane had never been direct, nobody was notified that packets go to the disk.</summary>
    [Test]
    public async Task That_spilling_began_is_reported_whyever_it_did()
    {
        await using SpillingSender sender = Rig.Open();
        Assert.That(Rig.Reported(SpillEvent.SpillingBegan), Is.False, "not before there is a packet");
        SpillRig.Send(sender, 1, 100);
        SpillRig.Until(() => Rig.Reported(SpillEvent.SpillingBegan), "it is reported that it began");
        Assert.That(Rig.TheReport(SpillEvent.SpillingBegan).Message, Does.Contain("no main node yet").And.Contain(Rig.Directory));
        Rig.Arrive();
        Rig.ExpectAll(1, 100);
        SpillRig.Until(() => Rig.Reported(SpillEvent.SpillingEnded), "and that it ended");
        await Rig.LeaveAsync();
        SpillRig.Until(() => Rig.Reported(SpillEvent.Away), "the main node is away");
        Assert.That(Rig.Count(SpillEvent.SpillingBegan), Is.EqualTo(1), "nothing was sent meanwhile");
        SpillRig.Send(sender, 101, 200);
        Rig.Arrive();
        Rig.ExpectAll(1, 200);
        SpillRig.Until(() => Rig.Count(SpillEvent.SpillingEnded) == 2, "each beginning has its end");
        Assert.That(Rig.Count(SpillEvent.SpillingBegan), Is.EqualTo(2));
        Assert.That(Rig.Reports.Last(r => r.Event == SpillEvent.SpillingBegan).Message, Does.Contain("the link has ended"));
    }

    [Test]
    public async Task What_a_link_had_not_acknowledged_comes_with_the_next_and_is_seen_once()
    {
        Rig.Arrive();
        await using SpillingSender sender = Rig.Open(o => SpillRig.Budget(o, 8 << 20));
        Rig.SendFirst(sender);
        Rig.Hold();
        SpillRig.Send(sender, 2, 10_000);   // in memory: some handled at the cut, most not
        Task leaving = Rig.LeaveAsync();
        Rig.GoOn();
        await leaving;
        SpillRig.Until(() => Rig.Reported(SpillEvent.Away), "the sender knows");
        SpillRig.Send(sender, 10_001, 12_000);
        Rig.Arrive();
        Rig.ExpectAll(1, 12_000);
        SpillRig.Until(() => sender.Status.IsDelivered, "everything is acknowledged");
        Assert.That(Rig.Links, Is.EqualTo(2));
    }

    [Promise("Spill", "A spilling sender delivers every queued packet once and in order, however often the link breaks.")]
    [Test]
    public async Task Cuts_at_any_time_lose_nothing_and_double_nothing([Values(64 << 10, 1 << 20)] int budget)
    {
        int seed = Environment.TickCount;
        TestContext.Out.WriteLine($"seed {seed}");
        var dice = new Random(seed);
        Rig.Arrive();
        await using SpillingSender sender = Rig.Open(o => SpillRig.Budget(o, budget));
        long next = 1;
        for (int round = 0; round < 12; round++)
        {
            int links = Rig.Links;
            bool isDirect = dice.Next(3) > 0;
            SpillRig.Until(() => !isDirect || sender.Status.IsDelivered, "everything is acknowledged, so packets go directly");
            for (int burst = dice.Next(1, 4); burst > 0; burst--)
            {
                int count = dice.Next(1, 3000);
                SpillRig.Send(sender, next, next + count - 1, dice.Next(20) == 0 ? 3000 : dice.Next(300));
                next += count;
            }

            if (dice.Next(3) == 0)
            {
                SpillRig.Send(sender, next, next, dice.Next(100_000, 700_000));
                next++;
            }

            long half = next / 2;
            bool waits = dice.Next(2) == 0;
            SpillRig.Until(() => !waits || Rig.Numbers.LastOrDefault() >= half, "some come");
            if (dice.Next(2) == 0)
            {
                await Rig.CutAsync();
            }
            else
            {
                await Rig.LeaveAsync();
                SpillRig.Send(sender, next, next + 50);
                next += 51;
                Rig.Arrive();
            }

            SpillRig.Until(() => Rig.Links > links, "another link");
        }

        SpillRig.Send(sender, next, next);
        Rig.ExpectAll(1, next);
        TestContext.Out.WriteLine($"{next} packets, {Rig.Links} links, {Rig.Receiver.Duplicates} came again, {sender.Status}");
    }

    [Promise("Spill", "Closing a sender loses nothing: the next process sends what was not acknowledged.")]
    [Test]
    public async Task A_sender_that_is_closed_while_the_main_node_is_away_leaves_everything_to_the_next()
    {
        Rig.Arrive();
        await using (SpillingSender sender = Rig.Open(o => SpillRig.Budget(o, 8 << 20)))
        {
            Rig.SendFirst(sender);
            Rig.Hold();
            SpillRig.Send(sender, 2, 5000);   // in memory alone
            Task leaving = Rig.LeaveAsync();
            Rig.GoOn();
            await leaving;
            SpillRig.Send(sender, 5001, 6000);
            SpillStatus done = await sender.CloseAsync();
            Assert.That(done.IsDelivered, Is.False);
            Assert.That(sender.TrySend(NumberPacket.Type, new NumberPacket(0, [])), Is.EqualTo(SendResult.Closed));
        }

        await using SpillingSender second = Rig.Open();
        Assert.That(second.Status.Found, Is.GreaterThan(1000), "what was in memory is in the journal too");
        SpillRig.Send(second, 6001, 6100);
        Rig.Arrive();
        Rig.ExpectAll(1, 6100);
        Assert.That((await second.CloseAsync(SpillRig.Patience)).IsDelivered, Is.True);
        await using SpillingSender third = Rig.Open();
        SpillStatus left = third.Status; // once: a link may come between two looks
        var nothing = new SpillStatus { IsDelivered = true, JournalBytes = left.JournalBytes, Links = left.Links };
        Assert.That(left, Is.EqualTo(nothing), "and nothing is left of it");
        SpillRig.Send(third, 6101, 6200);
        Rig.ExpectAll(1, 6200);
    }

    [Test]
    public async Task Both_lanes_spill_each_in_its_order()
    {
        Rig.Hold();
        await using SpillingSender sender = Rig.Open(o => o.Lanes = [Lane.Normal, Lane.Bulk]);
        Rig.Arrive();
        for (int i = 1; i <= 2000; i++)
        {
            Assert.That(sender.TrySend(NumberPacket.Type, new NumberPacket(i, new byte[100])), Is.EqualTo(SendResult.Queued));
            var bulk = new NumberPacket(1_000_000 + i, new byte[100]);
            Assert.That(sender.TrySend(NumberPacket.Type, bulk, Lane.Bulk), Is.EqualTo(SendResult.Queued));
        }

        await Rig.CutOnceAsync();
        Rig.GoOn();
        SpillRig.Until(() => Rig.Numbers.Length >= 4000, "all come");
        Assert.That(Rig.Numbers.Where(n => n < 1_000_000), Is.EqualTo(Enumerable.Range(1, 2000)));
        Assert.That(Rig.Numbers.Where(n => n > 1_000_000), Is.EqualTo(Enumerable.Range(1_000_001, 2000)));
        Assert.That(Rig.Receiver.Marks(), Has.Count.EqualTo(2));
    }

    [Test]
    public async Task What_is_acknowledged_is_dropped_from_the_disk()
    {
        await using SpillingSender sender = Rig.Open();
        SpillRig.Send(sender, 1, 40_000, padding: 400);   // about 18 segments
        SpillRig.Until(() => sender.Status.JournalBytes > 12 << 20, "it is on the disk");
        Rig.Arrive();
        Rig.ExpectAll(1, 40_000);
        SpillRig.Send(sender, 40_001, 40_001);
        SpillRig.Until(() => sender.Status.IsDelivered, "everything is acknowledged");
        SpillStatus done = await sender.CloseAsync();
        string[] segments = System.IO.Directory.GetFiles(System.IO.Path.Combine(Rig.Directory, "normal"), "*.segment");
        Assert.That(segments, Has.Length.LessThan(4), done.ToString());
    }

    [Test]
    public async Task A_lane_that_does_not_spill_is_full_without_a_link_and_works_with_one()
    {
        await using SpillingSender sender = Rig.Open();
        Assert.That(sender.TrySend(NumberPacket.Type, new NumberPacket(7, []), Lane.Urgent), Is.EqualTo(SendResult.Full));
        Rig.Arrive();
        SpillRig.Until(() => sender.TrySend(NumberPacket.Type, new NumberPacket(7, []), Lane.Urgent) == SendResult.Queued, "a link");
        Rig.ExpectAll(7, 7);
        Assert.That(Rig.Receiver.Handled, Is.Zero, "it has no number");
    }

    /// <summary>Acknowledgments count all packets of a lane, from every sender.</summary>
    [Test]
    public async Task What_others_send_in_its_lane_is_neither_kept_nor_taken_for_its_own()
    {
        Rig.Arrive();
        Rig.Router.On(OtherPacket, static (_, _) => { });
        await using SpillingSender sender = Rig.Open(o => SpillRig.Budget(o, 1 << 20));
        Rig.SendFirst(sender);
        Rig.Hold();
        for (int i = 2; i <= 500; i++)
        {
            SpillRig.Send(sender, i, i);
            Assert.That(sender.Link!.TrySend(OtherPacket, new NumberPacket(-i, [])), Is.EqualTo(SendResult.Queued));
        }

        Assert.That(sender.Status.IsDelivered, Is.False);
        await Rig.CutOnceAsync();
        Rig.ExpectAll(1, 500);
        for (int i = 501; i <= 1000; i++)
        {
            var other = new NumberPacket(-i, []);
            SpillRig.Until(() => sender.Link?.TrySend(OtherPacket, other) == SendResult.Queued, "the next link takes it");
            SpillRig.Send(sender, i, i);
        }

        Rig.ExpectAll(1, 1000);
        SpillRig.Until(() => sender.Status is { IsDelivered: true, MemoryBytes: 0 }, "all is acknowledged, and nothing too early");
        Assert.That(Rig.Receiver.Handled, Is.EqualTo(1000));
    }

    [Test]
    public async Task A_send_that_may_wait_waits_for_capacity_for_a_link_or_for_its_deadline()
    {
        await using SpillingSender sender = Rig.Open(
            o => o.Journal = new JournalOptions { SegmentBytes = 64 << 10, MaxBytes = 256 << 10, MaxQueuedBytes = 64 << 10 });
        var packet = new NumberPacket(0, new byte[200]);
        SpillRig.Until(
            () => sender.TrySend(NumberPacket.Type, packet) == SendResult.Full && Rig.Reported(SpillEvent.JournalFull), "it is full");
        long refused = sender.Status.Refused;
        Assert.That(sender.Send(NumberPacket.Type, packet, TimeSpan.FromMilliseconds(50)), Is.EqualTo(SendResult.Full));
        Assert.That(sender.Status.Refused, Is.EqualTo(refused + 1), "once, however often it looked");
        using var givenUp = new CancellationTokenSource();
        Task<SendResult> cancelled = sender.SendAsync(NumberPacket.Type, packet, cancellationToken: givenUp.Token).AsTask();
        Task<SendResult> spilled = sender.SendAsync(NumberPacket.Type, packet).AsTask();
        Task<SendResult> urgent = sender.SendAsync(NumberPacket.Type, packet, Lane.Urgent).AsTask();
        Task<SendResult> blocked = Task.Run(() => sender.Send(NumberPacket.Type, packet, Timeout.InfiniteTimeSpan, Lane.Bulk));
        givenUp.Cancel();
        Assert.That(async () => await cancelled.WaitAsync(), Throws.InstanceOf<OperationCanceledException>());
        Assert.That(spilled.IsCompleted || urgent.IsCompleted || blocked.IsCompleted, Is.False);
        Rig.Arrive();
        foreach (Task<SendResult> sending in new[] { spilled, urgent, blocked })
        {
            Assert.That(await sending.WaitAsync(), Is.EqualTo(SendResult.Queued));
        }

        await sender.CloseAsync();
        Assert.That(await sender.SendAsync(NumberPacket.Type, packet, Lane.Urgent).AsTask().WaitAsync(), Is.EqualTo(SendResult.Closed));
    }

    [Test]
    public async Task A_logger_sends_through_it_as_through_a_link()
    {
        IPacketSender sender = Rig.Open();
        await using var closing = (SpillingSender)sender;
        Assert.That(sender.Levels.Least, Is.EqualTo(PacketLevel.Trace), "everything, before a main node has reported its level");
        Assert.That(sender.TrySend(NumberPacket.Type, new NumberPacket(1, []), policy: LanePolicy.Drop), Is.EqualTo(SendResult.Queued));
        Rig.Arrive(o => o.MinimumLevel = PacketLevel.Error);
        Rig.ExpectAll(1, 1);
        Assert.That(sender.Levels.Least, Is.EqualTo(PacketLevel.Error));
        await Rig.LeaveAsync();
        SpillRig.Until(() => closing.Link is null, "the main node is away");
        Assert.That(sender.Levels.Least, Is.EqualTo(PacketLevel.Error));
    }

    /// <summary>Two formatters that sent in each other's lane waited for each other forever.</summary>
    [Test]
    public async Task A_formatter_may_send_in_no_lane([Values(Lane.Urgent, Lane.Normal, Lane.Bulk)] Lane other)
    {
        await using SpillingSender sender = Rig.Open();
        var type = new PacketType<string>(1031, "Text", new SendingFormatter(() =>
            _ = sender.TrySend(OtherPacket, new NumberPacket(1, []), other)));
        Assert.That(() => sender.TrySend(type, "a", Lane.Normal), Throws.InvalidOperationException);
        Assert.That(sender.TrySend(OtherPacket, new NumberPacket(2, []), Lane.Normal), Is.EqualTo(SendResult.Queued));
    }

    private sealed class SendingFormatter(Action send) : IPacketFormatter<string>
    {
        public void Write(System.Buffers.IBufferWriter<byte> output, string packet) => send();

        public string Read(in System.Buffers.ReadOnlySequence<byte> body) => throw new NotSupportedException();
    }

    private static PacketType<NumberPacket> OtherPacket { get; } = new(1030, "Other", NumberPacket.Type.Formatter);

    /// <summary>The link was made and nobody closed it: the sender waited for its end, forever.</summary>
    [Test]
    public async Task Closing_returns_also_while_a_link_is_being_made([Range(1, 10)] int round)
    {
        await using LinkListener listener = LinkListener.Start(WireKind.UnixSocket, new LinkOptions());
        var asked = new TaskCompletionSource<LinkTicket>(TaskCreationOptions.RunContinuationsAsynchronously);
        SpillingSender sender = SpillingSender.Open(
            Rig.Directory,
            (_, _) =>
            {
                LinkTicket ticket = listener.Expect("sender");
                asked.TrySetResult(ticket);
                return Task.FromResult<SpillTarget?>(new SpillTarget(listener.Endpoint, ticket.Secret));
            },
            Rig.Options());
        LinkTicket first = await asked.Task.WaitAsync();
        Link link = await first.WaitForLinkAsync().WaitAsync();
        Task<SpillStatus> closing = sender.CloseAsync();
        link.Start(new PacketRouter());
        Assert.That((await closing.WaitAsync()).IsDelivered, Is.True, $"round {round}");
        _ = await link.Completion.WaitAsync();   // clean, or cut: closing may have cancelled the handshake before it had read its Welcome
    }
}
