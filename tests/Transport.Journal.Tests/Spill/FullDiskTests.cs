using System;
using System.IO;
using System.Linq;
using System.Threading.Tasks;
using NUnit.Framework;

namespace Transport.Journal.Tests.Spill;

/// <summary>A disk without space for what is spilled: what is in memory is sent, and nothing waits for space that it does not need.</summary>
[Platform("Linux")]
internal sealed class FullDiskTests : SpillFixture
{
    private const int Padding = 2000;

    private TestDisk _disk = null!;

    private string Directory => Path.Combine(_disk.Root, "spill");

    [SetUp]
    public void MakeDisk() => _disk = new TestDisk();

    [TearDown]
    public void Unmount() => _disk.Dispose();

    /// <summary>Once the one segment of the disk was sent, nothing more went out: what was in memory waited for a second one, and closing
    /// lost it.</summary>
    [Test]
    public async Task What_a_full_disk_holds_up_in_memory_is_sent_once_the_main_node_is_back()
    {
        await _disk.MountAsync("size=700k");
        await using SpillingSender sender = Open(journal => journal.SegmentBytes = 512 << 10);
        long taken = SendUntilFull(sender, 1);
        Rig.Arrive();
        Rig.ExpectAll(1, taken);
        SpillRig.Send(sender, taken + 1, taken + 500, Padding);
        Rig.ExpectAll(1, taken + 500);
        SpillStatus end = await sender.CloseAsync(SpillRig.Patience);
        Assert.That(end.IsDelivered, Is.True, end.ToString());
        Assert.That(Rig.Reported(SpillEvent.JournalFailed), Is.False);
    }

    [Test]
    public async Task What_was_sent_before_the_disk_took_it_is_not_sent_again_once_it_does()
    {
        await _disk.MountAsync("size=400k");
        await using SpillingSender sender = Open(journal => journal.SegmentBytes = 128 << 10);
        long taken = SendUntilFull(sender, 1);
        Rig.Hold();
        Rig.Arrive();
        SpillRig.Until(() => sender.Status.Waiting == 0, "everything is given to the link, also what the disk has not taken");
        Rig.GoOn();
        Rig.ExpectAll(1, taken);
        SpillRig.Send(sender, taken + 1, taken + 300, Padding);
        Rig.ExpectAll(1, taken + 300);
        Assert.That(Rig.Receiver.Duplicates, Is.Zero);
    }

    [Test]
    public async Task A_sender_is_opened_on_a_full_disk_and_sends()
    {
        await _disk.MountAsync("size=300k");
        _disk.FillUp();
        await using SpillingSender sender = Open(_ => { });
        Rig.Arrive();
        SpillRig.Send(sender, 1, 500, Padding);
        Rig.ExpectAll(1, 500);
        File.Delete(_disk.Filler);
        await Rig.LeaveAsync();
        long last = 501;
        SpillRig.Send(sender, last, last + 49, Padding);
        SpillRig.Until(() => sender.Journals[0].Committed == sender.Journals[0].Appended, "the disk has space, so it takes them");
        Rig.Arrive();
        Rig.ExpectAll(1, last + 49);
    }

    /// <summary>A close that began a segment wrote no Gap in it: the next sender gave out the same positions, and what it sent was dropped as
    /// handled before.</summary>
    [Test]
    public async Task Positions_that_were_sent_and_never_written_are_not_given_out_again()
    {
        static void Large(JournalOptions journal) => (journal.MaxPacketBytes, journal.MaxQueuedBytes) = (500 << 10, 1 << 20);
        await _disk.MountAsync("size=700k");
        _disk.FillUp();
        SpillingSender sender = Open(Large, 400 << 10);
        SpillRig.Send(sender, 1, 1, 300_000);   // spilled: there is no link
        SpillRig.Until(() => sender.Journals[0].Obstacle is not null, "the disk is full");
        Rig.Arrive();
        Rig.ExpectAll(1, 1);
        SpillRig.Until(() => sender.Status.IsDelivered, "it is acknowledged");
        Shorten(140 << 10);   // space for a close record, not for the first packet

        await sender.CloseAsync();
        await Rig.LeaveAsync();
        File.Delete(_disk.Filler);
        await using SpillingSender again = Open(Large, 400 << 10);
        SpillRig.Send(again, 2, 4, 20);
        Rig.Arrive();
        Rig.ExpectAll(1, 4);
    }

