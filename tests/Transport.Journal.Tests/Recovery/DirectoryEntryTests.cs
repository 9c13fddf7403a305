using System;
using System.Linq;
using NUnit.Framework;
using Transport.Journal.Tests.Disk;
using Transport.Testing;

namespace Transport.Journal.Tests.Recovery;

/// <summary>A file is on the disk once its name is, and its name once the directory's own is.</summary>
internal sealed class DirectoryEntryTests
{
    /// <summary>The process that made the directory may have exited before its entry was synced.</summary>
    [Test]
    public void A_directory_that_an_exited_process_made_is_synced_in_its_parent([Range(1, 10)] int seed)
    {
        TestContext.Out.WriteLine($"seed {seed}");
        var disk = new SimulatedDisk(seed) { Inject = static (call, _) => call == "syncparent" ? StoreError.Broken : StoreError.None };
        Assert.Throws<JournalException>(() => Open(disk));
        Assert.That(disk.IsDirectory, Is.True);
        disk.Inject = null;
        disk.Kill();
        PacketJournal journal = Open(disk);
        journal.Append(1);
        SimulatedDisk after = disk.Restart(seed);
        journal.Dispose();
        using PacketJournal again = Open(after);
        Assert.That(again.Recovery.LastPosition, Is.EqualTo(1), "it was acknowledged");
    }

    [Test]
    public void What_is_set_aside_outlives_a_cut_at_any_call()
    {
        for (int cut = 1; ; cut++)
        {
            SimulatedDisk disk = Damaged(cut, out byte[][] segments);
            disk.CutAt = disk.Calls + cut;
            bool isOver = false;
            try
            {
                Open(disk, setDamagedAside: true).Dispose();
                isOver = !disk.IsCut;
            }
            catch (JournalException) when (disk.IsCut)
            {
                // At this call, or one after it.
            }

            SimulatedDisk after = disk.Restart(cut);
            byte[][] left = [.. after.Names.Values.Select(static f => f.Snapshot())];
            foreach (byte[] segment in segments)
            {
                Assert.That(left.Any(f => f.SequenceEqual(segment)), Is.True, $"cut {cut}");
            }

            if (isOver)
            {
                Assert.That(cut, Is.GreaterThan(5));
                return;
            }
        }
    }

    private static SimulatedDisk Damaged(int seed, out byte[][] segments)
    {
        var disk = new SimulatedDisk(seed);
        using (PacketJournal journal = Open(disk))
        {
            for (int i = 1; i <= 30; i++)
            {
                journal.Append(i, 6000);
            }
        }

        SimulatedInode first = disk.Names["0000000001.segment"];
        first.Write(20_000, [1, 2, 3]);
        first.Sync();
        var named = disk.Names.Where(static n => n.Key.EndsWith(".segment", StringComparison.Ordinal));
        segments = [.. named.Select(static n => n.Value.Snapshot())];
        Assert.That(segments, Has.Length.AtLeast(3));
        return disk;
    }

    private static PacketJournal Open(SimulatedDisk disk, bool setDamagedAside = false)
    {
        var options = new JournalOptions
        {
            Store = disk.Store(), SegmentBytes = 64 << 10, IdleMarkMilliseconds = 0, SetDamagedAside = setDamagedAside,
        };
        return PacketJournal.Open("simulated", options);
    }
}
