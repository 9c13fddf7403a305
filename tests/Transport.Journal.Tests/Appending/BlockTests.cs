using System;
using System.Collections.Generic;
using System.Linq;
using System.Threading;
using System.Threading.Tasks;
using NUnit.Framework;
using Transport.Journal.Tests.Disk;
using Transport.Testing;
using Transport.Testing.Wires;

namespace Transport.Journal.Tests.Appending;

/// <summary>Commits that overlap: they end in any order and are acknowledged in theirs.</summary>
internal sealed class BlockTests
{
    private SimulatedDisk _disk = null!;
    private SimulatedBlocks _blocks = null!;

    [SetUp]
    public void MakeDisk() => _disk = new SimulatedDisk(31);

    /// <summary>Completion of n implies completion of all before n, whatever the device does.</summary>
    [Test]
    public async Task None_is_acknowledged_before_those_before_it(
        [Values(JournalSync.Always, JournalSync.GroupCommit)] JournalSync sync, [Values(2, 4, 16)] int inFlight)
    {
        const int Count = 600;
        PacketJournal journal = Open(sync, inFlight, segment: 1 << 20);
        _blocks.IsLazy = sync == JournalSync.Always;   // however seldom this thread runs beside the one that commits
        var tasks = new Task<long>[Count + 1];
        tasks[0] = Task.FromResult(0L);
        long completed = 0;
        for (int i = 1; i <= Count; i++)
        {
            int own = i;
            tasks[i] = journal.AppendAsync(Numbered.Node, 1024, Numbered.Body(i, 100)).AsTask().ContinueWith(
                done =>
                {
                    // Marked complete before it in the order of positions: a thread that sees this one sees them.
                    Assert.That(journal.Committed, Is.AtLeast(own));
                    Interlocked.Increment(ref completed);
                    return done.GetAwaiter().GetResult();
                },
                TaskScheduler.Default);
        }

        long[] positions = await Task.WhenAll(tasks);
        Assert.That(positions, Is.EqualTo(Enumerable.Range(0, Count + 1)));
        Assert.That(completed, Is.EqualTo(Count));
        if (sync == JournalSync.Always)
        {
            Assert.That(_blocks.Most, Is.EqualTo(inFlight), "as many as there may be were under way at once");
        }

        await journal.CloseAsync();
        Assert.That(_blocks.IsDisposed, Is.True);
        AssertValid(Count);
    }

    /// <summary>Threads that wait, each for its own: the device ends nothing before a commit of each is under way, so they have to
    /// overlap.</summary>
    [Test]
    public void Waiting_threads_overlap()
    {
        const int Threads = 4, Each = 50;
        int early = 0;
        using (PacketJournal journal = Open(JournalSync.Always, Threads, segment: 4 << 20))   // at the end of a segment fewer are under way
        {
            _blocks.IsLazy = true;
            Thread[] threads = [.. Enumerable.Range(0, Threads).Select(_ => new Thread(() =>
            {
                for (int i = 0; i < Each; i++)
                {
                    long position = journal.Append(1);
                    Interlocked.Add(ref early, journal.Committed < position ? 1 : 0);
                }
            }))];
            Array.ForEach(threads, t => t.Start());
            Assert.That(threads.All(t => t.Join(WithinExtensions.Bound)), Is.True);
            Assert.That(early, Is.Zero, "returned before it was acknowledged");
            Assert.That(_blocks.Most, Is.EqualTo(Threads));
        }

        using var reader = JournalReader.Open(_disk.Store(), null, null);
        Assert.That(reader.ReadAll(), Has.Count.EqualTo(Threads * Each));
    }

    [Test]
    public void What_is_only_queued_is_committed_soon()
    {
        using PacketJournal journal = Open(JournalSync.GroupCommit, 4);
        for (int i = 1; i <= 3; i++)
        {
            Assert.That(
                journal.TryAppend(Numbered.Node, 1024, Numbered.Body(i), out long position), Is.EqualTo(SendResult.Queued));
            Assert.That(SpinWait.SpinUntil(() => journal.Committed == position, WithinExtensions.Bound), Is.True,
                "nobody waits for it, and nothing follows it");
        }
    }

    [Test]
    public async Task A_failed_block_is_final_and_nothing_behind_it_is_acknowledged()
    {
        PacketJournal journal = Open(JournalSync.Always, 4);
        for (int i = 1; i <= 10; i++)
        {
            journal.Append(i);
        }

        int calls = 0;
        _disk.Inject = (call, _) => call == "blocks" && ++calls == 3 ? StoreError.Broken : StoreError.None;
        Task<long>[] tasks = [.. Enumerable.Range(11, 20).Select(i => journal.AppendAsync(Numbered.Node, 1024, Numbered.Body(i)).AsTask())];
        await Task.WhenAll(tasks.Select(t => t.ContinueWith(static _ => { }, TaskScheduler.Default))).Within("each of them is reported");
        int reported = tasks.TakeWhile(t => t.Status == TaskStatus.RanToCompletion).Count();
        Assert.That(tasks.Skip(reported).All(t => t.IsFaulted), Is.True, "after the first that failed none is acknowledged");
        Assert.That(reported, Is.LessThan(6));
        Assert.That(journal.Failure!.Fault, Is.EqualTo(JournalFault.SyncFailed));
        Assert.That(journal.Committed, Is.EqualTo(10 + reported));
        Assert.That(journal.TryAppend(Numbered.Node, 1, [1], out _), Is.EqualTo(SendResult.Closed));
        journal.Dispose();
        _disk.Inject = null;
        SimulatedDisk after = _disk.Restart(5);
        var options = new JournalOptions { Store = after.Store(), SegmentBytes = 64 << 10, IdleMarkMilliseconds = 0 };
        using (PacketJournal again = PacketJournal.Open("simulated", options))
        {
            Assert.That(again.Recovery.LastPosition, Is.AtLeast(10 + reported));
        }
    }

