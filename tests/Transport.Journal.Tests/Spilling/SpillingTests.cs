using System;
using System.Linq;
using System.Threading.Tasks;
using NUnit.Framework;
using Transport.Journal.Spilling;
using Transport.Links;
using Transport.Sending;

namespace Transport.Journal.Tests.Spilling;

/// <summary>What a sender that spills promises: everything that was taken arrives, in order, and handlers see nothing twice.</summary>
internal sealed class SpillingTests
{
    private SpillRig _rig = null!;

    [SetUp]
    public void MakeRig() => _rig = new SpillRig();

    [TearDown]
    public async Task DisposeRig()
    {
        _rig.ShowReportsOfAFailure();
        await _rig.DisposeAsync();
    }

    [Test]
    public async Task WhatFitsTheBudgetIsNotSpilled()
    {
        _rig.Arrive();
        await using SpillingSender sender = _rig.Open(o => o.Link.MaxQueuedBytes = 8 << 20);
        _rig.SendFirst(sender);
        long spilled = sender.Statistics.Spilled;   // the first ones may come before the lane is open
        SpillRig.Send(sender, 2, 5000);
        _rig.ExpectAll(1, 5000);
        SpillRig.Until(() => sender.Statistics.IsDelivered, "everything is acknowledged");
        SpillStatistics done = await sender.CloseAsync();
        Assert.That((done.Spilled - spilled, done.Refused, _rig.Receiver.Doubles, _rig.Receiver.Handled), Is.EqualTo((0, 0, 0, 5000)));
        Assert.That(done.Direct, Is.EqualTo(5000 - spilled));
    }

    [Test]
    public async Task ASlowMainNodeGetsEverythingInOrderWithinTheBudget()
    {
        _rig.Arrive();
        await using SpillingSender sender = _rig.Open();
        _rig.SendFirst(sender);
        _rig.Hold();
        SpillRig.Send(sender, 2, 20_000);
        SpillRig.Until(() => _rig.Told(SpillEvent.SpillingBegan), "spilling has begun");
        Assert.That(sender.Statistics.Spilled, Is.GreaterThan(10_000), "64 KiB hold a few hundred");
        Assert.That(sender.Link?.Counters.QueuedBytes ?? 0, Is.LessThanOrEqualTo(64 << 10));
        _rig.GoOn();
        _rig.ExpectAll(1, 20_000);
        SpillRig.Until(() => sender.Statistics is { IsDelivered: true, Waiting: 0 }, "everything is acknowledged");
        SpillRig.Until(() => _rig.Told(SpillEvent.SpillingEnded), "spilling is over");
        long spilled = sender.Statistics.Spilled;
        SpillRig.Send(sender, 20_001, 20_010);
        _rig.ExpectAll(1, 20_010);
        Assert.That(sender.Statistics.Spilled, Is.EqualTo(spilled), "packets go directly again");
    }

    [Test]
    public async Task WhatIsSentBeforeThereIsAMainNodeArrives()
    {
        await using SpillingSender sender = _rig.Open();
        SpillRig.Send(sender, 1, 3000);
        SpillRig.Until(() => _rig.Told(SpillEvent.AttemptFailed), "attempts are told");
        _rig.Arrive();
        SpillRig.Send(sender, 3001, 4000);
        _rig.ExpectAll(1, 4000);
        Assert.That(_rig.Receiver.Doubles, Is.Zero);
    }

    [Test]
    public async Task WhatALinkHadNotAcknowledgedComesWithTheNextAndIsSeenOnce()
    {
        _rig.Arrive();
        await using SpillingSender sender = _rig.Open(o => o.Link.MaxQueuedBytes = 8 << 20);
        _rig.SendFirst(sender);
        _rig.Hold();
        SpillRig.Send(sender, 2, 10_000);   // in memory: some handled at the cut, most not
        Task leaving = _rig.LeaveAsync();
        _rig.GoOn();
        await leaving;
        SpillRig.Until(() => _rig.Told(SpillEvent.Away), "the sender knows");
        SpillRig.Send(sender, 10_001, 12_000);
        _rig.Arrive();
        _rig.ExpectAll(1, 12_000);
        SpillRig.Until(() => sender.Statistics.IsDelivered, "everything is acknowledged");
        Assert.That(_rig.Links, Is.EqualTo(2));
    }

    [Test]
    public async Task CutsAtAnyTimeLoseNothingAndDoubleNothing([Values(64 << 10, 1 << 20)] int budget)
    {
        int seed = Environment.TickCount;
        TestContext.Out.WriteLine($"seed {seed}");
        var dice = new Random(seed);
        _rig.Arrive();
        await using SpillingSender sender = _rig.Open(o => o.Link.MaxQueuedBytes = budget);
        long next = 1;
        for (int round = 0; round < 12; round++)
        {
            int links = _rig.Links;
            bool isDirect = dice.Next(3) > 0;
            SpillRig.Until(() => !isDirect || sender.Statistics.IsDelivered, "everything is acknowledged, so packets go directly");
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
            SpillRig.Until(() => !waits || _rig.Numbers.LastOrDefault() >= half, "some come");
            if (dice.Next(2) == 0)
            {
                await _rig.CutAsync();
            }
            else
            {
                await _rig.LeaveAsync();
                SpillRig.Send(sender, next, next + 50);
                next += 51;
                _rig.Arrive();
            }

            SpillRig.Until(() => _rig.Links > links, "another link");
        }

        SpillRig.Send(sender, next, next);
        _rig.ExpectAll(1, next);
        TestContext.Out.WriteLine($"{next} packets, {_rig.Links} links, {_rig.Receiver.Doubles} came again, {sender.Statistics}");
    }

