using System;
using System.IO;
using NUnit.Framework;
using Transport.Journal;
using Transport.Loads.Journals;

namespace Transport.Loads.Tests;

[TestFixture]
public sealed class JournalFloorTests
{
    [Test]
    public void The_floor_reads_what_the_journal_wrote_and_stops_at_a_changed_byte()
    {
        const int Records = 1000;
        string folder = Directory.CreateTempSubdirectory("journal-floor-").FullName;
        try
        {
            var floor = new JournalFloor(folder);
            if (floor.Missing is { } why)
            {
                Assert.Ignore(why);
            }

            string path = Path.Combine(folder, "journal");
            using (PacketJournal journal = PacketJournal.Open(path, new JournalOptions { Sync = JournalSync.None, SegmentBytes = 1 << 20 }))
            {
                var node = new JournalNode("n1");
                for (int i = 0; i < Records; i++)
                {
                    journal.Append(node, 256, JournalBodies.Make(200 + (i % 5)));
                }
            }

            string[] segments = Directory.GetFiles(path, "*.segment");
            Assert.That(Scan(floor, segments), Is.EqualTo(Records));
            byte[] bytes = File.ReadAllBytes(segments[0]);
            bytes[100_000] ^= 1;
            File.WriteAllBytes(segments[0], bytes);
            Assert.That(Scan(floor, segments), Is.InRange(1, Records - 1));
        }
        finally
        {
            Directory.Delete(folder, recursive: true);
        }
    }

    private static long Scan(JournalFloor floor, string[] segments)
    {
        using IJournalRival scan = floor.Scan(segments)!;
        return scan.Run(0).Records;
    }
}
