using System;
using System.Collections.Concurrent;
using System.Collections.Generic;
using System.Diagnostics;
using System.Linq;
using System.Runtime.InteropServices;
using System.Threading;
using NUnit.Framework;
using Transport.Journal.Tests.Disk;
using Transport.Testing;
using Transport.Testing.Wires;

namespace Transport.Journal.Tests.Recovery;

/// <summary>
/// A flush fails under several producers, the ones after it return 0 although data are lost, and then the power is cut: what was
/// acknowledged as synced is there, and whatever is not is reported.
/// </summary>
internal sealed class FailingFlushTests
{
    private static int Lives => RuntimeInformation.FrameworkDescription.StartsWith("Mono", StringComparison.Ordinal) ? 10 : 40;

    [Promise("Journal", "A failed flush is final: later writes fail, and everything synced before it stays readable.")]
    [Test]
    public void What_was_acknowledged_as_synced_outlives_failing_flushes_and_a_power_cut([Values] JournalSync sync, [Values] bool blocks)
    {
        if (blocks && sync is JournalSync.EverySecond or JournalSync.None)
        {
            Assert.Pass("such a journal is written, not sent in blocks");
        }

        int seed = Environment.TickCount & 0xFFFFFF;
        TestContext.Out.WriteLine($"seed {seed}");
        int failures = 0;
        for (int i = 0; i < Lives; i++)
        {
            failures += new Life(seed + i, sync, blocks).Live() ? 1 : 0;
        }

        Assert.That(failures, Is.AtLeast(Lives / 4), $"seed {seed}: flushes failed");
    }

    /// <summary>
    /// The mark of a pause is a write of the journal's own. Once the right to commit was free before anybody knew that this write had
    /// failed, and what came then was acknowledged behind a record that is not there.
    /// </summary>
    [Test]
    public void Nothing_is_acknowledged_behind_a_mark_that_could_not_be_written()
    {
        int seed = Environment.TickCount & 0xFFFFFF;
        TestContext.Out.WriteLine($"seed {seed}");
        var random = new Random(seed);
        for (int i = 0; i < (Lives == 40 ? Nightly.Rounds(nightly: 400, otherwise: 150) : 60); i++)
        {
            MarkFails(seed + i, random);
        }
    }

    private static void MarkFails(int seed, Random random)
    {
        const int Producers = 2;
        var disk = new SimulatedDisk(seed);
        PacketJournal journal = PacketJournal.Open("simulated", Options(disk, JournalSync.GroupCommit, null, idle: 1));
        bool isFailing = false;
        var acknowledged = new ConcurrentQueue<long>();
        int[] pauses = [.. Enumerable.Range(0, Producers).Select(_ => random.Next(60))];
        int writes = 0;
        disk.Inject = (call, _) =>
        {
            if (call != "write" || ++writes != 2)
            {
                return StoreError.None;
            }

            Volatile.Write(ref isFailing, true);
            return StoreError.Broken;
        };
        Thread[] producers = [.. pauses.Select((pause, n) => new Thread(() =>
        {
            var clock = Stopwatch.StartNew();
            while (!Volatile.Read(ref isFailing) && clock.Elapsed < WithinExtensions.Bound)
            {
                Thread.SpinWait(10);
            }

            Thread.SpinWait(pause * 20);
            try
            {
                journal.Append(n + 2);
                acknowledged.Enqueue(n + 2);
            }
            catch (JournalException)
            {
                // The journal has failed.
            }
        }))];
        Array.ForEach(producers, p => p.Start());
        journal.Append(1);   // the pause after it is marked
        Assert.That(producers.All(p => p.Join(WithinExtensions.Bound)), Is.True, $"seed {seed}: appends end");
        Assert.That(SpinWait.SpinUntil(() => journal.Failure is not null, WithinExtensions.Bound), Is.True, $"seed {seed}");
        journal.Dispose();
        disk.Inject = null;
        PacketJournal.Open("simulated", Options(disk, JournalSync.GroupCommit, null)).Dispose();
        using var reader = JournalReader.Open(disk.Store(), null, null);
        Assert.That(reader.ReadAll().Select(r => r.Number), Is.SupersetOf(acknowledged.Append(1)), $"seed {seed}");
    }

    private static JournalOptions Options(SimulatedDisk disk, JournalSync sync, SimulatedBlocks? blocks, int idle = 0) => new()
    {
        Store = disk.Store(),
        Sync = sync,
        Blocks = blocks,
        SegmentBytes = 64 << 10,
        MaxPacketBytes = 64 << 10,
        BatchBytes = 16 << 10,
        MaxQueuedBytes = 64 << 10,
        IdleMarkMilliseconds = idle,
        SyncMilliseconds = 1,
    };

