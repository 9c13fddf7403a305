using System;
using System.Collections.Generic;
using System.Linq;
using System.Runtime.InteropServices;
using NUnit.Framework;
using Transport.Journal.Tests.Disk;

namespace Transport.Journal.Tests.Recovery;

/// <summary>Journals that were cut, changed and mixed up: never a crash, never a wrong record, verify tells, the sound part is readable.</summary>
internal sealed class MutilationTests
{
    private const int Count = 60;
    private const int Seed = 7_2026;
    private const string Name = "0000000001.segment";

    private byte[] _bytes = [];
    private int _end;

    /// <summary>Each place, but on Mono each eighth, for the time they take there.</summary>
    private static int Step => RuntimeInformation.FrameworkDescription.StartsWith("Mono", StringComparison.Ordinal) ? 8 : 1;

    [OneTimeSetUp]
    public void MakeJournal()
    {
        var disk = new SimulatedDisk(1);
        using (Journal journal = Journal.Open("simulated", Options(disk)))
        {
            for (int i = 1; i <= Count; i++)
            {
                journal.Append(i, 40 + (i * 7 % 300));
            }
        }

        _bytes = disk.Names[Name].Snapshot();
        _end = (int)JournalVerifier.Verify(disk.Store()).Segments[0].UsedBytes;
    }

    [Test]
    public void CutAtEveryByteOfItsEnd()
    {
        for (int length = _end - 4096; length <= _end; length += Step)
        {
            Judge([.. _bytes.Take(length)], $"cut at {length} of {_end}");
        }
    }

    [Test]
    public void CutAtRandomPlaces()
    {
        TestContext.Out.WriteLine($"seed {Seed}");
        var random = new Random(Seed);
        for (int i = 0; i < 200; i += Step)
        {
            int length = random.Next(_bytes.Length);
            Judge([.. _bytes.Take(length)], $"cut at {length}");
        }
    }

    [Test]
    public void ZeroTails()
    {
        var random = new Random(Seed + 1);
        for (int i = 0; i < 200; i += Step)
        {
            byte[] zeroed = (byte[])_bytes.Clone();
            int from = 4096 + random.Next(_end - 4096);
            zeroed.AsSpan(from).Clear();
            Judge(zeroed, $"zeros from {from}");
        }
    }

    [Test]
    public void FlippedBits()
    {
        TestContext.Out.WriteLine($"seed {Seed + 2}");
        var random = new Random(Seed + 2);
        for (int i = 0; i < 200; i += Step)
        {
            byte[] flipped = (byte[])_bytes.Clone();
            int at = i % 20 == 0 ? random.Next(128) : 4096 + random.Next(_end - 4096);
            flipped[at] ^= (byte)(1 << random.Next(8));
            JournalReport report = Judge(flipped, $"bit flipped at {at}");
            Assert.That(report.IsSound, Is.False, $"bit flipped at {at} of {_end}");
        }
    }

    [Test]
    public void SwappedRecords()
    {
        List<(int At, int Size)> records = Records();
        for (int i = 1; i + 1 < records.Count; i++)
        {
            (int a, int sizeA) = records[i];
            (int b, int sizeB) = records[i + 1];
            byte[] swapped = (byte[])_bytes.Clone();
            Array.Copy(_bytes, b, swapped, a, sizeB);
            Array.Copy(_bytes, a, swapped, a + sizeB, sizeA);
            Assert.That(Judge(swapped, $"records {i} and {i + 1} swapped").IsSound, Is.False);
        }
    }

    [Test]
    public void DoubledRecords()
    {
        List<(int At, int Size)> records = Records();
        for (int i = 1; i < records.Count; i++)
        {
            (int at, int size) = records[i];
            byte[] doubled = (byte[])_bytes.Clone();
            Array.Copy(_bytes, at, doubled, at + size, _bytes.Length - at - size);
            Assert.That(Judge(doubled, $"record {i} doubled").IsSound, Is.False);
        }
    }

    [Test]
    public void MovedRecords()
    {
        List<(int At, int Size)> records = Records();
        for (int i = 1; i < records.Count; i++)
        {
            byte[] removed = (byte[])_bytes.Clone();
            (int at, int size) = records[i];
            Array.Copy(_bytes, at + size, removed, at, _bytes.Length - at - size);
            JournalReport report = Judge(removed, $"record {i} taken out");
            Assert.That(report.IsSound, Is.False);
        }
    }

