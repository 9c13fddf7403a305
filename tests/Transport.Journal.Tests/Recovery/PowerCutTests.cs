using System;
using System.Collections.Generic;
using System.Runtime.InteropServices;
using NUnit.Framework;
using Transport.Journal.Tests.Disk;
using Transport.Testing;

namespace Transport.Journal.Tests.Recovery;

/// <summary>The power is cut at any call, also while the last cut is being recovered from: what was acknowledged as synced is there,
/// nothing else is, and no position is given out twice.</summary>
[Parallelizable(ParallelScope.Children)]
internal sealed class PowerCutTests
{
    private const int Batches = 20;

    /// <summary>10,000 in all at night, and 1,000 by day; on Mono a tenth, for the time they take there.</summary>
    private static int CutsInBatch => Nightly.Rounds(nightly: 500, otherwise: 50) /
        (RuntimeInformation.FrameworkDescription.StartsWith("Mono", StringComparison.Ordinal) ? 10 : 1);

    [Promise("Journal", "Under `Always` and `GroupCommit` a power cut loses nothing that was acknowledged.")]
    [Test]
    public void Nothing_acknowledged_is_lost([Range(1, Batches)] int batch)
    {
        int cuts = 0;
        for (int seed = batch * 1_000_000; cuts < CutsInBatch; seed++)
        {
            try
            {
                cuts += new Life(seed).Live();
            }
            catch (Exception e) when (e is not AssertionException)
            {
                throw new InvalidOperationException($"seed {seed}: {e.Message}", e);
            }
        }

        Assert.That(cuts, Is.AtLeast(CutsInBatch));
    }

    /// <summary>One journal through several openings, most of which end with a cut.</summary>
    private sealed class Life(int seed)
    {
        private const int MostOpenings = 6;

        private readonly Random _random = new(seed);
        private readonly SortedDictionary<long, byte[]> _offered = [];
        private readonly JournalNode _node = new("n1");
        private readonly JournalSync _sync =
            (seed % 6) switch { 0 => JournalSync.Always, 1 => JournalSync.None, 2 => JournalSync.EverySecond, _ =>
                JournalSync.GroupCommit };
        private readonly int _inFlight = (seed % 6) is 0 or 3 && seed % 4 < 2 ? 1 + (seed % 5) : 0;
        private readonly HashSet<long> _safe = [];
        private readonly Queue<long> _unsynced = [];
        private int _cuts;

        public int Live()
        {
            var disk = new SimulatedDisk(seed);
            int openings = 1 + _random.Next(MostOpenings);
            for (int i = 0; i < openings; i++)
            {
                disk.CutAt = _random.Next(4) switch { 0 => disk.Calls + 1 + _random.Next(12), 1 => 0, _ => disk.Calls + 1
                    + _random.Next(150) };
                PacketJournal? journal = Work(disk);
                SimulatedDisk after = disk.Restart(_random.Next());
                journal?.Dispose();   // of a machine that is off; for its threads
                disk = after;
                _unsynced.Clear();   // what no sync had reached may be gone
            }

            using (PacketJournal last = PacketJournal.Open("simulated", Options(disk)))
            {
                Append(last);
            }

            Check(disk);
            return _cuts;
        }

        private JournalOptions Options(SimulatedDisk disk) => new()
        {
            Store = disk.Store(),
            Sync = _sync,
            Blocks = _inFlight > 0 ? new SimulatedBlocks(disk, _inFlight) : null,
            SegmentBytes = 64 << 10,
            MaxPacketBytes = 128 << 10,
            BatchBytes = 16 << 10,
            MaxQueuedBytes = 64 << 10,
            IdleMarkMilliseconds = 0,
            SyncMilliseconds = 3_600_000,   // EverySecond's own syncs have tests of their own; here a seed is to report all
        };

        private PacketJournal? Work(SimulatedDisk disk)
        {
            PacketJournal? journal = null;
            try
            {
                journal = PacketJournal.Open("simulated", Options(disk));
                int appends = _random.Next(200);
                for (int i = 0; i < appends; i++)
                {
                    Append(journal);
                }

                if (_random.Next(3) > 0)
                {
                    journal.Dispose();
                }
            }
            catch (JournalException) when (disk.IsCut)
            {
                // The call at which the power went, or one after it.
            }

            _cuts += disk.IsCut ? 1 : 0;
            return journal;
        }

        private void Append(PacketJournal journal)
        {
            if (_random.Next(8) == 0)
            {
                var packets = new JournalPacket[1 + _random.Next(20)];
                long first = journal.Appended + 1;
                for (int i = 0; i < packets.Length; i++)
                {
                    byte[] body = Body();
                    packets[i] = new JournalPacket(_node, 1024, body);
                    Offer(first + i, body);
                }

                long last = journal.Append(packets);
                Assert.That(last, Is.EqualTo(first + packets.Length - 1));
                Note(journal, first, last);
            }
            else
            {
                byte[] body = Body();
                long position = journal.Appended + 1;
                Offer(position, body);
                Assert.That(journal.Append(_node, 1024, body), Is.EqualTo(position));
                Note(journal, position, position);
            }
        }

        /// <summary>What must be there from now on: what the policy has acknowledged as synced, or what the journal says is.</summary>
        private void Note(PacketJournal journal, long first, long last)
        {
            for (long p = first; p <= last; p++)
            {
                _unsynced.Enqueue(p);
            }

            while (_unsynced.Count > 0 && (_sync is JournalSync.GroupCommit or JournalSync.Always || _unsynced.Peek() <= journal.Synced))
            {
                _safe.Add(_unsynced.Dequeue());
            }
        }

        private void Offer(long position, byte[] body)
        {
            Expect(!_offered.ContainsKey(position), position, "is given out twice");
            _offered.Add(position, body);
        }

        /// <summary>Said a hundred thousand times: the sentence is made only if it is needed.</summary>
        private void Expect(bool isRight, long position, string what)
        {
            if (!isRight)
            {
                Assert.Fail($"seed {seed}: position {position} {what}");
            }
        }

        private byte[] Body()
        {
            int kind = _random.Next(50);
            byte[] body = new byte[kind == 0 ? _random.Next(100_000) : kind < 5 ? _random.Next(6000) : _random.Next(300)];
            _random.NextBytes(body);
            return body;
        }

        private void Check(SimulatedDisk disk)
        {
            var found = new HashSet<long>();
            long before = 0;
            using var reader = JournalReader.Open(disk.Store(), null, null);
            while (reader.TryRead(out JournalRecord record))
            {
                Expect(record.Position > before, record.Position, $"comes after {before}");
                bool isOffered = _offered.TryGetValue(record.Position, out byte[]? body);
                Expect(isOffered, record.Position, "was never offered");
                Expect(record.Body.SequenceEqual(body), record.Position, "has another body");
                found.Add(before = record.Position);
            }

            Assert.That(reader.Condition, Is.EqualTo(JournalCondition.Closed), $"seed {seed}: {reader.Ending}");
            foreach (long position in _safe)
            {
                Expect(found.Contains(position), position, "was acknowledged and is lost");
            }

            Assert.That(JournalVerifier.Verify(disk.Store()).IsValid, Is.True, $"seed {seed}");
        }
    }
}
