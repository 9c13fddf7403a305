using System;
using System.Collections.Generic;
using System.Linq;
using System.Threading;
using System.Threading.Tasks;
using NUnit.Framework;
using Transport.Testing.Clock;
using Transport.Testing.Links;

namespace Transport.Journal.Tests.Spill;

/// <summary>What the main node drops, what comes again, and what it can keep beyond its own end.</summary>
internal sealed class SpillReceiverTests : SpillFixture
{
    [Test]
    public async Task A_packet_whose_handler_throws_comes_again()
    {
        int failures = 3;
        Rig.Handling = number =>
        {
            if (number == 50 && Interlocked.Decrement(ref failures) >= 0)
            {
                throw new InvalidOperationException("not now");
            }
        };

        // The last output have 250 ms: by this clock, they have all the time that they need.
        Rig.Arrive(o => o.TimeProvider = new ManualClock());
        await using SpillingSender sender = Rig.Open();
        SpillRig.Send(sender, 1, 100);
        Rig.ExpectAll(1, 100);
        Assert.That(Rig.Links, Is.EqualTo(4));
        Assert.That(Rig.Reports.Where(r => r.Event == SpillEvent.Away).Select(r => r.Message), Has.All.Contains("HandlerFailed"));
    }

    [Test]
    public void A_journal_whose_packet_is_being_handled_is_not_forgotten()
    {
        var receiver = new SpillReceiver(mostJournals: 1);
        Guid first = Guid.NewGuid(), second = Guid.NewGuid();
        SpillEntry handling = receiver.Rent(first);
        SpillEntry other = receiver.Rent(second);
        Assert.That(receiver.Rent(first), Is.SameAs(handling), "another entry would not know what is being handled");
        receiver.Return(handling);
        receiver.Return(handling);
        receiver.Return(other);
        receiver.Return(receiver.Rent(Guid.NewGuid()));
        Assert.That(receiver.Marks(), Has.Count.EqualTo(1), "and the bound holds again");
    }

    [Test]
    public async Task An_old_link_that_still_handles_a_packet_holds_the_new_one_up()
    {
        using var began = new ManualResetEventSlim();
        Rig.Handling = number =>
        {
            if (number == 10)
            {
                began.Set();
            }
        };
        Rig.Arrive();
        await using SpillingSender sender = Rig.Open();
        Rig.SendFirst(sender);
        Rig.Hold();
        SpillRig.Send(sender, 2, 10);
        sender.Link!.Abort("cut by the test");   // the handler of 2 is still at it
        SpillRig.Until(() => Rig.Links == 2, "the next link");
        SpillRig.Send(sender, 11, 20);
        Rig.GoOn();
        Rig.ExpectAll(1, 20);
    }

    [Test]
    public async Task Marks_that_were_saved_drop_what_the_old_main_node_had_handled()
    {
        Rig.Arrive();
        await using SpillingSender sender = Rig.Open(o => o.Link.MaxQueuedBytes = 8 << 20);
        Rig.SendFirst(sender);
        SpillRig.Send(sender, 2, 100);
        Rig.ExpectAll(1, 100);
        await Rig.LeaveAsync();   // the last Acks may be lost with it
        IReadOnlyList<SpillMark> marks = Rig.Receiver.Marks();
        Rig.Receiver = new SpillReceiver(marks);
        Rig.Router = Rig.Receiver.AddTo(new PacketRouter().On(NumberPacket.Type, Rig.Handle));
        SpillRig.Send(sender, 101, 200);
        Rig.Arrive();
        Rig.ExpectAll(1, 200);
        SpillRig.Until(() => Rig.Receiver.Handled >= 100, "the last one's handler has returned");
        Assert.That(Rig.Receiver.Handled, Is.EqualTo(100));
    }

