using System;
using System.Linq;
using System.Runtime.InteropServices;
using NUnit.Framework;
using Transport.Journal.Tests.Disk;
using Transport.Testing;

namespace Transport.Journal.Tests.Recovery;

/// <summary>The power is cut at every call of a recovery, and then at every call of the one after it.</summary>
internal sealed class RecoveryCutTests
{
    private const string Name = "0000000001.segment";
    private const int Acknowledged = 20;
    private const int Together = 10;
    private const int TornAt = 26;

    /// <summary>Each pair of calls, but on Mono each seventh, for the time they take there.</summary>
    private static int Step => RuntimeInformation.FrameworkDescription.StartsWith("Mono", StringComparison.Ordinal) ? 7 : 1;

    private byte[] _written = [];

    [OneTimeSetUp]
    public void WriteOnce() => _written = Written();

    [Test]
    public void Of_a_torn_tail()
    {
        byte[] bytes = (byte[])_written.Clone();
        bytes[RecordOf(bytes, TornAt) + 45] ^= 1;
        CutTwice(() => DiskWith(bytes), TornAt - 1, expectTorn: true);
    }

    [Test]
    public void Of_a_journal_that_was_not_closed() => CutTwice(() => DiskWith(_written), Acknowledged + Together, expectTorn: false);

    [Test]
    public void Of_a_failed_sync() => CutTwice(
        () =>
        {
            SimulatedDisk disk = DiskWith(_written);
            disk.Put("0000000001.failed", []);
            return disk;
        },
        Acknowledged + Together,
        expectTorn: false);

    private static void CutTwice(Func<SimulatedDisk> broken, int valid, bool expectTorn)
    {
        int calls = CallsOf(broken());
        Assert.That(calls, Is.AtLeast(3));
        byte[]? torn = expectTorn ? TornOf(broken()) : null;
        int cuts = 0;
        for (int pair = 0; pair < calls * (calls + 2); pair += Step)
        {
            (int first, int second) = (1 + (pair / (calls + 2)), 1 + (pair % (calls + 2)));
            string how = $"cut at call {first}, then at {second}";
            SimulatedDisk disk = broken();
            foreach (int at in new[] { first, second })
            {
                disk.CutAt = disk.Calls + at;
                cuts += OpenUnlessCut(disk) ? 0 : 1;
                disk = disk.Restart(pair);
            }

            AssertRecovered(disk, valid, torn, how);
        }

        Assert.That(cuts, Is.AtLeast(calls * calls / Step));
    }

    private static void AssertRecovered(SimulatedDisk disk, int valid, byte[]? torn, string how)
    {
        using (PacketJournal journal = PacketJournal.Open("simulated", Options(disk)))
        {
            Assert.That(journal.Recovery.LastPosition, Is.AtLeast(valid), how);
            Assert.That(journal.Append(1000), Is.GreaterThan(Acknowledged + Together), how + ": no position is given out twice");
        }

        using var reader = JournalReader.Open(disk.Store(), null, null);
        Assert.That(reader.ReadAll().Select(r => r.Number), Is.EqualTo(Enumerable.Range(1, valid).Append(1000)), how);
        Assert.That(JournalVerifier.Verify(disk.Store()).IsValid, Is.True, how);
        if (torn is not null)
        {
            Assert.That(disk.Names.Where(n => n.Key.EndsWith(".torn", StringComparison.Ordinal))
                .Any(n => n.Value.Snapshot().SequenceEqual(torn)), Is.True, how + ": what was cut off is kept, all of it");
        }
    }

    private static bool OpenUnlessCut(SimulatedDisk disk)
    {
        try
        {
            PacketJournal.Open("simulated", Options(disk)).Dispose();
            return !disk.IsCut;
        }
        catch (JournalException) when (disk.IsCut)
        {
            return false;
        }
    }

    private static int CallsOf(SimulatedDisk disk)
    {
        int before = disk.Calls;
        using PacketJournal journal = PacketJournal.Open("simulated", Options(disk));
        return disk.Calls - before;
    }

    private static byte[] TornOf(SimulatedDisk disk)
    {
        PacketJournal.Open("simulated", Options(disk)).Dispose();
        return disk.Names.Single(n => n.Key.EndsWith(".torn", StringComparison.Ordinal)).Value.Snapshot();
    }

    /// <summary>A segment whose writer was killed: 20 packets, each synced by itself, and 10 that were written together.</summary>
    private static byte[] Written()
    {
        var disk = new SimulatedDisk(1);
        PacketJournal journal = PacketJournal.Open("simulated", Options(disk));
        for (int i = 1; i <= Acknowledged; i++)
        {
            journal.Append(i, 100);
        }

        _ = journal.Append([.. Enumerable.Range(Acknowledged + 1, Together)
            .Select(i => new JournalPacket(Numbered.Node, 1024, Numbered.Body(i, 600)))]);
        byte[] bytes = disk.Names[Name].Snapshot();
        journal.Dispose();
        return bytes;
    }

    private static int RecordOf(byte[] bytes, long position)
    {
        int at = 4096;
        while (BitConverter.ToInt64(bytes, at + 8) != position || bytes[at + 31] != 1)
        {
            at += (40 + bytes[at + 30] + BitConverter.ToInt32(bytes, at + 4) + 7) & ~7;
        }

        return at;
    }

    private static SimulatedDisk DiskWith(byte[] segment)
    {
        var disk = new SimulatedDisk(2);
        disk.Put("lock", []);
        disk.Put(Name, segment);
        return disk;
    }

    private static JournalOptions Options(SimulatedDisk disk) => new()
    {
        Store = disk.Store(), SegmentBytes = 64 << 10, MaxPacketBytes = 64 << 10, IdleMarkMilliseconds = 0,
    };
}
