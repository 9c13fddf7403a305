using System;
using System.Collections.Generic;
using System.Linq;
using System.Threading;
using System.Threading.Tasks;
using NUnit.Framework;
using Transport.Journal.Tests.Disk;
using Transport.Testing;
using Transport.Testing.Wires;

namespace Transport.Journal.Tests.Faults;

/// <summary>What nobody expected (a mistake in the code, an interrupt, a failure between two steps) ends the journal by name: nobody waits
/// forever, and the process goes on.</summary>
internal sealed class UnexpectedFaultTests
{
    [TestCase(JournalSync.EverySecond, "sync", TestName = "An_unexpected_exception_of_the_sync_timer_ends_the_journal_and_not_the_process")]
    [TestCase(JournalSync.GroupCommit, "sync", TestName = "An_unexpected_exception_of_a_commit_ends_the_journal_and_not_the_process")]
    [TestCase(JournalSync.None, "write", TestName = "An_unexpected_exception_while_a_pause_is_marked_ends_the_journal_and_not_the_process")]
    public async Task An_unexpected_exception_ends_the_journal(JournalSync sync, string at)
    {
        var disk = new SimulatedDisk(7);
        PacketJournal journal = PacketJournal.Open("simulated", new JournalOptions
        {
            Store = disk.Store(), Sync = sync, SyncMilliseconds = 1, IdleMarkMilliseconds = at == "write" ? 1 : 0, SegmentBytes = 64 << 10,
        });
        int writes = 0;
        disk.Inject = (call, _) => call == at && (at != "write" || ++writes > 1)
            ? throw new InvalidOperationException("unexpected") : StoreError.None;
        Task<long> append = journal.AppendAsync(Numbered.Node, 1024, Numbered.Body(1)).AsTask();
        await ((Task)append.ContinueWith(static _ => { }, TaskScheduler.Default)).Within("the append");
        Assert.That(SpinWait.SpinUntil(() => journal.Failure is not null, WithinExtensions.Bound), Is.True);
        Assert.That(journal.Failure!.Message, Does.Contain("unexpected (InvalidOperationException)"));
        Assert.Throws<JournalException>(() => journal.Append(2));
        disk.Inject = null;
        await Task.Run(journal.Dispose).Within("the close");
    }

    [Test]
    public async Task An_unexpected_exception_while_the_next_file_is_made_ahead_is_tried_again_when_it_is_needed()
    {
        var disk = new SimulatedDisk(7);
        PacketJournal journal = PacketJournal.Open("simulated", new JournalOptions { Store = disk.Store(), SegmentBytes = 64 << 10 });
        using var thrown = new ManualResetEventSlim();
        disk.Inject = (call, _) =>
        {
            if (call == "create" && !thrown.IsSet)
            {
                thrown.Set();
                throw new InvalidOperationException("unexpected");
            }

            return StoreError.None;
        };
        for (int i = 1; i <= 40; i++)
        {
            journal.Append(i, 1000);   // half full: the next file is made on the pool
        }

        Assert.That(thrown.Wait(WithinExtensions.Bound), Is.True);
        for (int i = 41; i <= 100; i++)
        {
            journal.Append(i, 1000);
        }

        await journal.CloseAsync().AsTask().Within("the close");
        Assert.That(JournalVerifier.Verify(disk.Store()).IsValid, Is.True);
    }

    [Test]
    public async Task A_close_that_is_interrupted_closes_all_the_same()
    {
        var disk = new SimulatedDisk(7);
        PacketJournal journal = PacketJournal.Open("simulated", new JournalOptions
        {
            Store = disk.Store(), Sync = JournalSync.EverySecond, SyncMilliseconds = 1, SegmentBytes = 64 << 10,
        });
        using var held = new HeldCall(disk, "sync");
        journal.Append(1);
        Assert.That(held.WaitForOne(), Is.True);
        Exception? thrown = null;
        var closing = new Thread(() =>
        {
            try
            {
                journal.Dispose();
            }
            catch (ThreadInterruptedException e)
            {
                thrown = e;
            }
        }) { IsBackground = true };
        closing.Start();
        Assert.That(SpinWait.SpinUntil(() => closing.ThreadState.HasFlag(ThreadState.WaitSleepJoin), WithinExtensions.Bound), Is.True);
        closing.Interrupt();
        Assert.That(closing.Join(WithinExtensions.Bound), Is.True);
        Assert.That(thrown, Is.Not.Null, "it waited for the sync");
        held.Release();
        await Task.Run(journal.Dispose).Within("the second close");
        Assert.That(disk.IsLocked, Is.False);
        Assert.That(JournalVerifier.Verify(disk.Store()).IsValid, Is.True);
    }

