using System;
using System.Threading;
using System.Threading.Tasks;
using NUnit.Framework;

namespace Transport.Journal.Tests.Spill;

/// <summary>A journal that is full to the last byte, in which everything is acknowledged, is emptied without anybody's help.</summary>
internal sealed class FullJournalTests : SpillFixture
{
    private const int Padding = 20_000;

    [Test]
    public async Task Once_everything_is_acknowledged_the_next_link_brings_capacity()
    {
        long fit = await CountThatFitAsync();
        await using SpillingSender sender = Rig.Open(Small);
        FillAndDeliver(sender, fit);
        await Rig.LeaveAsync();
        SpillRig.Send(sender, fit + 1, fit + 1, Padding);   // it goes to the journal, which has no capacity for it
        Rig.Arrive();
        Rig.ExpectAll(1, fit + 1);
        SpillRig.Send(sender, fit + 2, fit + 20, Padding);
        Rig.ExpectAll(1, fit + 20);
    }

    /// <summary>A clean close once dropped the packets of the last link, and then called the journal damaged.</summary>
    [Test]
    public async Task Closing_puts_the_packets_of_the_last_link_into_the_capacity_that_it_frees()
    {
        long fit = await CountThatFitAsync();
        int failed = 0;
        Rig.Handling = number =>
        {
            if (number > fit && Interlocked.Exchange(ref failed, 1) == 0)
            {
                throw new InvalidOperationException("The main node fails with the first direct packet.");
            }
        };
        SpillingSender sender = Rig.OpenUntil(() => Volatile.Read(ref failed) == 1, Small);
        FillAndDeliver(sender, fit);
        SpillRig.Send(sender, fit + 1, fit + 1, Padding);
        SpillRig.Until(() => Rig.Reported(SpillEvent.Away), "the link has ended");
        await sender.CloseAsync();
        await using SpillingSender again = Rig.Open(Small);
        Rig.ExpectAll(1, fit + 1);
    }

    private static void Small(SpillOptions options) =>
        options.Journal = new JournalOptions { SegmentBytes = 64 << 10, MaxBytes = 128 << 10 };

    /// <summary>Counts the packets that a journal of this size has capacity for.</summary>
    private async Task<long> CountThatFitAsync()
    {
        using var folder = new Transport.Journal.Tests.TestFolder();
        await using SpillingSender alone = SpillingSender.Open(
            System.IO.Path.Combine(folder.Root, "alone"), (_, _) => Task.FromResult<SpillTarget?>(null), Rig.Options(Small));
        PacketJournal journal = alone.Journals[0];
        try
        {
            while (true)
            {
                SpillRig.Send(alone, journal.Appended + 1, journal.Appended + 1, Padding);
                journal.Commit(journal.Appended);
            }
        }
        catch (JournalException e) when (e.Fault == JournalFault.JournalFull)
        {
            return journal.Committed;
        }
    }

    private void FillAndDeliver(SpillingSender sender, long fit)
    {
        SpillRig.Send(sender, 1, fit, Padding);
        SpillRig.Until(() => sender.Journals[0].Committed == fit, "all is in the journal");
        Rig.Arrive();
        Rig.ExpectAll(1, fit);
        SpillRig.Until(() => sender.Status.IsDelivered && sender.IsDirect, "the lane is open");
    }
}