    private sealed class Life(int seed, JournalSync sync, bool blocks)
    {
        private const int Producers = 3;
        private const int Each = 150;

        private readonly Random _random = new(seed);
        private readonly ConcurrentDictionary<long, long> _acknowledged = new();   // position to number
        private SimulatedDisk _disk = new(seed);
        private int _flushes;
        private int _failures;

        public bool Live()
        {
            PacketJournal journal = Open(blocks);
            int failAt = 1 + _random.Next(40);
            bool noted = _random.Next(3) > 0;
            int pause = _random.Next(2000);
            string flush = blocks ? "blocks" : "sync";
            _disk.Inject = (call, file) =>
            {
                if (file.EndsWith(FileNames.FailedEnd, StringComparison.Ordinal))
                {
                    return noted ? StoreError.None : StoreError.Broken;
                }

                if (call != flush || !file.EndsWith(FileNames.SegmentEnd, StringComparison.Ordinal) || ++_flushes != failAt)
                {
                    return StoreError.None;
                }

                // While this one flush lasts, others fill the segment and want to flush it too.
                _failures++;
                Monitor.Exit(_disk.Lock);
                Thread.SpinWait(pause * 10);
                Monitor.Enter(_disk.Lock);
                return StoreError.Broken;
            };
            int[] seeds = [.. Enumerable.Range(0, Producers).Select(_ => _random.Next())];
            Thread[] producers = [.. seeds.Select((own, n) => new Thread(() => Produce(journal, n, new Random(own))))];
            Array.ForEach(producers, p => p.Start());
            Assert.That(producers.All(p => p.Join(WithinExtensions.Bound)), Is.True, $"seed {seed}: appends end");
            journal.Dispose();
            long synced = journal.Synced;
            bool failed = journal.Failure is not null;
            Expect(failed == _failures > 0, "a failed flush is the journal's failure");
            Recover(failed, synced);
            return failed;
        }

        private void Produce(PacketJournal journal, int producer, Random random)
        {
            try
            {
                for (int i = 0; i < Each; i++)
                {
                    long number = (producer * 1_000_000) + i;
                    _acknowledged[journal.Append(number, random.Next(8000))] = number;
                }
            }
            catch (JournalException)
            {
                // The journal has failed; nothing more is acknowledged.
            }
        }

        private void Recover(bool failed, long synced)
        {
            _disk.Inject = null;
            _disk.Kill();
            int how = _random.Next(3);
            if (how == 1)
            {
                // The process comes back before the power goes: what it finds, it makes durable.
                using PacketJournal again = Open(false);
                synced = Math.Max(synced, again.Recovery.LastPosition);
            }
            else if (how == 2)
            {
                _disk.CutAt = _disk.Calls + 1 + _random.Next(12);
                try
                {
                    Open(false).Dispose();
                }
                catch (JournalException) when (_disk.IsCut)
                {
                    // At this call, or one after it.
                }
            }

            _disk = _disk.Restart(_random.Next());
            JournalCondition found;
            try
            {
                using PacketJournal last = Open(false);
                found = last.Recovery.Found;
            }
            catch (JournalException e)
            {
                throw new AssertionException($"seed {seed}: {e.Message}", e);
            }

            var read = new Dictionary<long, long>();
            using var reader = JournalReader.Open(_disk.Store(), null, null);
            while (reader.TryRead(out JournalRecord record))
            {
                read.Add(record.Position, Numbered.NumberOf(record));
            }

            foreach (KeyValuePair<long, long> one in _acknowledged)
            {
                bool isThere = read.TryGetValue(one.Key, out long number);
                Expect(!isThere || number == one.Value, $"position {one.Key} has the body of {number}");
                Expect(isThere || one.Key > synced, $"position {one.Key} was acknowledged as synced and is lost; synced up to {synced}");
                Expect(isThere || (failed && found != JournalCondition.Closed), $"position {one.Key} is lost without a word");
            }

            Expect(JournalVerifier.Verify(_disk.Store()).IsValid, "it is valid again");
        }

        private PacketJournal Open(bool inBlocks)
        {
            SimulatedBlocks? device = inBlocks ? new SimulatedBlocks(_disk, 1 + _random.Next(4)) : null;
            return PacketJournal.Open("simulated", Options(_disk, sync, device));
        }

        private void Expect(bool isRight, string what)
        {
            if (!isRight)
            {
                Assert.Fail($"seed {seed}: {what}");
            }
        }
    }
}