    /// <summary>A loop that has a packet is not done with it: until then no link's Ack counts it, and what comes again waits.</summary>
    [Test]
    public async Task A_loop_gets_each_packet_once_though_links_break_while_it_is_at_one()
    {
        const int Last = 300;
        using var end = new CancellationTokenSource();
        var router = new PacketRouter();
        IAsyncEnumerable<(NumberPacket Packet, PacketContext Context)> packets =
            router.ReadAllWithContextAsync(NumberPacket.Type, capacity: 4, end.Token);
        Rig.Router = Rig.Receiver.AddTo(router);
        Rig.Arrive(o => o.CloseTimeout = TimeSpan.FromMilliseconds(100));
        await using SpillingSender sender = Rig.Open();
        SpillRig.Send(sender, 1, Last);
        int seed = TestContext.CurrentContext.Random.Next(), links = 0;
        var random = new Random(seed);
        try
        {
            await foreach ((NumberPacket packet, _) in packets)
            {
                Assert.That(sender.Status.IsDelivered, Is.False, "the last is not read");
                if (packet.Number == Last - 2)
                {
                    // The others stand in the loop, and would come again as doubles.
                    Link cut = Cut(sender);
                    SpillRig.Until(() => sender.Link is { } next && next != cut, "the next link");
                    Assert.That(SpinWait.SpinUntil(() => sender.Status.IsDelivered, TimeSpan.FromMilliseconds(300)), Is.False);
                }
                else if (random.Next(40) == 0)
                {
                    Link cut = Cut(sender);
                    if (random.Next(2) == 0)
                    {
                        SpillRig.Until(() => sender.Link is { } next && next != cut, "the next link");   // it brings this packet again
                    }
                }

                Rig.Handle(packet);
                if (packet.Number == Last)
                {
                    links = Rig.Links;
                    _ = Task.Run(() =>
                    {
                        SpillRig.Until(() => sender.Status.IsDelivered, "all are acknowledged");
                        end.Cancel();
                    });
                }
            }
        }
        catch (OperationCanceledException) when (end.IsCancellationRequested)
        {
        }

        Rig.ExpectAll(1, Last);
        Assert.That(sender.Status.IsDelivered, Is.True);
        TestContext.Out.WriteLine($"seed {seed}: {links} links, {Rig.Receiver.Duplicates} came again");
    }

    [Test]
    public async Task What_a_loop_was_not_done_with_comes_again([Values] bool throws, [Values] bool endsOnFailure)
    {
        using var end = new CancellationTokenSource();
        var router = new PacketRouter();
        IAsyncEnumerable<(NumberPacket Packet, PacketContext Context)> packets =
            router.ReadAllWithContextAsync(NumberPacket.Type, capacity: 4, end.Token);
        Rig.Router = Rig.Receiver.AddTo(router);
        Rig.Arrive(o => o.EndOnHandlerFailure = endsOnFailure);
        await using SpillingSender sender = Rig.Open();
        SpillRig.Send(sender, 1, 100);
        try
        {
            await foreach ((NumberPacket packet, _) in packets)
            {
                if (packet.Number == 11 && throws)
                {
                    throw new FormatException("not this one");
                }

                Rig.Handle(packet);
                if (packet.Number == 10 && !throws)
                {
                    end.Cancel();
                }
            }
        }
        catch (Exception left) when (left is OperationCanceledException or FormatException)
        {
        }

        SpillRig.Until(() => Rig.Links > 1, "a link that brings what the loop has left");
        await Rig.LeaveAsync();
        Rig.Receiver = new SpillReceiver(Rig.Receiver.Marks());
        Rig.Router = Rig.Receiver.AddTo(new PacketRouter().On(NumberPacket.Type, Rig.Handle));
        Rig.Arrive();
        Rig.ExpectAll(1, 100);
    }

    [Test]
    public async Task What_nobody_handles_goes_to_the_handler_of_unknown_packets()
    {
        var unknown = new List<(int Type, Lane Lane, byte Body)>();
        Rig.Router = Rig.Receiver.AddTo(new PacketRouter().OnUnknown(p => unknown.Add((p.Type, p.Lane, p.Body[0]))));
        Rig.Arrive();
        await using SpillingSender sender = Rig.Open();
        _ = sender.TrySendRaw(2000, [7]);
        SpillRig.Until(() => sender.Status.IsDelivered, "it is handled");
        Assert.That(unknown, Is.EqualTo(new[] { (2000, Lane.Normal, (byte)7) }));
    }

    [Test]
    public async Task Of_too_many_journals_the_quietest_is_forgotten()
    {
        var receiver = new SpillReceiver([Mark(1), Mark(2)], mostJournals: 2);
        Rig.Receiver = receiver;
        Rig.Router = receiver.AddTo(new PacketRouter().On(NumberPacket.Type, Rig.Handle));
        Rig.Arrive();
        await using SpillingSender sender = Rig.Open();
        SpillRig.Send(sender, 1, 10);
        Rig.ExpectAll(1, 10);
        Assert.That(receiver.Marks().Select(m => m.Journal), Is.EquivalentTo(new[] { Mark(2).Journal, sender.Journals[0].Id }));
        Assert.Throws<ArgumentOutOfRangeException>(() => _ = new SpillReceiver(mostJournals: 0));

        static SpillMark Mark(byte number) => new(new Guid(number, 0, 0, new byte[8]), 5, 0, 0);
    }

    /// <summary>Cuts the link that the sender has, or gets next. The main node may know a link before the sender does.</summary>
    private static Link Cut(SpillingSender sender)
    {
        Link? link = null;
        SpillRig.Until(() => (link = sender.Link) is not null, "a link to cut");
        link!.Abort("cut by the test");
        return link;
    }
}
