using System;
using System.Threading;
using System.Threading.Tasks;
using NUnit.Framework;
using Transport.Journal.Tests.Disk;
using Transport.Testing;
using Transport.Testing.Wires;

namespace Transport.Journal.Tests.Appending;

/// <summary>A token ends a wait, never what is waited for.</summary>
internal sealed class CancellationTests
{
    [Test]
    public async Task A_wait_that_is_cancelled_ends_and_what_was_appended_stays()
    {
        var disk = new SimulatedDisk(45);
        PacketJournal journal = PacketJournal.Open("simulated", new JournalOptions { Store = disk.Store(), SegmentBytes = 64 << 10 });
        using var cancel = new CancellationTokenSource();
        using (var held = new HeldCall(disk, "sync"))
        {
            Task[] waits =
            [
                journal.AppendAsync(Numbered.Node, 1024, Numbered.Body(1), default, cancel.Token).AsTask(),
                journal.AppendAsync([new JournalPacket(Numbered.Node, 1024, Numbered.Body(2))], cancel.Token).AsTask(),
                journal.CommitAsync(2, cancel.Token).AsTask(),
                journal.CloseAsync(cancel.Token).AsTask(),
            ];
            Assert.That(held.WaitForOne(), Is.True);
            cancel.Cancel();
            foreach (Task wait in waits)
            {
                Assert.That(await Assert.ThrowsAsync<OperationCanceledException>(() => wait.Within("the wait")), Is.Not.Null);
            }

            held.Release();
        }

        await Task.Run(journal.Dispose).Within("the close");
        JournalReport report = JournalVerifier.Verify(disk.Store());
        Assert.That((report.IsValid, report.Packets), Is.EqualTo((true, 2L)));
    }

    [Test]
    public async Task What_is_cancelled_before_it_begins_appends_nothing()
    {
        var disk = new SimulatedDisk(46);
        using PacketJournal journal = PacketJournal.Open("simulated", new JournalOptions { Store = disk.Store(), SegmentBytes = 64 << 10 });
        var cancelled = new CancellationToken(canceled: true);
        await Assert.ThrowsAsync<TaskCanceledException>(
            () => journal.AppendAsync(Numbered.Node, 1024, Numbered.Body(1), default, cancelled).AsTask());
        await Assert.ThrowsAsync<TaskCanceledException>(
            () => journal.AppendAsync([new JournalPacket(Numbered.Node, 1024, Numbered.Body(2))], cancelled).AsTask());
        Assert.That(journal.Appended, Is.Zero);
    }
}