    /// <summary>The failing sync leaves those who wait to the leader. A timer that led for the mark alone served nobody.</summary>
    [Test]
    public async Task Who_waits_while_a_pause_is_marked_hears_of_a_sync_that_fails_meanwhile()
    {
        var disk = new SimulatedDisk(41);
        var options = new JournalOptions
        {
            Store = disk.Store(), Sync = JournalSync.EverySecond, SyncMilliseconds = 1 << 30, IdleMarkMilliseconds = 1,
            SegmentBytes = 64 << 10,
        };
        OpenedJournal opened = Opening.Run(disk.Store(), options, "write");
        object gate = new();
        var queue = new CommitQueue(gate, options, opened.Writer, new CommitReporter(new AppendSourcePool(), "simulated"));
        var leader = new CommitLeader(gate, options, queue, opened.Writer, new CommitTimes());
        CommitLead lead;
        lock (gate)
        {
            queue.Put(Numbered.Node, 1024, Numbered.Body(1), 1, AppendNote.Last, out _);
            lead = queue.TakeLead();
            queue.TakeWork();
            Assert.That(leader.Commit(), Is.Null);
            opened.Writer.Sync();
        }

        using var held = new HeldCall(disk, "write");
        try
        {
            lock (gate)
            {
                lead.End();
                leader.Publish(null, 0, 0, out _);   // a pause may begin
            }

            Assert.That(held.WaitForOne(), Is.True);
            ThreadWaiter? waiter;
            lock (gate)
            {
                queue.Put(Numbered.Node, 1024, Numbered.Body(2), 1, AppendNote.Last, out _);
                waiter = leader.Join(2, 2, out lead);
            }

            Assert.That(waiter, Is.Not.Null, "the journal's thread leads");
            Task finish = Task.Run(() => leader.Finish(2, 2, waiter, lead));
            queue.Fail(new JournalException(JournalFault.SyncFailed, "the timer's sync failed"));
            held.Release();
            JournalException? fault = await Assert.ThrowsAsync<JournalException>(() => finish.Within("the one who waits"));
            Assert.That(fault!.Fault, Is.EqualTo(JournalFault.SyncFailed));
        }
        finally
        {
            held.Release();
            await Task.Run(leader.EndThreads).Within("the threads' end");
            opened.Writer.Dispose();
            opened.Directory.Dispose();
        }
    }

    /// <summary>The files of the first segments are spares then, whose new names and headers came before the directory was
    /// synced.</summary>
    [Test]
    public void A_delete_that_fails_leaves_no_segment_that_a_power_cut_brings_back([Range(1, 30)] int seed)
    {
        for (int cut = 1; cut <= 12; cut++)
        {
            var disk = new SimulatedDisk(seed);
            PacketJournal journal = Open(disk);
            for (int i = 1; i <= 60; i++)
            {
                journal.Append(i, 6000);
            }

            disk.Inject = static (call, _) => call == "delete" ? StoreError.Broken : StoreError.None;
            Assert.Throws<JournalException>(() => journal.Compact(new JournalRetention { Watermark = 50 }));
            disk.Inject = null;
            disk.CutAt = disk.Calls + cut;
            try
            {
                for (int i = 61; i <= 75; i++)
                {
                    journal.Append(i, 6000);
                }
            }
            catch (JournalException) when (disk.IsCut)
            {
                // The power is gone.
            }

            SimulatedDisk after = disk.Restart(seed);
            Assert.DoesNotThrow(() => Open(after).Dispose(), $"cut {cut}");
        }
    }

    /// <summary>Of two commits the younger fails first: the older one's buffer is still read by the device.</summary>
    [Test]
    public void No_buffer_is_filled_while_the_device_reads_it()
    {
        var device = new TwoBuffers();
        using var flight = new Flight(device);
        byte[] block = new byte[Block.Bytes];
        flight.Send(block, default, 0, 1);
        flight.Send(block, default, Block.Bytes, 2);
        flight.Send(block, default, 2 * Block.Bytes, 3);

        Assert.That(flight.Error, Is.EqualTo(StoreError.Broken));
        Assert.That(device.Begun, Is.EqualTo(new[] { 0, 1 }));
        Assert.That(device.Touched, Is.Empty, "buffers that were filled while they were under way");
    }

    private static PacketJournal Open(SimulatedDisk disk) => PacketJournal.Open(
        "simulated", new JournalOptions { Store = disk.Store(), SegmentBytes = 64 << 10, IdleMarkMilliseconds = 0 });

    /// <summary>A device whose second commit fails at once, and whose first one ends with the device.</summary>
    private sealed class TwoBuffers : IBlockWriter
    {
        private readonly byte[][] _buffers = [new byte[Block.Bytes], new byte[Block.Bytes]];
        private readonly HashSet<int> _under = [];

        public List<int> Begun { get; } = [];

        public List<int> Touched { get; } = [];

        public int Count => 2;

        public int BufferBytes => Block.Bytes;

        public Span<byte> Buffer(int index)
        {
            if (_under.Contains(index))
            {
                Touched.Add(index);
            }

            return _buffers[index];
        }

        public void Use(string name)
        {
        }

        public StoreError Begin(int index, long offset, int count)
        {
            Begun.Add(index);
            _under.Add(index);
            return StoreError.None;
        }

        public bool Wait(out int index, out StoreError error)
        {
            index = _under.Max();
            error = index == 1 ? StoreError.Broken : StoreError.None;
            _under.Remove(index);
            return true;
        }

        public void Wake()
        {
        }

        public void Dispose()
        {
        }
    }
}
