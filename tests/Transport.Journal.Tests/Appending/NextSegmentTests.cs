using System;
using System.Linq;
using System.Threading;
using System.Threading.Tasks;
using NUnit.Framework;
using Transport.Journal.Tests.Disk;
using Transport.Testing;
using Transport.Testing.Wires;

namespace Transport.Journal.Tests.Appending;

/// <summary>Making the next segment: nobody who only reads waits for it, and what could not be made is not there.</summary>
internal sealed class NextSegmentTests
{
    private SimulatedDisk _disk = null!;

    [SetUp]
    public void MakeDisk() => _disk = new SimulatedDisk(19);

    /// <summary>Filling a segment with zeros and syncing it takes a disk up to seconds.</summary>
    [Test]
    public async Task Readers_go_on_while_a_segments_file_is_filled_and_synced([Values("prepared", "needed at once")] string when)
    {
        using var making = new ManualResetEventSlim();
        using var may = new ManualResetEventSlim();
        using PacketJournal journal = PacketJournal.Open("simulated", Options());
        Task<long>? appending = null;
        try
        {
            _disk.Inject = (call, file) =>
            {
                if (call == "sync" && file.StartsWith("spare", StringComparison.Ordinal) && !may.IsSet)
                {
                    making.Set();
                    Monitor.Exit(_disk.Lock);
                    may.Wait(WithinExtensions.Bound);
                    Monitor.Enter(_disk.Lock);
                }

                return StoreError.None;
            };
            journal.Append(1, when == "prepared" ? 40_000 : 10);
            appending = when == "prepared" ? null : Task.Run(() => journal.Append(2, 65_000));
            Assert.That(making.Wait(WithinExtensions.Bound), Is.True);
            Task<int> reading = Task.Run(() =>
            {
                using JournalReader reader = journal.OpenReader();
                Assert.That(journal.Status.Segments, Is.EqualTo(1));
                return reader.ReadAll().Count;
            });
            Assert.That(await reading.Within("a reader of the journal's own"), Is.EqualTo(1));
            Assert.That(may.IsSet, Is.False, "and nobody had made the segment by then");
        }
        finally
        {
            may.Set();
        }

        if (appending is not null)
        {
            Assert.That(await appending.Within("the append"), Is.EqualTo(2));
        }
    }

    [TestCase(StoreError.Full, JournalFault.DiskFull)]
    [TestCase(StoreError.Shortage, JournalFault.TooFewDescriptors)]
    [TestCase(StoreError.Broken, JournalFault.WriteFailed)]
    public void A_segment_that_the_back_end_cannot_use_is_not_there(StoreError error, JournalFault fault)
    {
        bool passes = error != StoreError.Broken;
        JournalOptions options = Options();
        options.Blocks = new SimulatedBlocks(_disk, 2);
        long last;
        using (PacketJournal journal = PacketJournal.Open("simulated", options))
        {
            journal.Append(1, 20_000);
            (int segments, long bytes) = (journal.Status.Segments, journal.Status.Bytes);
            _disk.Inject = (call, _) => call == "use" ? error : StoreError.None;
            Assert.That(Assert.Throws<JournalException>(() => journal.Append(2, 65_000))!.Fault, Is.EqualTo(fault));
            Assert.That((journal.Status.Segments, journal.Status.Bytes), Is.EqualTo((segments, bytes)));
            Assert.That(_disk.Names.Keys, Does.Not.Contain("0000000002.segment"));
            _disk.Inject = null;
            if (passes)
            {
                journal.Append(3, 1000);    // fits into the first one
                journal.Append(4, 65_000);
                Assert.That(journal.Status.Segments, Is.EqualTo(2));
            }

            last = passes ? 4 : 1;
            Assert.That(journal.Failure is null, Is.EqualTo(passes));
        }

        SimulatedDisk after = _disk.Restart(1);
        PacketJournal.Open("simulated", new JournalOptions { Store = after.Store(), SegmentBytes = 64 << 10 }).Dispose();
        using var reader = JournalReader.Open(after.Store(), null, null);
        Assert.That(reader.ReadAll().Select(r => r.Number), Is.EqualTo(last == 1 ? [1] : new long[] { 1, 3, 4 }));
        Assert.That(JournalVerifier.Verify(after.Store()).IsValid, Is.True);
    }