    [Test]
    public async Task ASenderThatIsClosedWhileTheMainNodeIsAwayLeavesEverythingToTheNext()
    {
        _rig.Arrive();
        await using (SpillingSender sender = _rig.Open(o => o.Link.MaxQueuedBytes = 8 << 20))
        {
            _rig.SendFirst(sender);
            _rig.Hold();
            SpillRig.Send(sender, 2, 5000);   // in memory alone
            Task leaving = _rig.LeaveAsync();
            _rig.GoOn();
            await leaving;
            SpillRig.Send(sender, 5001, 6000);
            SpillStatistics done = await sender.CloseAsync();
            Assert.That(done.IsDelivered, Is.False);
            Assert.That(sender.Send(NumberPacket.Type, new NumberPacket(0, [])), Is.EqualTo(SendResult.Closed));
        }

        await using SpillingSender second = _rig.Open();
        Assert.That(second.Statistics.Found, Is.GreaterThan(1000), "what was in memory is in the journal too");
        SpillRig.Send(second, 6001, 6100);
        _rig.Arrive();
        _rig.ExpectAll(1, 6100);
        Assert.That((await second.CloseAsync(SpillRig.Patience)).IsDelivered, Is.True);
        await using SpillingSender third = _rig.Open();
        Assert.That(third.Statistics, Is.EqualTo(new SpillStatistics { IsDelivered = true, JournalBytes = third.Statistics.JournalBytes, Links = third.Statistics.Links }), "and nothing is left of it");
        SpillRig.Send(third, 6101, 6200);
        _rig.ExpectAll(1, 6200);
    }

    [Test]
    public async Task BothLanesSpillEachInItsOrder()
    {
        _rig.Hold();
        await using SpillingSender sender = _rig.Open(o => o.Link.BulkPolicy = LanePolicy.Spill);
        _rig.Arrive();
        for (int i = 1; i <= 2000; i++)
        {
            Assert.That(sender.Send(NumberPacket.Type, new NumberPacket(i, new byte[100])), Is.EqualTo(SendResult.Queued));
            Assert.That(sender.Send(NumberPacket.Type, new NumberPacket(1_000_000 + i, new byte[100]), Transport.Packets.Lane.Bulk), Is.EqualTo(SendResult.Queued));
        }

        await _rig.CutOnceAsync();
        _rig.GoOn();
        SpillRig.Until(() => _rig.Numbers.Length >= 4000, "all come");
        Assert.That(_rig.Numbers.Where(n => n < 1_000_000), Is.EqualTo(Enumerable.Range(1, 2000)));
        Assert.That(_rig.Numbers.Where(n => n > 1_000_000), Is.EqualTo(Enumerable.Range(1_000_001, 2000)));
        Assert.That(_rig.Receiver.Marks(), Has.Count.EqualTo(2));
    }

    [Test]
    public async Task WhatIsAcknowledgedIsDroppedFromTheDisk()
    {
        await using SpillingSender sender = _rig.Open();
        SpillRig.Send(sender, 1, 40_000, padding: 400);   // about 18 segments
        SpillRig.Until(() => sender.Statistics.JournalBytes > 12 << 20, "it is on the disk");
        _rig.Arrive();
        _rig.ExpectAll(1, 40_000);
        SpillRig.Send(sender, 40_001, 40_001);
        SpillRig.Until(() => sender.Statistics.IsDelivered, "everything is acknowledged");
        SpillStatistics done = await sender.CloseAsync();
        Assert.That(System.IO.Directory.GetFiles(System.IO.Path.Combine(_rig.Directory, "normal"), "*.segment"), Has.Length.LessThan(4), done.ToString());
    }

    [Test]
    public async Task ALaneThatDoesNotSpillIsFullWithoutALinkAndWorksWithOne()
    {
        await using SpillingSender sender = _rig.Open();
        Assert.That(sender.Send(NumberPacket.Type, new NumberPacket(7, []), Transport.Packets.Lane.Urgent), Is.EqualTo(SendResult.Full));
        _rig.Arrive();
        SpillRig.Until(() => sender.Send(NumberPacket.Type, new NumberPacket(7, []), Transport.Packets.Lane.Urgent) == SendResult.Queued, "a link");
        _rig.ExpectAll(7, 7);
        Assert.That(_rig.Receiver.Handled, Is.Zero, "it has no number");
        Link link = sender.Link!;
        Assert.That(link.Send(NumberPacket.Type, new NumberPacket(8, [])), Is.EqualTo(SendResult.Queued));
        _rig.ExpectAll(7, 8);
        Assert.That(_rig.Receiver.Handled, Is.EqualTo(1), "the link's own Send goes the same way");
    }
}
