using System;
using System.Linq;
using System.Threading.Tasks;
using NUnit.Framework;
using Transport.Journal;
using Transport.Nats.Tests.Kit;
using Transport.Testing.Wires;

namespace Transport.Nats.Tests.Shipping;

/// <summary>A journal's way to another folder, over a server.</summary>
internal sealed class ShippingTests
{
    [Test]
    public async Task What_was_written_before_and_what_is_written_meanwhile_arrives_once_and_in_order([Values] bool compresses)
    {
        await using Fleet fleet = await Fleet.StartAsync();
        await Records.AppendAsync(fleet.Journal, 1, 5_000);
        await using JournalShipper shipper = fleet.Ship(options => options.Compresses = compresses);
        await using JournalReceiver receiver = fleet.Receive();
        await Records.AppendAsync(fleet.Journal, 5_001, 5_000);
        ReceivedJournal received = await Records.WaitAsync(receiver, fleet.Journal.Id, fleet.Journal.Appended);
        Assert.That(Records.Of(received.Directory), Is.EqualTo(Records.Of(fleet.SourcePath)));
        using (Assert.EnterMultipleScope())
        {
            Assert.That(received.Packets, Is.EqualTo(10_000));
            Assert.That(received.Gaps, Is.Empty);
            Assert.That(received.Machine, Is.EqualTo("m1"));
            Assert.That(receiver.Status.Quarantined, Is.Zero);
        }

        await Records.UntilAsync(() => shipper.Status.Received == fleet.Journal.Appended, () => $"{shipper.Status}");
        Assert.That(shipper.Status, Has.Property(nameof(ShipperStatus.WaitingBytes)).Zero
            .And.Property(nameof(ShipperStatus.Problem)).Null);
    }

    [Test]
    public async Task A_shipper_ends_once_the_journal_is_closed_and_the_receiver_has_all()
    {
        await using Fleet fleet = await Fleet.StartAsync();
        await using JournalShipper shipper = fleet.Ship();
        await Records.AppendAsync(fleet.Journal, 1, 100);
        await fleet.Journal.CloseAsync();
        await Records.UntilAsync(() => shipper.Status.Published == 100, () => $"{shipper.Status} {shipper.Completion.Exception}");
        Assert.That(shipper.Completion.IsCompleted, Is.False, "nobody has received it");
        await using JournalReceiver receiver = fleet.Receive();
        await shipper.Completion.Within("the end");
    }

    [Test]
    public async Task A_receiver_that_starts_again_goes_on_where_it_was()
    {
        await using Fleet fleet = await Fleet.StartAsync();
        await using JournalShipper shipper = fleet.Ship();
        for (int round = 0; round < 3; round++)
        {
            await using JournalReceiver receiver = fleet.Receive();
            await Records.AppendAsync(fleet.Journal, (round * 500) + 1, 500);
            ReceivedJournal received = await Records.WaitAsync(receiver, fleet.Journal.Id, fleet.Journal.Appended);
            Assert.That(received.Gaps, Is.Empty);
            Assert.That(Records.Of(received.Directory), Is.EqualTo(Records.Of(fleet.SourcePath)));
        }
    }

    [Test]
    public async Task A_journal_of_which_nothing_comes_is_closed_and_opened_again()
    {
        await using Fleet fleet = await Fleet.StartAsync();
        await using JournalShipper shipper = fleet.Ship();
        await using JournalReceiver receiver = fleet.Receive(options => options.CloseAfter = TimeSpan.FromMilliseconds(50));
        for (int round = 0; round < 3; round++)
        {
            await Records.AppendAsync(fleet.Journal, (round * 500) + 1, 500);
            ReceivedJournal received = await Records.WaitAsync(receiver, fleet.Journal.Id, fleet.Journal.Appended);
            await Records.UntilAsync(() => IsClosed(received.Directory), () => "its journal is still open");
            Assert.That(Records.Of(received.Directory), Is.EqualTo(Records.Of(fleet.SourcePath)));
        }

        static bool IsClosed(string directory)
        {
            try
            {
                PacketJournal.Compact(directory, new JournalRetention());
                return true;
            }
            catch (JournalException e) when (e.Fault == JournalFault.InUse)
            {
                return false;
            }
        }
    }

    [Test]
    public async Task A_server_that_is_killed_loses_and_doubles_nothing()
    {
        await using Fleet fleet = await Fleet.StartAsync();
        await using JournalShipper shipper = fleet.Ship();
        await using JournalReceiver receiver = fleet.Receive();
        int number = 1;
        for (int round = 0; round < 5; round++)
        {
            await Records.AppendAsync(fleet.Journal, number, 20_000);
            number += 20_000;
            await fleet.Server.KillAsync();
            await Records.AppendAsync(fleet.Journal, number, 1_000);
            number += 1_000;
            await fleet.Server.StartAgainAsync();
        }

        ReceivedJournal received = await Records.WaitAsync(receiver, fleet.Journal.Id, fleet.Journal.Appended);
        TestContext.Out.WriteLine(string.Join("\n", fleet.Lines));
        Assert.That(received.Gaps, Is.Empty);
        Assert.That(Records.Of(received.Directory), Is.EqualTo(Records.Of(fleet.SourcePath)));
    }

    [Test]
    public async Task Packets_above_max_payload_travel_in_parts()
    {
        await using Fleet fleet = await Fleet.StartAsync("max_payload: 1024");
        await using JournalShipper shipper = fleet.Ship();
        await using JournalReceiver receiver = fleet.Receive();
        await Records.AppendAsync(fleet.Journal, 1, 100, bytes: 20);
        await Records.AppendAsync(fleet.Journal, 101, 3, bytes: 100_000);
        await Records.AppendAsync(fleet.Journal, 104, 100, bytes: 700);
        ReceivedJournal received = await Records.WaitAsync(receiver, fleet.Journal.Id, fleet.Journal.Appended);
        Assert.That(Records.Of(received.Directory), Is.EqualTo(Records.Of(fleet.SourcePath)));
        Assert.That(received.Gaps, Is.Empty);
    }

    [Test]
    public async Task What_the_journal_has_dropped_is_a_gap_with_its_positions()
    {
        await using Fleet fleet = await Fleet.StartAsync(journal: new JournalOptions { SegmentBytes = 64 << 10 });
        await Records.AppendAsync(fleet.Journal, 1, 5_000);
        JournalCompaction dropped = fleet.Journal.Compact(new JournalRetention { Watermark = 2_500 });
        await using JournalShipper shipper = fleet.Ship();
        await using JournalReceiver receiver = fleet.Receive();
        ReceivedJournal received = await Records.WaitAsync(receiver, fleet.Journal.Id, fleet.Journal.Appended);
        Assert.That(dropped.OldestPosition, Is.GreaterThan(1));
        Assert.That(received.Gaps, Is.EqualTo(
            new[] { new JournalGap(1, dropped.OldestPosition - 1, "dropped from the journal before it was shipped") }));
        Assert.That(Records.Of(received.Directory), Is.EqualTo(Records.Of(fleet.SourcePath)));
        Assert.That(shipper.Status.Missed, Is.EqualTo(dropped.OldestPosition - 1));
        await fleet.Journal.CloseAsync();
        await Records.UntilAsync(() => shipper.Completion.IsCompleted, () => $"{shipper.Status}");
        Assert.That(shipper.Status.MissedByReceiver, Is.EqualTo(dropped.OldestPosition - 1));
    }
}
