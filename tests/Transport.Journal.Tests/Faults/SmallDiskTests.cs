using System;
using System.Collections.Generic;
using System.Globalization;
using System.IO;
using System.Linq;
using System.Threading.Tasks;
using NUnit.Framework;
using Transport.Testing;
using Transport.Testing.Disks;

namespace Transport.Journal.Tests.Faults;

/// <summary>A real file system that is full, or must not be written: a named fault, nothing acknowledged that is not there, also after
/// opening it again.</summary>
[Platform("Linux")]
internal sealed class SmallDiskTests
{
    private const int Capacity = 1 << 20;
    private const int Length = 2000;

    private TestDisk _disk = null!;

    private string Directory => Path.Combine(_disk.Root, "journal");

    [SetUp]
    public void MakeDisk() => _disk = new TestDisk();

    [TearDown]
    public void Unmount() => _disk.Dispose();

    [Test]
    public async Task Full_at_preallocation_it_refuses_and_takes_again([Values] JournalSync sync)
    {
        await _disk.MountAsync($"size={Capacity}");
        File.WriteAllBytes(_disk.Filler, new byte[Capacity / 2]);
        var kept = new List<long>();
        long number = 1;
        using (PacketJournal journal = PacketJournal.Open(Directory, Options(sync)))
        {
            Assert.That(Fill(journal, kept, ref number), Is.EqualTo(JournalFault.DiskFull));
            Assert.That(Assert.Throws<JournalException>(() => journal.Append(-1, Length))!.Fault, Is.EqualTo(JournalFault.DiskFull),
                "as long as it is full");
            Assert.That(journal.Failure, Is.Null);
            File.Delete(_disk.Filler);
            journal.Append(number, Length);
            kept.Add(number++);
            File.WriteAllBytes(_disk.Filler, new byte[1]);
        }

        AssertThere(kept);
        using (PacketJournal again = PacketJournal.Open(Directory, Options(sync)))
        {
            again.Append(number, Length);
            kept.Add(number);
        }

        AssertThere(kept);
    }

    /// <summary>A disk without space for a whole segment had none for a packet of some bytes.</summary>
    [Test]
    public async Task A_nearly_full_disk_gets_shorter_segments_to_the_last_64_KiB()
    {
        await _disk.MountAsync("size=3m");
        var kept = new List<long>();
        long number = 1;
        JournalOptions options = Options(JournalSync.GroupCommit);
        options.SegmentBytes = 2 << 20;
        using (PacketJournal journal = PacketJournal.Open(Directory, options))
        {
            Assert.That(Fill(journal, kept, ref number), Is.EqualTo(default(JournalFault)), "1 MB fits in the first segment");
            Assert.That(Fill(journal, kept, ref number), Is.EqualTo(JournalFault.DiskFull));
            Assert.That(journal.Obstacle!.Message, Does.Contain(Directory).And.Contain("65536").And.Contain("are free"));
            string before = journal.Obstacle!.Message.Split([" are free"], StringSplitOptions.None)[0];
            Assert.That(long.Parse(before.Substring(before.LastIndexOf(' ') + 1), CultureInfo.InvariantCulture), Is.LessThan(64 << 10));
            Assert.That(journal.Status.Segments, Is.GreaterThan(2));
            File.WriteAllBytes(_disk.Filler, []);
        }

        AssertThere(kept);
    }

    [Test]
    public async Task On_a_full_disk_it_is_opened_and_refuses()
    {
        await _disk.MountAsync($"size={Capacity}");
        var kept = new List<long>();
        long number = 1;
        using (PacketJournal journal = PacketJournal.Open(Directory, Options(JournalSync.GroupCommit)))
        {
            Fill(journal, kept, ref number);
        }

        _disk.FillUp();
        using (PacketJournal again = PacketJournal.Open(Directory, Options(JournalSync.GroupCommit)))
        {
            Assert.That(Fill(again, kept, ref number), Is.EqualTo(JournalFault.DiskFull));
        }

        AssertThere(kept);
    }

    [Test]
    public async Task No_capacity_for_the_first_segment_is_reported_and_nothing_is_left()
    {
        await _disk.MountAsync($"size={Capacity}");
        _disk.FillUp();
        Assert.That(Assert.Throws<JournalException>(() => PacketJournal.Open(Directory, Options(JournalSync.GroupCommit)))!.Fault,
            Is.EqualTo(JournalFault.DiskFull));
        File.Delete(_disk.Filler);
        using (PacketJournal journal = PacketJournal.Open(Directory, Options(JournalSync.GroupCommit)))
        {
            Assert.That(journal.Append(1), Is.EqualTo(1));
        }

        AssertThere([1]);
    }

