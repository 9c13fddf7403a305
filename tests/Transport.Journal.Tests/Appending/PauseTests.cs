using System.Threading;
using NUnit.Framework;
using Transport.Journal.Tests.Disk;
using Transport.Testing;
using Transport.Testing.Wires;

namespace Transport.Journal.Tests.Appending;

/// <summary>Once appending pauses, a Mark says what is synced, whichever thread has committed: a reader of another process relies on
/// it.</summary>
internal sealed class PauseTests
{
    [Test]
    public void A_pause_is_marked_once(
        [Values(JournalSync.GroupCommit, JournalSync.Always, JournalSync.EverySecond, JournalSync.None)] JournalSync sync,
        [Values] bool isQueued)
    {
        var disk = new SimulatedDisk(44);
        using PacketJournal journal = PacketJournal.Open("simulated", new JournalOptions
        {
            Store = disk.Store(), Sync = sync, SyncMilliseconds = 1, IdleMarkMilliseconds = 1, SegmentBytes = 64 << 10,
        });
        long mark = RecordHeader.WholeSize(0, CommitNotes.Size);
        for (int i = 1; i <= 3; i++)
        {
            long packet = RecordHeader.WholeSize(Numbered.Node.Name.Length, Numbered.Body(i).Length);
            long expected = journal.Status.WrittenBytes + packet + mark;
            if (isQueued)
            {
                Assert.That(journal.TryAppend(Numbered.Node, 1024, Numbered.Body(i), out _), Is.EqualTo(SendResult.Queued));
            }
            else
            {
                journal.Append(i);
            }

            Assert.That(
                SpinWait.SpinUntil(() => journal.Status.WrittenBytes >= expected, WithinExtensions.Bound),
                Is.True,
                () => $"{journal.Status.WrittenBytes} bytes, and {expected} with the mark");
            Assert.That(journal.Status.WrittenBytes, Is.EqualTo(expected));
        }
    }
}
