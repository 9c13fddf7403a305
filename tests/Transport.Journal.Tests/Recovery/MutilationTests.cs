using System;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using NUnit.Framework;

namespace Transport.Journal.Tests.Recovery;

/// <summary>Journals that were cut, changed and mixed up: never a crash, never a wrong record, verify tells, the sound part is readable.</summary>
internal sealed class MutilationTests
{
    private const int Count = 60;
    private const int Seed = 7_2026;

    private TestFolder _folder = null!;
    private string _copy = string.Empty;
    private byte[] _bytes = [];

    [OneTimeSetUp]
    public void MakeJournal()
    {
        _folder = new TestFolder();
        using (Journal journal = Journal.Open(_folder.Journal, new JournalOptions { SegmentBytes = 64 << 10, IdleMarkMilliseconds = 0 }))
        {
            for (int i = 1; i <= Count; i++)
            {
                journal.Append(i, 40 + (i * 7 % 300));
            }
        }

        _bytes = File.ReadAllBytes(_folder.Segment(1));
        _copy = _folder.CopyOf(_folder.Journal, "copy");
    }

    [OneTimeTearDown]
    public void RemoveFolder() => _folder.Dispose();

    [Test]
    public void CutAtEveryByteOfItsEnd()
    {
        int end = (int)JournalVerifier.Verify(_folder.Journal).Segments[0].UsedBytes;
        for (int length = end - 4096; length <= end; length++)
        {
            Judge([.. _bytes.Take(length)], $"cut at {length} of {end}");
        }
    }

    [Test]
    public void CutAtRandomPlaces()
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
    public void ZeroTails()
    {
        var random = new Random(Seed + 1);
        int end = (int)JournalVerifier.Verify(_folder.Journal).Segments[0].UsedBytes;
        for (int i = 0; i < 200; i++)
        {
            byte[] zeroed = (byte[])_bytes.Clone();
            int from = 4096 + random.Next(end - 4096);
            zeroed.AsSpan(from).Clear();
            Judge(zeroed, $"zeros from {from}");
        }
    }

    [Test]
    public void FlippedBits()
    {
        TestContext.Out.WriteLine($"seed {Seed + 2}");
        var random = new Random(Seed + 2);
        int end = (int)JournalVerifier.Verify(_folder.Journal).Segments[0].UsedBytes;
        for (int i = 0; i < 200; i++)
        {
            byte[] flipped = (byte[])_bytes.Clone();
            int at = i % 20 == 0 ? random.Next(128) : 4096 + random.Next(end - 4096);
            flipped[at] ^= (byte)(1 << random.Next(8));
            JournalReport report = Judge(flipped, $"bit flipped at {at}");
            Assert.That(report.IsSound, Is.False, $"bit flipped at {at} of {end}");
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
        File.WriteAllBytes(Path.Combine(_copy, "0000000001.segment"), flipped);
        long[] shown = [.. Packets.ReadAll(_copy, pastDamage: true).Select(r => r.Number)];
        Assert.That(shown, Is.EqualTo(Enumerable.Range(1, Count).Where(n => n != 10).Select(n => (long)n)));
    }

    [Test]
    public void DamageIsRefusedOrSetAside()
    {
        (int at, _) = Records()[20];
        byte[] flipped = (byte[])_bytes.Clone();
        flipped[at + 41] ^= 1;
        string directory = _folder.CopyOf(_folder.Journal, "damaged");
        File.WriteAllBytes(Path.Combine(directory, "0000000001.segment"), flipped);
        Assert.That(Assert.Throws<JournalException>(() => Journal.Open(directory))!.Fault, Is.EqualTo(JournalFault.Damaged));
        Assert.That(File.ReadAllBytes(Path.Combine(directory, "0000000001.segment")), Is.EqualTo(flipped), "nothing was changed");
        string aside;
        using (Journal journal = Journal.Open(directory, new JournalOptions { OnDamage = JournalDamage.SetAside, SegmentBytes = 64 << 10 }))
        {
            Assert.That(journal.Recovery.Found, Is.EqualTo(JournalCondition.Damaged));
            Assert.That(journal.Append(1), Is.GreaterThan(Count));
            aside = journal.Recovery.SetAside!;
        }

        Assert.That(JournalVerifier.Verify(directory).IsSound, Is.True);
        Assert.That(Packets.ReadAll(aside).Select(r => r.Number), Is.EqualTo(Enumerable.Range(1, 19)));
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
    private JournalReport Judge(byte[] segment, string how)
    {
        string path = Path.Combine(_copy, "0000000001.segment");
        foreach (string torn in Directory.GetFiles(_copy, "*.torn"))
        {
            File.Delete(torn);
        }

        File.WriteAllBytes(path, segment);
        JournalReport report = JournalVerifier.Verify(_copy);
        Assert.That(File.ReadAllBytes(path), Is.EqualTo(segment), how + ": verify changes nothing");
        long[] sound = [.. Packets.ReadAll(_copy).Select(r => r.Number)];
        Assert.That(sound, Is.EqualTo(Enumerable.Range(1, sound.Length)), how);
        Assert.That(report.Packets, Is.EqualTo(sound.Length), how);
        Assert.That(report.Condition == JournalCondition.Closed && sound.Length < Count, Is.False, how);
        foreach ((long position, long number) in Packets.ReadAll(_copy, pastDamage: true))
        {
            Assert.That(number, Is.EqualTo(position), how);
        }

        try
        {
            using Journal journal = Journal.Open(_copy, new JournalOptions { SegmentBytes = 64 << 10, IdleMarkMilliseconds = 0 });
            Assert.That(report.Condition, Is.Not.EqualTo(JournalCondition.Damaged), how);
            Assert.That(journal.Recovery.Found, Is.EqualTo(report.Condition), how);
            Assert.That(journal.Append(1000), Is.GreaterThan(sound.Length), how);
            Assert.That(journal.Recovery.TornFile is not null, Is.EqualTo(report.Condition == JournalCondition.Torn), how);
        }
        catch (JournalException e)
        {
            Assert.That(e.Fault, Is.EqualTo(JournalFault.Damaged), how);
            Assert.That(report.Condition, Is.EqualTo(JournalCondition.Damaged), how);
            return report;
        }

        Assert.That(Packets.ReadAll(_copy).Select(r => r.Number), Is.EqualTo(sound.Append(1000)), how);
        Assert.That(JournalVerifier.Verify(_copy).IsSound, Is.True, how);
        return report;
    }
}
