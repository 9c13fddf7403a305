using System;
using System.Collections.Generic;
using System.Linq;
using System.Runtime.InteropServices;
using NUnit.Framework;
using Transport.Journal.Tests.Disk;
using Transport.Testing;

namespace Transport.Journal.Tests.Recovery;

/// <summary>Journals that were cut, changed and mixed up: never a crash, never a wrong record, verify reports, the valid part is
/// readable.</summary>
[TestFixture(false)]
[TestFixture(true)]
internal sealed class MutilationTests(bool recycled)
{
    private const int Count = 60;
    private const int Seed = 7_2026;
    private const int New = 1_000_000;

    private readonly Dictionary<string, byte[]> _others = [];
    private string _name = string.Empty;
    private byte[] _bytes = [];
    private int _end;
    private long _first;
    private long _last;

    /// <summary>Each place at night; fewer otherwise, for the time they take, and an odd step, which meets each place of a word.</summary>
    private static int Step => RuntimeInformation.FrameworkDescription.StartsWith("Mono", StringComparison.Ordinal) ? 37
        : Nightly.Rounds(nightly: 1, otherwise: 5);

    /// <summary>A journal whose last segment holds 60 packets: in a new file, or in one that is full of older records.</summary>
    [OneTimeSetUp]
    public void MakeJournal()
    {
        var disk = new SimulatedDisk(1);
        JournalOptions options = Options(disk);
        (options.MaxBytes, options.DropOldestWhenFull) = (3 * options.SegmentBytes, true);
        using (PacketJournal journal = PacketJournal.Open("simulated", options))
        {
            while (recycled && journal.Status.RecycledSegments < 2)
            {
                journal.Append(++_last, 40 + (int)(_last * 7 % 300));
            }

            for (int i = 1; i <= Count; i++)
            {
                journal.Append(++_last, 40 + (int)(_last * 7 % 300));
            }
        }

        JournalReport report = JournalVerifier.Verify(disk.Store());
        foreach (KeyValuePair<string, SimulatedInode> name in disk.Names)
        {
            _others[name.Key] = name.Value.Snapshot();
        }

        _name = report.Segments[report.Segments.Count - 1].File;
        _bytes = _others[_name];
        _others.Remove(_name);
        _end = (int)report.Segments[report.Segments.Count - 1].UsedBytes;
        _first = report.FirstPosition;
        Assert.That(_end, Is.InRange(3 * 4096, _bytes.Length / 2));
        Assert.That(_bytes.Skip(_end).Any(b => b != 0), Is.EqualTo(recycled), "older records");
    }

    [Test]
    public void Cut_at_every_byte_of_its_end()
    {
        for (int length = _end - 4096; length <= _end; length += Step)
        {
            Judge([.. _bytes.Take(length)], $"cut at {length} of {_end}");
        }
    }

    [Test]
    public void Cut_at_random_places()
    {
        TestContext.Out.WriteLine($"seed {Seed}");
        var random = new Random(Seed);
        for (int i = 0; i < 200; i++)
        {
            int length = random.Next(_bytes.Length);
            Judge([.. _bytes.Take(length)], $"cut at {length}");
        }
    }

    [Test]
    public void Zero_tails()
    {
        var random = new Random(Seed + 1);
        for (int i = 0; i < 200; i++)
        {
            byte[] zeroed = (byte[])_bytes.Clone();
            int from = 4096 + random.Next(_end - 4096);
            zeroed.AsSpan(from).Clear();
            Judge(zeroed, $"zeros from {from}");
        }
    }

    [Test]
    public void Flipped_bits()
    {
        TestContext.Out.WriteLine($"seed {Seed + 2}");
        var random = new Random(Seed + 2);
        for (int i = 0; i < 200; i++)
        {
            byte[] flipped = (byte[])_bytes.Clone();
            int at = i % 20 == 0 ? random.Next(128) : 4096 + random.Next(_end - 4096);
            flipped[at] ^= (byte)(1 << random.Next(8));
            JournalReport report = Judge(flipped, $"bit flipped at {at}");
            Assert.That(report.IsValid, Is.False, $"bit flipped at {at} of {_end}");
        }
    }

    [Test]
    public void Swapped_records()
    {
        List<(int At, int Size)> records = Records();
        for (int i = 1; i + 1 < records.Count; i++)
        {
            (int a, int sizeA) = records[i];
            (int b, int sizeB) = records[i + 1];
            byte[] swapped = (byte[])_bytes.Clone();
            Array.Copy(_bytes, b, swapped, a, sizeB);
            Array.Copy(_bytes, a, swapped, a + sizeB, sizeA);
            Assert.That(Judge(swapped, $"records {i} and {i + 1} swapped").IsValid, Is.False);
        }
    }

    [Test]
    public void Doubled_records()
    {
        List<(int At, int Size)> records = Records();
        for (int i = 1; i < records.Count; i++)
        {
            (int at, int size) = records[i];
            byte[] doubled = (byte[])_bytes.Clone();
            Array.Copy(_bytes, at, doubled, at + size, _bytes.Length - at - size);
            Assert.That(Judge(doubled, $"record {i} doubled").IsValid, Is.False);
        }
    }

