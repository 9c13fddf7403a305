using System;
using System.Collections.Generic;
using System.Diagnostics;
using System.Linq;
using System.Threading.Tasks;
using NUnit.Framework;
using Transport.Journal.Tests.Disk;
using Transport.Testing;

namespace Transport.Journal.Tests.Recovery;

/// <summary>The disk fails in a named way: a named fault, nothing acknowledged that is not there, also after opening it again.</summary>
internal sealed class FaultTests
{
    private SimulatedDisk _disk = null!;

    [SetUp]
    public void MakeDisk() => _disk = new SimulatedDisk(3);

    [Test]
    public void Interrupted_and_short_calls_are_gone_on_with()
    {
        int call = 0;
        _disk.ShortWrites = 100;
        _disk.Inject = (name, _) => name is "write" or "sync" && ++call % 3 == 0 ? StoreError.Interrupted : StoreError.None;
        using (PacketJournal journal = Open())
        {
            for (int i = 1; i <= 200; i++)
            {
                Assert.That(journal.Append(i, 700), Is.EqualTo(i));
            }
        }

        AssertNumbers(Enumerable.Range(1, 200).Select(i => (long)i));
        Assert.That(JournalVerifier.Verify(_disk.Store()).IsValid, Is.True);
    }

    [Test]
    public void A_full_disk_refuses_and_takes_again()
    {
        _disk.Capacity = 3 * (64 << 10);
        var kept = new List<long>();
        using (PacketJournal journal = Open())
        {
            JournalException? refused = null;
            long number = 1;
            while (refused is null && number < 1000)
            {
                try
                {
                    journal.Append(number, 1000);
                    kept.Add(number++);
                }
                catch (JournalException e)
                {
                    refused = e;
                }
            }

            Assert.That(refused?.Fault, Is.EqualTo(JournalFault.DiskFull));
            Assert.That(Assert.Throws<JournalException>(() => journal.Append(-1, 1000))!.Fault, Is.EqualTo(JournalFault.DiskFull),
                "as long as it is full");
            Assert.That(journal.Failure, Is.Null);
            _disk.Capacity = long.MaxValue;
            journal.Append(number, 1000);
            kept.Add(number);
        }

        AssertNumbers(kept);
        Assert.That(JournalVerifier.Verify(_disk.Store()).IsValid, Is.True);
    }

    [Test]
    public async Task What_was_queued_before_a_full_disk_is_written_after_it()
    {
        _disk.Capacity = 2 * (64 << 10);
        PacketJournal journal = Open();
        long last = 0, number = 0;
        while (journal.TryAppend(Numbered.Node, 1024, Numbered.Body(number + 1, 1000), out long position) == SendResult.Queued)
        {
            (last, number) = (position, number + 1);
        }

        JournalException full = (await Assert.ThrowsAsync<JournalException>(async () => await journal.CommitAsync(last)))!;
        Assert.That(full.Fault, Is.EqualTo(JournalFault.DiskFull));
        Assert.That(journal.Committed, Is.LessThan(last));
        _disk.Capacity = long.MaxValue;
        journal.Commit(last);
        await journal.CloseAsync();
        AssertNumbers(Enumerable.Range(1, (int)number).Select(i => (long)i));
    }

    [Test]
    public void A_full_journal_refuses_until_it_is_compacted()
    {
        var kept = new List<long>();
        JournalOptions options = Options();
        options.MaxBytes = 3 * options.SegmentBytes;
        using (PacketJournal journal = PacketJournal.Open("simulated", options))
        {
            JournalException? refused = null;
            for (long number = 1; refused is null && number < 1000; number++)
            {
                try
                {
                    journal.Append(number, 1000);
                    kept.Add(number);
                }
                catch (JournalException e)
                {
                    refused = e;
                }
            }

            Assert.That(refused?.Fault, Is.EqualTo(JournalFault.JournalFull));
            JournalCompaction done = journal.Compact(new JournalRetention { Watermark = kept[kept.Count / 2] });
            Assert.That(done.DroppedSegments, Is.AtLeast(1));
            journal.Append(1000, 1000);
            kept.Add(1000);
            kept.RemoveAll(n => n < done.OldestPosition);
        }

        AssertNumbers(kept);
    }

    /// <summary>Each compaction once set back the clock of the next try.</summary>
    [Test]
    public void A_full_journal_that_is_compacted_all_the_time_takes_packets_again([Values] JournalSync sync)
    {
        JournalOptions options = Options();
        (options.Sync, options.MaxBytes) = (sync, 3 * options.SegmentBytes);
        using PacketJournal journal = PacketJournal.Open("simulated", options);
        long number = 0;
        while (journal.TryAppend(Numbered.Node, 1, Numbered.Body(++number, 1000), out _) == SendResult.Queued)
        {
            Assert.That(number, Is.LessThan(100_000));
        }

        var clock = Stopwatch.StartNew();
        SendResult result;
        do
        {
            journal.Compact(new JournalRetention { Watermark = journal.Committed });
            result = journal.TryAppend(Numbered.Node, 1, Numbered.Body(++number, 1000), out _);
        }
        while (result == SendResult.Full && clock.Elapsed < TimeSpan.FromSeconds(20));
        Assert.That(result, Is.EqualTo(SendResult.Queued));
    }