    /// <summary>The disk is full of what the sender itself has spilled: the next one has no space even for the record of its opening.</summary>
    /// <param name="size">In KiB: for four segments, and for one.</param>
    [TestCase(300)]
    [TestCase(120)]
    public async Task A_sender_whose_own_packets_fill_the_disk_is_opened_again_and_sends_them(int size)
    {
        await _disk.MountAsync($"size={size}k");
        long taken;
        await using (SpillingSender first = Open(_ => { }))
        {
            taken = SendUntilFull(first, 1);
            await first.CloseAsync();
        }

        long lost = Rig.Reports.Where(report => report.Event == SpillEvent.JournalFailed).Sum(report => report.Packets);
        Assert.That(lost, Is.Positive, "what the disk did not take is lost with the sender, and said to be");
        await using SpillingSender again = Open(_ => { });
        Rig.Arrive();
        SpillRig.Until(() => Rig.Numbers.Length >= taken - lost && again.IsDirect, "the rest comes");
        Assert.That(Rig.Numbers, Is.EqualTo(Enumerable.Range(1, Rig.Numbers.Length).Select(n => (long)n)), "in order");
        SpillRig.Send(again, taken + 1, taken + 100, Padding);
        SpillRig.Until(() => Rig.Numbers.LastOrDefault() == taken + 100, "what is sent then, too");
    }

    /// <summary>What the new sender spills waits for space that only the drop of the old one's packets gives, and the pump that had sent
    /// them kept their file open while it waited.</summary>
    /// <param name="padding">Of the packets that fill it: small ones leave no space in their file for the record of an opening.</param>
    [Test]
    public async Task What_is_spilled_on_a_disk_full_of_an_earlier_senders_packets_is_sent_behind_them([Values(10, 100)] int padding)
    {
        static void Larger(JournalOptions journal) =>
            (journal.SegmentBytes, journal.BatchBytes) = (256 << 10, 16 << 10);   // larger than what the disk has space for
        await _disk.MountAsync("size=300k");
        _disk.FillUp();
        Shorten(80 << 10);
        long taken;
        await using (SpillingSender first = Open(Larger))
        {
            taken = SendUntilFull(first, 1, padding);
            _disk.FillUp("more");
            await first.CloseAsync();
        }

        long lost = Rig.Reports.Where(report => report.Event == SpillEvent.JournalFailed).Sum(report => report.Packets);
        await using SpillingSender again = Open(Larger);
        SpillRig.Send(again, taken + 1, taken + 10, padding);   // in memory: there is no space
        Rig.Arrive();
        SpillRig.Until(() => Rig.Numbers.LastOrDefault() == taken + 10, "what was spilled comes too");
        Assert.That(Rig.Numbers, Has.Length.EqualTo(taken - lost + 10));
    }

    /// <summary>A lane whose packets go to the link at once reads nothing, and kept the file that it had read open: on a full disk the
    /// journal then never got the space of the file that it had dropped.</summary>
    [Test]
    public async Task A_lane_that_has_caught_up_keeps_no_file_that_is_dropped()
    {
        await _disk.MountAsync("size=120k");
        await using SpillingSender sender = Open(_ => { });
        long taken = SendUntilFull(sender, 1);
        Rig.Arrive();
        Rig.ExpectAll(1, taken);
        SpillRig.Until(() => sender.Journals[0].Committed == sender.Journals[0].Appended, "the disk has the space of what was dropped");
    }

    private void Shorten(int bytes)
    {
        using var filler = new FileStream(_disk.Filler, FileMode.Open);
        filler.SetLength(filler.Length - bytes);
    }

    private SpillingSender Open(Action<JournalOptions> change, int mostBytes = 32 << 10) => SpillingSender.Open(
        Directory, Rig.Connect, Rig.Options(options =>
    {
        options.Journal = new JournalOptions { SegmentBytes = 64 << 10, MaxQueuedBytes = 64 << 10, MaxPacketBytes = 64 << 10 };
        options.MaxPacketBytes = mostBytes;
        change(options.Journal);
    }));

    /// <summary>Sends numbers until the journal refuses them for lack of space.</summary>
    /// <returns>The last one that was taken.</returns>
    private long SendUntilFull(SpillingSender sender, long from, int padding = Padding)
    {
        long number = from;
        SpillRig.Until(
            () =>
            {
                while (sender.TrySend(NumberPacket.Type, new NumberPacket(number, new byte[padding])) == SendResult.Queued)
                {
                    number++;
                }

                return sender.Journals[0].Obstacle?.Fault == JournalFault.DiskFull;
            },
            "the disk is full");
        return number - 1;
    }
}