    [Test]
    public void Moved_records()
    {
        List<(int At, int Size)> records = Records();
        for (int i = 1; i < records.Count; i++)
        {
            byte[] removed = (byte[])_bytes.Clone();
            (int at, int size) = records[i];
            Array.Copy(_bytes, at + size, removed, at, _bytes.Length - at - size);
            JournalReport report = Judge(removed, $"record {i} taken out");
            Assert.That(report.IsValid, Is.False);
        }
    }

    [Test]
    public void A_damaged_place_is_read_over()
    {
        (int at, _) = Records()[10];
        long lost = BitConverter.ToInt64(_bytes, at + 8);
        byte[] flipped = (byte[])_bytes.Clone();
        flipped[at + 41] ^= 1;
        Assert.That(Shown(DiskWith(flipped), pastDamage: true), Is.EqualTo(Numbers(_last - _first + 1).Where(n => n != lost)));
    }

    [Test]
    public void Damage_is_refused_or_set_aside()
    {
        (int at, _) = Records()[20];
        long lost = BitConverter.ToInt64(_bytes, at + 8);
        byte[] flipped = (byte[])_bytes.Clone();
        flipped[at + 41] ^= 1;
        SimulatedDisk disk = DiskWith(flipped);
        Assert.That(Assert.Throws<JournalException>(() => PacketJournal.Open("simulated", Options(disk)))!.Fault,
            Is.EqualTo(JournalFault.Damaged));
        Assert.That(disk.Names[_name].Snapshot(), Is.EqualTo(flipped), "nothing was changed");
        JournalOptions options = Options(disk);
        options.SetDamagedAside = true;
        using (PacketJournal journal = PacketJournal.Open("simulated", options))
        {
            Assert.That(journal.Recovery.Found, Is.EqualTo(JournalCondition.Damaged));
            Assert.That(journal.Recovery.SetAside, Does.EndWith("damaged-1"));
            Assert.That(journal.Append(1), Is.GreaterThan(_last));
        }

        Assert.That(JournalVerifier.Verify(disk.Store()).IsValid, Is.True);
        Assert.That(Shown(DiskWith(disk.Names["damaged-1/" + _name].Snapshot())), Is.EqualTo(Numbers(lost - _first)),
            "the valid part is readable there");
    }

    private IEnumerable<long> Numbers(long count) => Enumerable.Range((int)_first, (int)count).Select(n => (long)n);

    private List<(int At, int Size)> Records()
    {
        var records = new List<(int, int)>();
        for (int at = 4096; at < _end;)
        {
            int size = (40 + _bytes[at + 30] + BitConverter.ToInt32(_bytes, at + 4) + 7) & ~7;
            records.Add((at, size));
            at += size;
        }

        return records;
    }

    /// <summary>Whatever the bytes: what is read is a beginning of what was written, also after the journal was opened, if it can
    /// be.</summary>
    private JournalReport Judge(byte[] segment, string how)
    {
        SimulatedDisk disk = DiskWith(segment);
        JournalReport report = JournalVerifier.Verify(disk.Store());
        long[] valid = Shown(disk);
        Assert.That(valid.SequenceEqual(Numbers(valid.Length)), Is.True, how);
        Assert.That(report.Packets, Is.EqualTo(valid.Length), how);
        Assert.That(report.Condition == JournalCondition.Closed && valid.Length < _last - _first + 1, Is.False, how);
        using (var reader = JournalReader.Open(disk.Store(), null, new JournalReaderOptions { PastDamage = true }))
        {
            Assert.That(reader.ReadAll().All(r => r.Position == r.Number), Is.True, how);
            Assert.That(reader.Condition, Is.EqualTo(report.Condition), how);
        }

        Assert.That(disk.Calls, Is.Zero, how + ": readers change nothing");
        try
        {
            using PacketJournal journal = PacketJournal.Open("simulated", Options(disk));
            Assert.That(report.Condition, Is.Not.EqualTo(JournalCondition.Damaged), how);
            Assert.That(journal.Recovery.Found, Is.EqualTo(report.Condition), how);
            Assert.That(journal.Append(New), Is.GreaterThan(valid.LastOrDefault()), how);
            Assert.That(disk.Names.Keys.Any(n => n.EndsWith(".torn", StringComparison.Ordinal)),
                Is.EqualTo(report.Condition == JournalCondition.Torn), how);
        }
        catch (JournalException e)
        {
            Assert.That(e.Fault, Is.EqualTo(JournalFault.Damaged), how);
            Assert.That(report.Condition, Is.EqualTo(JournalCondition.Damaged), how);
            return report;
        }

        Assert.That(Shown(disk).SequenceEqual(valid.Append(New)), Is.True, how);
        Assert.That(JournalVerifier.Verify(disk.Store()).IsValid, Is.True, how);
        return report;
    }

    private SimulatedDisk DiskWith(byte[] segment)
    {
        var disk = new SimulatedDisk(2);
        foreach (KeyValuePair<string, byte[]> other in _others)
        {
            disk.Put(other.Key, other.Value);
        }

        disk.Put(_name, segment);
        return disk;
    }

    private static long[] Shown(SimulatedDisk disk, bool pastDamage = false)
    {
        using var reader = JournalReader.Open(disk.Store(), null, new JournalReaderOptions { PastDamage = pastDamage });
        return [.. reader.ReadAll().Select(r => r.Number)];
    }

    private static JournalOptions Options(SimulatedDisk disk) => new()
    {
        Store = disk.Store(), SegmentBytes = 64 << 10, IdleMarkMilliseconds = 0,
    };
}