    /// <summary>An appender that commits on its own thread learns itself that there is no capacity: once it did not, and took what had been
    /// refused for acknowledged.</summary>
    [Promise("Journal", "A full disk refuses new packets and loses none that was acknowledged.")]
    [Test]
    public async Task A_refused_append_is_never_acknowledged(
        [Values] JournalSync sync, [Values("one", "several", "async", "several async")] string how)
    {
        const int Tries = 300;
        var kept = new List<long>();
        JournalOptions options = Options();
        (options.Sync, options.MaxBytes) = (sync, 2 * options.SegmentBytes);
        int refused = 0;
        using (PacketJournal journal = PacketJournal.Open("simulated", options))
        {
            for (int i = 1; i <= Tries; i++)
            {
                byte[] body = Numbered.Body(i, 1000);
                JournalPacket[] packets = [new JournalPacket(Numbered.Node, 1, body)];
                try
                {
                    _ = how switch
                    {
                        "one" => journal.Append(Numbered.Node, 1, body),
                        "several" => journal.Append(packets),
                        "async" => await journal.AppendAsync(Numbered.Node, 1, body),
                        _ => await journal.AppendAsync(packets),
                    };
                    kept.Add(i);
                }
                catch (JournalException e) when (e.Fault == JournalFault.JournalFull)
                {
                    refused++;
                }
            }

            Assert.That(journal.Failure, Is.Null);
            Assert.That(journal.Status.QueuedBytes, Is.Zero, "what was refused is not kept");
        }

        Assert.That(refused, Is.EqualTo(Tries - kept.Count).And.Positive);
        AssertNumbers(kept);
    }

    [Test]
    public void The_oldest_is_dropped_where_that_is_chosen()
    {
        JournalOptions options = Options();
        options.MaxBytes = 3 * options.SegmentBytes;
        options.DropOldestWhenFull = true;
        using (PacketJournal journal = PacketJournal.Open("simulated", options))
        {
            for (int i = 1; i <= 1000; i++)
            {
                journal.Append(i, 1000);
                Assert.That(journal.Status.Bytes, Is.AtMost(options.MaxBytes));
            }

            Assert.That(journal.Status.RecycledSegments, Is.AtLeast(5));
        }

        JournalReport report = JournalVerifier.Verify(_disk.Store());
        Assert.That(report.IsValid, Is.True, string.Join("; ", report.Findings));
        Assert.That(report.LastPosition, Is.EqualTo(1000));
        Assert.That(report.FirstPosition, Is.GreaterThan(800));
    }

    /// <summary>Once everything but the last segment was dropped for it, and then it was refused.</summary>
    [Test]
    public void Nothing_is_dropped_for_a_packet_that_can_never_fit()
    {
        JournalOptions options = Options();
        options.MaxBytes = 4 * options.SegmentBytes;
        options.DropOldestWhenFull = true;
        long oldest;
        using (PacketJournal journal = PacketJournal.Open("simulated", options))
        {
            for (int i = 1; i <= 150; i++)
            {
                journal.Append(i, 1000);
            }

            oldest = Numbers()[0];
            Assert.That(Assert.Throws<JournalException>(() => journal.Append(151, 1 << 20))!.Fault, Is.EqualTo(JournalFault.PacketTooLarge));
            journal.Append(152, 1000);
        }

        AssertNumbers([.. Enumerable.Range((int)oldest, 151 - (int)oldest).Select(i => (long)i), 152]);
    }

    [Test]
    public void A_failed_sync_is_final()
    {
        long acknowledged = 0;
        PacketJournal journal = Open();
        for (int i = 1; i <= 20; i++)
        {
            acknowledged = journal.Append(i, 100);
        }

        _disk.Inject = (call, file) => call == "sync" && !file.EndsWith(".failed", StringComparison.Ordinal) ? StoreError.Broken
            : StoreError.None;
        Assert.That(Assert.Throws<JournalException>(() => journal.Append(21, 100))!.Fault, Is.EqualTo(JournalFault.SyncFailed));
        Assert.That(Assert.Throws<JournalException>(() => journal.Append(22, 100))!.Fault, Is.EqualTo(JournalFault.SyncFailed));
        Assert.That(journal.Failure!.Fault, Is.EqualTo(JournalFault.SyncFailed));
        _disk.Inject = null;
        byte[] before = _disk.Names["0000000001.segment"].Snapshot();
        journal.Dispose();
        Assert.That(_disk.Names["0000000001.segment"].Snapshot(), Is.EqualTo(before), "a segment whose sync failed is never written again");

        using (PacketJournal again = Open())
        {
            Assert.That(again.Append(30), Is.GreaterThan(acknowledged + 1));
            Assert.That(_disk.Names["0000000001.segment"].Snapshot(), Is.EqualTo(before));
            Assert.That(_disk.Names.Keys, Does.Contain("0000000002.segment").And.Not.Contain("0000000001.failed"));
        }

        SimulatedDisk after = _disk.Restart(1);
        using var reader = JournalReader.Open(after.Store(), null, null);
        List<long> numbers = [.. reader.ReadAll().Select(r => r.Number)];
        Assert.That(numbers.Where(n => n <= 20), Is.EqualTo(Enumerable.Range(1, 20)));
        Assert.That(numbers[numbers.Count - 1], Is.EqualTo(30));
        Assert.That(JournalVerifier.Verify(after.Store()).IsValid, Is.True);
    }