    [Test]
    public void ADamagedPlaceIsReadOver()
    {
        (int at, _) = Records()[10];
        byte[] flipped = (byte[])_bytes.Clone();
        flipped[at + 41] ^= 1;
        Assert.That(Shown(DiskWith(flipped), pastDamage: true), Is.EqualTo(Enumerable.Range(1, Count).Where(n => n != 10).Select(n => (long)n)));
    }

    [Test]
    public void DamageIsRefusedOrSetAside()
    {
        (int at, _) = Records()[20];
        byte[] flipped = (byte[])_bytes.Clone();
        flipped[at + 41] ^= 1;
        SimulatedDisk disk = DiskWith(flipped);
        Assert.That(Assert.Throws<JournalException>(() => Journal.Open("simulated", Options(disk)))!.Fault, Is.EqualTo(JournalFault.Damaged));
        Assert.That(disk.Names[Name].Snapshot(), Is.EqualTo(flipped), "nothing was changed");
        JournalOptions options = Options(disk);
        options.OnDamage = JournalDamage.SetAside;
        using (Journal journal = Journal.Open("simulated", options))
        {
            Assert.That(journal.Recovery.Found, Is.EqualTo(JournalCondition.Damaged));
            Assert.That(journal.Recovery.SetAside, Does.EndWith("damaged-1"));
            Assert.That(journal.Append(1), Is.GreaterThan(Count));
        }

        Assert.That(JournalVerifier.Verify(disk.Store()).IsSound, Is.True);
        Assert.That(Shown(DiskWith(disk.Names["damaged-1/" + Name].Snapshot())), Is.EqualTo(Enumerable.Range(1, 19)));
    }

    private List<(int At, int Size)> Records()
    {
        var records = new List<(int, int)>();
        for (int at = 4096; at < _bytes.Length && _bytes[at + 31] != 0;)
        {
            int size = (40 + _bytes[at + 30] + BitConverter.ToInt32(_bytes, at + 4) + 7) & ~7;
            records.Add((at, size));
            at += size;
        }

        return records;
    }

    /// <summary>Whatever the bytes: what is read is a beginning of what was written, also after the journal was opened, if it can be.</summary>
    private static JournalReport Judge(byte[] segment, string how)
    {
        SimulatedDisk disk = DiskWith(segment);
        JournalReport report = JournalVerifier.Verify(disk.Store());
        long[] sound = Shown(disk);
        Assert.That(sound, Is.EqualTo(Enumerable.Range(1, sound.Length)), how);
        Assert.That(report.Packets, Is.EqualTo(sound.Length), how);
        Assert.That(report.Condition == JournalCondition.Closed && sound.Length < Count, Is.False, how);
        using (var reader = JournalReader.Open(disk.Store(), null, new JournalReaderOptions { PastDamage = true }))
        {
            foreach ((long position, long number) in reader.ReadAll())
            {
                Assert.That(number, Is.EqualTo(position), how);
            }

            Assert.That(reader.Condition, Is.EqualTo(report.Condition), how);
        }

        Assert.That(disk.Calls, Is.Zero, how + ": readers change nothing");
        try
        {
            using Journal journal = Journal.Open("simulated", Options(disk));
            Assert.That(report.Condition, Is.Not.EqualTo(JournalCondition.Damaged), how);
            Assert.That(journal.Recovery.Found, Is.EqualTo(report.Condition), how);
            Assert.That(journal.Append(1000), Is.GreaterThan(sound.Length), how);
            Assert.That(disk.Names.Keys.Any(n => n.EndsWith(".torn", StringComparison.Ordinal)), Is.EqualTo(report.Condition == JournalCondition.Torn), how);
        }
        catch (JournalException e)
        {
            Assert.That(e.Fault, Is.EqualTo(JournalFault.Damaged), how);
            Assert.That(report.Condition, Is.EqualTo(JournalCondition.Damaged), how);
            return report;
        }

        Assert.That(Shown(disk), Is.EqualTo(sound.Append(1000)), how);
        Assert.That(JournalVerifier.Verify(disk.Store()).IsSound, Is.True, how);
        return report;
    }

    private static SimulatedDisk DiskWith(byte[] segment)
    {
        var disk = new SimulatedDisk(2);
        disk.Put("lock", []);
        disk.Put(Name, segment);
        return disk;
    }

    private static long[] Shown(SimulatedDisk disk, bool pastDamage = false)
    {
        using var reader = JournalReader.Open(disk.Store(), null, new JournalReaderOptions { PastDamage = pastDamage });
        return [.. reader.ReadAll().Select(r => r.Number)];
    }

    private static JournalOptions Options(SimulatedDisk disk) => new() { Store = disk.Store(), SegmentBytes = 64 << 10, IdleMarkMilliseconds = 0 };
}