    /// <summary>Files without capacity reserved (a store that only sets the length, on a file system with holes): the disk is full in the
    /// middle of an append, and that is final until it is opened again.</summary>
    [Test]
    public async Task Full_in_an_append_it_fails_and_is_opened_again([Values] JournalSync sync)
    {
        await _disk.MountAsync($"size={Capacity / 4}");
        var kept = new List<long>();
        long number = 1;
        File.WriteAllBytes(_disk.Filler, new byte[Capacity / 8]);
        using (PacketJournal journal = PacketJournal.Open(Directory, Sparse(sync)))
        {
            Assert.That(Fill(journal, kept, ref number), Is.EqualTo(JournalFault.DiskFull));
            Assert.That(journal.Failure?.Fault, Is.EqualTo(JournalFault.DiskFull));
            Assert.That(Assert.Throws<JournalException>(() => journal.Append(-1, Length))!.Fault, Is.EqualTo(JournalFault.DiskFull));
            Assert.That(journal.TryAppend(Numbered.Node, 1, [1], out _), Is.EqualTo(SendResult.Closed));
            Assert.That(journal.Committed, Is.EqualTo(kept.Count));
        }

        List<long> found = [.. Numbered.ReadAll(Directory).Select(r => r.Number)];
        Assert.That(found.Take(kept.Count), Is.EqualTo(kept), "readable while the disk is full");
        File.Delete(_disk.Filler);
        using (PacketJournal again = PacketJournal.Open(Directory, Sparse(sync)))
        {
            Assert.That(again.Recovery.LastPosition, Is.AtLeast(kept.Count));
            again.Append(1000, Length);
        }

        AssertThere([.. found, 1000]);
    }

    /// <summary>Of a write of eight blocks there is capacity for some: the ring goes on with the rest, and is reported that there is
    /// none.</summary>
    [Test]
    public async Task A_block_that_finds_no_capacity_is_reported()
    {
        await _disk.MountAsync("size=64k");
        using (FileStream file = File.Create(_disk.Filler))
        {
            file.SetLength(Capacity);
        }

        using RingWriter? ring = RingWriter.TryMake(_disk.Root, 1, 8 * Block.Bytes, out string why);
        if (ring is null)
        {
            Assert.Ignore("uring is not to be had here: " + why);
        }

        ring!.Use(Path.GetFileName(_disk.Filler));
        StoreError error = StoreError.None;
        int written = 0;
        for (; error == StoreError.None && written < Capacity; written += ring.BufferBytes)
        {
            Assert.That(ring.Begin(0, written, ring.BufferBytes), Is.EqualTo(StoreError.None));
            Assert.That(ring.Wait(out _, out error), Is.True);
        }

        Assert.That(error, Is.EqualTo(StoreError.Full));
        Assert.That(written, Is.InRange(ring.BufferBytes, 3 * ring.BufferBytes));
    }

    [Test]
    public async Task A_directory_that_must_not_be_written_is_reported_and_can_be_read()
    {
        await _disk.MountAsync($"size={Capacity}");
        string target = _disk.Root;
        var kept = new List<long> { 1, 2 };
        using (PacketJournal journal = PacketJournal.Open(Directory, Options(JournalSync.GroupCommit)))
        {
            kept.ForEach(n => journal.Append(n));
        }

        using SmallFileSystem again = await SmallFileSystem.MountAsync(target, "remount,ro");
        Assert.That(Assert.Throws<JournalException>(() => PacketJournal.Open(Directory))!.Fault, Is.EqualTo(JournalFault.NoAccess));
        Assert.That(Assert.Throws<JournalException>(() => PacketJournal.Open(Path.Combine(target, "new")))!.Fault,
            Is.EqualTo(JournalFault.NoAccess));
        Assert.That(Assert.Throws<JournalException>(() =>
            PacketJournal.Compact(Directory, new JournalRetention { MaxBytes = 0 }))!.Fault, Is.EqualTo(JournalFault.NoAccess));
        AssertThere(kept);
    }

    private static JournalOptions Options(JournalSync sync) => new() { Sync = sync, SegmentBytes = 128 << 10, MaxPacketBytes = 64 << 10 };

    private JournalOptions Sparse(JournalSync sync)
    {
        JournalOptions options = Options(sync);
        (options.SegmentBytes, options.IdleMarkMilliseconds) = (Capacity, 0);
        options.Store = new PortableStore(Directory);
        return options;
    }

    /// <summary>Appends until that is refused.</summary>
    private static JournalFault Fill(PacketJournal journal, List<long> kept, ref long number)
    {
        const int Most = 2 * Capacity / Length;
        for (int i = 0; i < Most; i++)
        {
            try
            {
                journal.Append(number, Length);
                kept.Add(number++);
            }
            catch (JournalException e)
            {
                return e.Fault;
            }
        }

        return default;
    }

    private void AssertThere(IEnumerable<long> numbers)
    {
        Assert.That(Numbered.ReadAll(Directory).Select(r => r.Number), Is.EqualTo(numbers));
        JournalReport report = PacketJournal.Verify(Directory);
        Assert.That(report.IsValid, Is.True, string.Join("; ", report.Findings));
    }
}