    [Test]
    public void A_failed_sync_of_the_copy_is_reported_and_tried_again()
    {
        PacketJournal journal = Open();
        journal.Append(1, 100);
        _disk.Inject = (call, file) => call == "sync" && !file.EndsWith(".failed", StringComparison.Ordinal) ? StoreError.Broken
            : StoreError.None;
        Assert.Throws<JournalException>(() => journal.Append(2, 100));
        journal.Dispose();
        _disk.Inject = (call, file) => call == "sync" && file.StartsWith("spare", StringComparison.Ordinal) ? StoreError.Broken
            : StoreError.None;
        Assert.That(Assert.Throws<JournalException>(() => Open())!.Fault,
            Is.EqualTo(JournalFault.WriteFailed).Or.EqualTo(JournalFault.SyncFailed));
        _disk.Inject = null;
        using (PacketJournal again = Open())
        {
            again.Append(3);
        }

        Assert.That(Numbers().First(), Is.EqualTo(1));
        Assert.That(Numbers().Last(), Is.EqualTo(3));
    }

    [TestCase(StoreError.Broken, JournalFault.WriteFailed)]
    [TestCase(StoreError.Full, JournalFault.DiskFull)]
    [TestCase(StoreError.Denied, JournalFault.NoAccess)]
    public async Task A_failed_write_is_reported_and_nothing_is_acknowledged(StoreError error, JournalFault fault)
    {
        PacketJournal journal = Open();
        journal.Append(1, 100);
        _disk.Inject = (call, _) => call == "write" ? error : StoreError.None;
        Assert.That(Assert.Throws<JournalException>(() => journal.Append(2, 100))!.Fault, Is.EqualTo(fault));
        Assert.That(journal.Committed, Is.EqualTo(1));
        await Assert.ThrowsAsync<JournalException>(async () => await journal.AppendAsync(Numbered.Node, 1, [1]));
        Assert.That(journal.TryAppend(Numbered.Node, 1, [1], out _), Is.EqualTo(SendResult.Closed));
        _disk.Inject = null;
        journal.Dispose();
        using (PacketJournal again = Open())
        {
            again.Append(3);
        }

        AssertNumbers([1, 3]);
    }

    [Test]
    public void The_second_writer_is_refused()
    {
        using PacketJournal journal = Open();
        Assert.That(Assert.Throws<JournalException>(() => Open())!.Fault, Is.EqualTo(JournalFault.InUse));
        Assert.That(Assert.Throws<JournalException>(() => JournalCompactor.Compact(_disk.Store(), new JournalRetention { MaxBytes = 0 },
            TimeProvider.System))!.Fault, Is.EqualTo(JournalFault.InUse));
        Assert.That(journal.Append(1), Is.EqualTo(1));
    }

    /// <summary>A reader that follows asks for the writer by taking the lock for an instant; to compact found the journal in use
    /// then.</summary>
    [Test]
    public async Task Who_compacts_or_opens_waits_for_a_reader_that_only_asks([Values] bool opens)
    {
        Open().Dispose();
        _disk.IsLocked = true;
        int before = _disk.RefusedLocks;
        Task work = Task.Run(() =>
        {
            if (opens)
            {
                Open().Dispose();
            }
            else
            {
                JournalCompactor.Compact(_disk.Store(), new JournalRetention { MaxBytes = 0 }, TimeProvider.System);
            }
        });
        Assert.That(() => _disk.RefusedLocks, Is.GreaterThan(before).After(90_000).MilliSeconds.PollEvery(1).MilliSeconds);
        _disk.IsLocked = false;
        await work;
    }

    private PacketJournal Open() => PacketJournal.Open("simulated", Options());

    private JournalOptions Options() => new()
    {
        Store = _disk.Store(), SegmentBytes = 64 << 10, MaxQueuedBytes = 256 << 10, BatchBytes = 16 << 10, IdleMarkMilliseconds = 0,
    };

    private List<long> Numbers()
    {
        using var reader = JournalReader.Open(_disk.Store(), null, null);
        return [.. reader.ReadAll().Select(r => r.Number)];
    }

    private void AssertNumbers(IEnumerable<long> expected) => Assert.That(Numbers(), Is.EqualTo(expected));
}
