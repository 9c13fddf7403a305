using System;
using System.Collections.Generic;
using System.Linq;
using System.Threading;
using System.Threading.Tasks;
using NUnit.Framework;
using Transport.Journal.Tests.Disk;
using Transport.Testing;
using Transport.Testing.Wires;

namespace Transport.Journal.Tests.Recovery;

/// <summary>The promise of EverySecond, with a shorter second.</summary>
internal sealed class EverySecondTests
{
    private static readonly TimeSpan Bound = WithinExtensions.Bound;

    private SimulatedDisk _disk = null!;

    [SetUp]
    public void MakeDisk() => _disk = new SimulatedDisk(11);

    [Test]
    public void A_killed_process_loses_nothing()
    {
        PacketJournal killed = Open(second: 60_000);
        for (int i = 1; i <= 100; i++)
        {
            killed.Append(i);
        }

        Assert.That(killed.Synced, Is.Zero);
        _disk.IsLocked = false;
        using (PacketJournal again = Open(second: 60_000))
        {
            Assert.That(again.Recovery.LastPosition, Is.EqualTo(100));
            Assert.That(again.Synced, Is.EqualTo(again.Appended), "what was recovered is synced first");
        }

        Assert.That(Numbers(_disk), Is.EqualTo(Enumerable.Range(1, 100)));
    }

    [Test]
    public void What_the_sync_thread_has_synced_outlives_a_cut()
    {
        PacketJournal journal = Open(second: 20);
        for (int i = 1; i <= 100; i++)
        {
            journal.Append(i);
        }

        Assert.That(SpinWait.SpinUntil(() => journal.Synced == 100, Bound), Is.True);
        lock (_disk.Lock)
        {
            _disk.CutAt = _disk.Calls + 1;
        }

        Assert.Throws<JournalException>(() => journal.Append(101));
        journal.Dispose();
        SimulatedDisk after = _disk.Restart(2);
        _disk = after;
        Open(second: 60_000).Dispose();
        Assert.That(Numbers(after).Take(100), Is.EqualTo(Enumerable.Range(1, 100)));
    }

    [Test]
    public async Task While_a_sync_is_late_nothing_is_written()
    {
        using var may = new ManualResetEventSlim();
        using var syncs = new ManualResetEventSlim();
        using PacketJournal journal = Open(second: 50);
        _disk.Inject = (call, _) =>
        {
            if (call == "sync" && !may.IsSet)
            {
                syncs.Set();
                Monitor.Exit(_disk.Lock);
                may.Wait(Bound);
                Monitor.Enter(_disk.Lock);
            }

            return StoreError.None;
        };
        journal.Append(1);
        Assert.That(syncs.Wait(Bound), Is.True);
        Assert.That(SpinWait.SpinUntil(() => journal.TryAppend(Numbered.Node, 1, [1], out _) == SendResult.Full, Bound), Is.True);
        long appended = journal.Appended;
        Task<long> waits = Task.Run(() => journal.Append(2));
        Assert.That(SpinWait.SpinUntil(() => journal.Appended > appended, Bound), Is.True);
        Assert.That(waits.IsCompleted, Is.False);
        long committed = journal.Committed;
        may.Set();
        Assert.That(await waits, Is.GreaterThan(committed));
        Assert.That(journal.Status.LongestSync, Is.GreaterThan(TimeSpan.FromMilliseconds(50)));
    }

    [Test]
    public void A_failed_sync_of_the_thread_ends_the_journal()
    {
        using PacketJournal journal = Open(second: 10);
        journal.Append(1);
        _disk.Inject = (call, file) => call == "sync" && !file.EndsWith(".failed", StringComparison.Ordinal) ? StoreError.Broken
            : StoreError.None;
        try
        {
            journal.Append(2);
        }
        catch (JournalException)
        {
            // The thread synced the first one, and failed, before the second was there.
        }

        Assert.That(SpinWait.SpinUntil(() => journal.Failure is not null, Bound), Is.True);
        Assert.That(journal.Failure!.Fault, Is.EqualTo(JournalFault.SyncFailed));
        Assert.That(Assert.Throws<JournalException>(() => journal.Append(3))!.Fault, Is.EqualTo(JournalFault.SyncFailed));
    }

    private static List<long> Numbers(SimulatedDisk disk)
    {
        using var reader = JournalReader.Open(disk.Store(), null, null);
        return [.. reader.ReadAll().Select(r => r.Number)];
    }

    private PacketJournal Open(int second) =>
        PacketJournal.Open("simulated", new JournalOptions
        {
            Store = _disk.Store(),
            Sync = JournalSync.EverySecond,
            SegmentBytes = 64 << 10,
            SyncMilliseconds = second,
            IdleMarkMilliseconds = 0,
        });
}
