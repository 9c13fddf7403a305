using System;
using System.Threading;
using System.Threading.Tasks;
using NUnit.Framework;
using Transport.Journal.Tests.Disk;
using Transport.Testing;
using Transport.Testing.Wires;

namespace Transport.Journal.Tests.Appending;

/// <summary>Under <see cref="JournalSync.EverySecond"/> a sync that takes longer than a second holds appends up, and nothing
/// else.</summary>
internal sealed class LateSyncTests
{
    /// <summary>A record is written at once under the gate, where TryAppend waits too: it must not wait for a sync that became late just
    /// then.</summary>
    [Test]
    public async Task A_record_that_is_written_at_once_does_not_wait_for_a_late_sync()
    {
        var disk = new SimulatedDisk(41);
        var options = new JournalOptions
        {
            Store = disk.Store(), Sync = JournalSync.EverySecond, SyncMilliseconds = 1, SegmentBytes = 64 << 10,
        };
        OpenedJournal opened = Opening.Run(disk.Store(), options, "write");
        object gate = new();
        var queue = new CommitQueue(gate, options, opened.Writer, new CommitReporter(new AppendSourcePool(), "simulated"));
        using var held = new HeldCall(disk, "sync");
        var leader = new CommitLeader(gate, options, queue, opened.Writer, new CommitTimes());
        try
        {
            Assert.That(Write(gate, queue, leader), Is.Null);
            Assert.That(SpinWait.SpinUntil(() => leader.IsSyncLate, WithinExtensions.Bound), Is.True);
            Assert.That(await Task.Run(() => Write(gate, queue, leader)).Within("the write"), Is.Null);
        }
        finally
        {
            held.Release();
            leader.EndThreads();
            opened.Writer.Dispose();
            opened.Directory.Dispose();
        }
    }

    private static Exception? Write(object gate, CommitQueue queue, CommitLeader leader)
    {
        lock (gate)
        {
            queue.Put(Numbered.Node, 1024, Numbered.Body(1), 1, AppendNote.Last, out _);
            CommitLead lead = queue.TakeLead();
            queue.TakeWork();
            Exception? trouble = leader.Commit(atOnce: true);
            lead.End();
            queue.CommitWritten();
            return trouble;
        }
    }
}
