using System;
using System.Collections.Generic;
using System.Linq;
using NUnit.Framework;
using Transport.Journal.Tests.Disk;
using Transport.Testing;

namespace Transport.Journal.Tests.Recovery;

/// <summary>A large journal's segments are looked at several at a time: what is found must be what one after another finds, whatever has
/// become of them.</summary>
[NonParallelizable] // it measures the memory of the process
internal sealed class LookAheadTests
{
    private const int Seed = 11_2026;

    private readonly List<KeyValuePair<string, byte[]>> _files = [];

    /// <summary>Seven segments of three openings, the last not closed.</summary>
    [OneTimeSetUp]
    public void MakeJournal()
    {
        var disk = new SimulatedDisk(1);
        long number = 0;
        for (int opening = 0; opening < 3; opening++)
        {
            using PacketJournal journal = PacketJournal.Open("simulated", new JournalOptions
            {
                Store = disk.Store(), SegmentBytes = 64 << 10, IdleMarkMilliseconds = 0,
            });
            for (int i = 0; i < 600; i++)
            {
                journal.Append(++number, 40 + (int)(number * 7 % 300));
            }

            _files.Clear();
            lock (disk.Lock)
            {
                // The next segment's file may just be made.
                _files.AddRange(disk.Names.Where(n => n.Key.EndsWith(".segment", StringComparison.Ordinal))
                    .Select(n => new KeyValuePair<string, byte[]>(n.Key, n.Value.Snapshot())));
            }
        }

        Assert.That(Segments(), Has.Length.InRange(5, 12));
        Assert.That(Run(_files, ahead: true), Does.Contain("NotClosed").And.Contains(" packets 1800 "));
    }

    [Test]
    public void What_is_found_is_the_same_in_whichever_order_it_is_looked_at()
    {
        TestContext.Out.WriteLine($"seed {Seed}");
        var random = new Random(Seed);
        var found = new HashSet<string>(StringComparer.Ordinal);
        for (int i = 0; i < 300; i++)
        {
            List<KeyValuePair<string, byte[]>> files = [.. _files];
            string how = $"{i}:";
            for (int faults = 1 + random.Next(3); faults > 0; faults--)
            {
                how += " " + Spoil(files, random);
            }

            string ahead = Run(files, ahead: true);
            Assert.That(ahead, Is.EqualTo(Run(files, ahead: false)), how);
            found.Add(ahead);
        }

        Assert.That(found, Has.Count.GreaterThan(100), "these journals differ");
    }

    [Test]
    public void What_was_looked_at_ahead_takes_no_memory_for_what_was_read()
    {
        // The last segment is looked at when all others were: it is opened for its header, and then for its records.
        const int Count = 120;
        SimulatedDisk disk = LongJournal(Count, out string last);
        long before = 0, ahead = 0;
        int opened = 0;
        disk.Opening = name =>
        {
            if (string.Equals(name, last, StringComparison.Ordinal))
            {
                _ = ++opened == 1 ? before = GC.GetTotalMemory(forceFullCollection: true)
                    : ahead = GC.GetTotalMemory(forceFullCollection: true);
            }
        };
        JournalState state = JournalScan.Run(disk.Store(), worthThreads: 0);
        Assert.That((state.Condition, opened), Is.EqualTo((JournalCondition.Closed, 2)));
        Assert.That(state.Segments, Has.Count.GreaterThanOrEqualTo(Count));
        Assert.That(ahead - before, Is.LessThan(Count * (64 << 10) / 4), "each had 64 KiB of its segment in memory");
    }

    [Test]
    public void A_file_much_longer_than_its_segment_is_one()
    {
        // Somebody made them longer, as far as a file system without space for it lets one: together they are longer than a number can say.
        SimulatedDisk disk = LongJournal(6, out _);
        disk.LengthOf = length => length == 64 << 10 ? long.MaxValue - 1 : length;
        JournalState state = JournalScan.Run(disk.Store(), worthThreads: 0);
        Assert.That((state.Condition, state.Segments[0].FileLength), Is.EqualTo((JournalCondition.Closed, long.MaxValue - 1)));
        Assert.That(state.Segments, Has.Count.GreaterThanOrEqualTo(6));
    }

    private static SimulatedDisk LongJournal(int segments, out string last)
    {
        var disk = new SimulatedDisk(1);
        using (PacketJournal journal = PacketJournal.Open("simulated", new JournalOptions
        {
            Store = disk.Store(), SegmentBytes = 64 << 10, IdleMarkMilliseconds = 0,
        }))
        {
            for (long number = 1; Names().Count() < segments; number++)
            {
                journal.Append(number, 30_000);
            }
        }

        last = Names().OrderBy(n => n, StringComparer.Ordinal).Last();
        return disk;

        IEnumerable<string> Names()
        {
            lock (disk.Lock)
            {
                return [.. disk.Names.Keys.Where(n => n.EndsWith(".segment", StringComparison.Ordinal))];
            }
        }
    }

    private string[] Segments() => [.. _files.Select(f => f.Key)];

    private string Spoil(List<KeyValuePair<string, byte[]>> files, Random random)
    {
        string name = Segments()[random.Next(Segments().Length)];
        int index = files.FindIndex(f => string.Equals(f.Key, name, StringComparison.Ordinal));
        if (index < 0)
        {
            return $"{name} is gone already";
        }

        byte[] bytes = (byte[])files[index].Value.Clone();
        int at = random.Next(3) == 0 ? random.Next(4096) : random.Next(bytes.Length);
        string what;
        switch (random.Next(5))
        {
            case 0:
                files.RemoveAt(index);
                return $"{name} removed";
            case 1:
                bytes = [.. bytes.Take(at)];
                what = $"cut at {at}";
                break;
            case 2:
                bytes.AsSpan(at, Math.Min(1000, bytes.Length - at)).Clear();
                what = $"zeros from {at}";
                break;
            default:
                if (bytes.Length > 0)
                {
                    bytes[Math.Min(at, bytes.Length - 1)] ^= (byte)(1 << random.Next(8));
                }

                what = $"bit flipped at {at}";
                break;
        }

        files[index] = new KeyValuePair<string, byte[]>(name, bytes);
        return $"{name} {what}";
    }

    private static string Run(List<KeyValuePair<string, byte[]>> files, bool ahead)
    {
        var disk = new SimulatedDisk(2);
        foreach (KeyValuePair<string, byte[]> file in files)
        {
            disk.Put(file.Key, file.Value);
        }

        try
        {
            return Show(JournalScan.Run(disk.Store(), ahead ? null : new Nothing(), worthThreads: 0));
        }
        catch (JournalException e)
        {
            return $"{e.Fault}: {e.Message}";
        }
    }

    private static string Show(JournalState s) =>
        $"{s.Condition} {s.Id} last {s.LastPosition} first {s.FirstPacket} to {s.LastPacket} packets {s.Packets} synced {s.Synced} "
            + $"highest {s.HighestPosition} epoch {s.HighestEpoch} reach {s.Reach} torn {s.TornEnd}\n"
        + string.Join("\n", s.Segments.Select(
            g => $"{g.ToPublic()} {g.HeaderState} scanned {g.IsScanned} chain {g.Chain} first {g.FirstPacket} time {g.LastTime}")) + "\n"
        + string.Join("\n", s.Findings);

    private sealed class Nothing : IRecordVisitor
    {
        public void Visit(RecordScanner at)
        {
        }
    }
}