    /// <summary>
    /// The new name may be in the directory although syncing it failed, and what is then appended to the segment before it would not count.
    /// </summary>
    [Test]
    public void What_is_appended_after_a_name_could_not_be_synced_is_found_again([Values(1, 2, 3)] int failures, [Values] bool cut)
    {
        PacketJournal journal = PacketJournal.Open("simulated", Options());
        journal.Append(1, 20_000);
        int left = failures;
        _disk.Inject = (call, _) => call == "syncdir" && left-- > 0 ? StoreError.Full : StoreError.None;
        Assert.Throws<JournalException>(() => journal.Append(2, 65_000));
        bool appended = false;
        try
        {
            journal.Append(3, 1000);
            appended = true;
        }
        catch (JournalException)
        {
            // Allowed, as long as it says so.
        }

        journal.Dispose();
        _disk.Inject = null;
        SimulatedDisk after = cut ? _disk.Restart(1) : _disk;
        after.Kill();
        PacketJournal.Open("simulated", new JournalOptions { Store = after.Store(), SegmentBytes = 64 << 10 }).Dispose();
        using var reader = JournalReader.Open(after.Store(), null, null);
        Assert.That(reader.ReadAll().Select(r => r.Number), Is.EqualTo(appended ? [1, 3] : new long[] { 1 }));
    }

    /// <summary>Whether a name is durable is not known after that: a dropped file that is used again under its old name would be
    /// damage.</summary>
    [Test]
    public void A_dropped_file_whose_name_could_not_be_synced_is_not_used_again(
        [Values(StoreError.Broken, StoreError.Full)] StoreError error, [Values] bool dropsOldest)
    {
        JournalOptions options = Options();
        (options.MaxBytes, options.DropOldestWhenFull) = (4 * options.SegmentBytes, true);
        PacketJournal journal = PacketJournal.Open("simulated", options);
        long number = 0;
        while (journal.Status.Segments < 4)
        {
            journal.Append(++number, 20_000);
        }

        int left = 1;
        _disk.Inject = (call, _) => call == "syncdir" && left-- > 0 ? error : StoreError.None;
        if (!dropsOldest)
        {
            var keep = new JournalRetention { Watermark = number };
            Assert.That(Assert.Throws<JournalException>(() => journal.Compact(keep))!.Fault, Is.EqualTo(JournalFault.WriteFailed));
        }

        long sequence = journal.Status.MadeSegments + journal.Status.RecycledSegments;
        JournalException? failure = null;
        for (int i = 0; failure is null && i < 10; i++)
        {
            failure = Fault(() => journal.Append(++number, 20_000));
        }

        Assert.That((failure?.Fault, journal.Failure?.Fault), Is.EqualTo((JournalFault.WriteFailed, JournalFault.WriteFailed)));
        Assert.That(left, Is.LessThan(1));
        Assert.That(journal.Status.MadeSegments + journal.Status.RecycledSegments, Is.EqualTo(sequence));
        _disk.Inject = null;
        SimulatedDisk after = _disk.Restart(1);
        journal.Dispose();
        PacketJournal.Open("simulated", new JournalOptions { Store = after.Store(), SegmentBytes = 64 << 10 }).Dispose();
        Assert.That(JournalVerifier.Verify(after.Store()).IsValid, Is.True);
    }

    private static JournalException? Fault(Action append)
    {
        try
        {
            append();
            return null;
        }
        catch (JournalException e)
        {
            return e;
        }
    }

    private JournalOptions Options() => new()
    {
        Store = _disk.Store(),
        StoreForReaders = _disk.Store,
        SegmentBytes = 64 << 10,
        MaxPacketBytes = 64 << 10,
        BatchBytes = 16 << 10,
        MaxQueuedBytes = 256 << 10,
        IdleMarkMilliseconds = 0,
    };
}