    /// <summary>Once its thread asked such a device forever, and closing waited for the thread.</summary>
    [Test]
    public async Task A_device_that_reports_nothing_more_ends_the_journal_and_its_close_returns()
    {
        PacketJournal journal = Open(JournalSync.Always, 4);
        journal.Append(1);
        _disk.Inject = (call, _) => call == "wait" ? StoreError.Broken : StoreError.None;
        Task<long>[] tasks = [.. Enumerable.Range(2, 20).Select(i => journal.AppendAsync(Numbered.Node, 1024, Numbered.Body(i)).AsTask())];
        await Task.WhenAll(tasks.Select(t => t.ContinueWith(static _ => { }, TaskScheduler.Default))).Within("each of them is reported");
        Assert.That(tasks, Has.All.Property(nameof(Task.IsFaulted)).True);
        Assert.That(journal.Failure!.Fault, Is.EqualTo(JournalFault.SyncFailed).Or.EqualTo(JournalFault.WriteFailed));
        await Task.Run(journal.Dispose).Within("the close");
    }

    [Test]
    public void A_full_journal_refuses_and_takes_again()
    {
        var kept = new List<long>();
        int refused = 0;
        using (PacketJournal journal = Open(JournalSync.GroupCommit, 4, segments: 2))
        {
            for (int i = 1; i <= 100; i++)
            {
                try
                {
                    journal.Append(i, 3000);
                    kept.Add(i);
                }
                catch (JournalException e) when (e.Fault == JournalFault.JournalFull)
                {
                    refused++;
                }
            }

            Assert.That(journal.Compact(new JournalRetention { MaxBytes = 0 }).DroppedSegments, Is.EqualTo(1));
            journal.Append(1000, 3000);
            kept.Add(1000);
        }

        Assert.That((refused, kept.Count), Is.EqualTo((101 - kept.Count, kept.Count)));
        Assert.That(refused, Is.Positive);
        using var reader = JournalReader.Open(_disk.Store(), null, null);
        long[] numbers = [.. reader.ReadAll().Select(r => r.Number)];
        Assert.That(numbers, Is.EqualTo(kept.Skip(kept.Count - numbers.Length)));
        Assert.That(numbers.Last(), Is.EqualTo(1000));
        Assert.That(JournalVerifier.Verify(_disk.Store()).IsValid, Is.True);
    }

    /// <summary>Openings of both back ends follow one another, and packets longer than a buffer go in several blocks.</summary>
    [Test]
    public void Both_back_ends_write_one_journal()
    {
        long next = 1;
        for (int opening = 0; opening < 6; opening++)
        {
            using PacketJournal journal = opening % 2 == 0 ? Open(JournalSync.GroupCommit, 3)
                : PacketJournal.Open("simulated", Options(JournalSync.GroupCommit));
            Assert.That(journal.BackEnd, Is.EqualTo(opening % 2 == 0 ? "uring" : "write"));
            for (int i = 0; i < 40; i++)
            {
                Assert.That(journal.Append(next, i % 10 == 9 ? 100_000 : 500 * i % 7000), Is.EqualTo(next));
                next++;
            }
        }

        AssertValid((int)next - 1);
    }

    private PacketJournal Open(JournalSync sync, int inFlight, int segments = 1000, int segment = 64 << 10)
    {
        JournalOptions options = Options(sync);
        options.SegmentBytes = segment;
        options.Blocks = _blocks = new SimulatedBlocks(_disk, inFlight);
        options.MaxBytes = segments * options.SegmentBytes;
        return PacketJournal.Open("simulated", options);
    }

    private JournalOptions Options(JournalSync sync) => new()
    {
        Store = _disk.Store(),
        Sync = sync,
        SegmentBytes = 64 << 10,
        BatchBytes = 16 << 10,
        MaxQueuedBytes = 256 << 10,
        IdleMarkMilliseconds = 0,
    };

    private void AssertValid(int count)
    {
        using var reader = JournalReader.Open(_disk.Store(), null, null);
        Assert.That(reader.ReadAll(), Is.EqualTo(Enumerable.Range(1, count).Select(i => ((long)i, (long)i))));
        JournalReport report = JournalVerifier.Verify(_disk.Store());
        Assert.That(report.IsValid, Is.True, string.Join("; ", report.Findings));
    }
}
