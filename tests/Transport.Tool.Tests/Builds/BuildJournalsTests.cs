using System;
using System.IO;
using System.Linq;
using NUnit.Framework;
using Transport.Journal;
using Transport.Testing;

namespace Transport.Tool.Tests.Builds;

internal sealed class BuildJournalsTests
{
    [Test]
    public void The_oldest_journals_go_but_not_one_that_is_being_written_nor_what_is_none()
    {
        using var folder = new TemporaryFolder();
        string[] closed = [.. Enumerable.Range(10, 12).Select(i => Path.Combine(folder.Path, $"202601{i}-120000-1"))];
        foreach (string one in closed)
        {
            PacketJournal.Open(one, new JournalOptions()).Dispose();
        }

        string written = Path.Combine(folder.Path, "20260101-120000-1"), foreign = Path.Combine(folder.Path, "20250101-mine");
        File.WriteAllText(Path.Combine(Directory.CreateDirectory(foreign).FullName, "mine.txt"), "mine");
        using var journal = PacketJournal.Open(written, new JournalOptions());

        string next = BuildJournals.NewFolder(folder.Path, TimeProvider.System);

        Assert.That(Directory.GetDirectories(folder.Path).Order(StringComparer.Ordinal),
            Is.EqualTo(new[] { foreign, written }.Concat(closed.TakeLast(BuildJournals.Kept - 1))));
        Assert.That(Directory.Exists(next), Is.False);
    }
}
