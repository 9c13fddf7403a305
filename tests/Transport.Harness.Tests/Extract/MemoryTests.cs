using System;
using System.Collections.Generic;
using System.Globalization;
using System.IO;
using System.Linq;
using System.Threading.Tasks;
using BuildHarness.Tests.Archives;
using BuildHarness.Tests.Processes;
using NUnit.Framework;
using Transport.Testing;

namespace BuildHarness.Tests.Extract;

/// <summary>Archives of as many entries, with as long names, as the default limits let through: memory stays below 400 MB.</summary>
/// <remarks>The usual run has a twentieth of them and a bound to match; eng/archive-memory.sh runs a million.</remarks>
[TestFixture]
[Platform(Include = "Linux")]
[NonParallelizable]
internal sealed class MemoryTests
{
    private const int Limit = 1_000_000;

    /// <summary>128 MiB of names in all, by a million entries.</summary>
    private const int NameBytes = (128 << 20) / Limit;

    /// <summary>What the program has with hardly an entry is below 100 MB; the rest of 400 MB is shared by a million.</summary>
    private const double MostMegabytes = 400, WithoutEntries = 100;

    private static readonly int Entries = Environment.GetEnvironmentVariable("TRANSPORT_ARCHIVE_ENTRIES") is { } given
        ? int.Parse(given, CultureInfo.InvariantCulture) : Nightly.Rounds(nightly: 200_000, otherwise: 50_000);

    [TestCase("folders")]
    [TestCase("hard links")]
    [TestCase("symbolic links")]
    [TestCase("empty files")]
    public async Task As_many_entries_as_the_limits_allow_stay_below_400_MB(string kind)
    {
        if (kind != "folders")
        {
            Nightly.Only("200,000 more entries");
        }

        using var folder = new TemporaryFolder();
        string archive = Path.Combine(folder.Path, "archive"), place = Directory.Exists("/dev/shm") ? "/dev/shm" : folder.Path;
        string target = Path.Combine(place, Path.GetFileName(folder.Path) + ".target");
        Write(archive, kind switch { "folders" => Folders(), "hard links" => HardLinks(), "symbolic links" => SymbolicLinks(), _ =>
            Files() });
        try
        {
            using Harness extract = Harness.Start("extract", archive, target);
            long most = 0;
            await Wait.UntilAsync(() => Extracting.HasEnded(extract.ProcessId, ref most), "it has ended");
            await extract.EndAsync();

            TestContext.Out.WriteLine($"{Entries} {kind}: {most * 1024 / 1_000_000} MB");
            Assert.That((extract.ExitCode, extract.Errors), Is.EqualTo((0, Array.Empty<string>())));
            Assert.That(Directory.EnumerateFileSystemEntries(target).Count(), Is.EqualTo(Entries));
            Assert.That(most * 1024 / 1e6, Is.InRange(10, WithoutEntries + ((MostMegabytes - WithoutEntries) * Entries / Limit)), "MB");
        }
        finally
        {
            if (Directory.Exists(target))
            {
                Directory.Delete(target, recursive: true);
            }
        }
    }

    private static IEnumerable<TarBytes> Folders() =>
        Enumerable.Range(0, Entries).Select(i => new TarBytes().Gnu('L', Name(i, NameBytes)).Dir("x"));

    private static IEnumerable<TarBytes> Files() =>
        Enumerable.Range(0, Entries).Select(i => new TarBytes().Gnu('L', Name(i, NameBytes)).Entry("x"));

    private static IEnumerable<TarBytes> SymbolicLinks() =>
        Enumerable.Range(0, Entries).Select(i => new TarBytes().Entry(Name(i, NameBytes / 2), '2', Name(0, NameBytes / 2)));

    private static IEnumerable<TarBytes> HardLinks()
    {
        string first = Name(0, NameBytes / 2);
        return Enumerable.Range(1, Entries - 1).Select(i => new TarBytes().Entry(Name(i, NameBytes / 2), '1', first))
            .Prepend(new TarBytes().Entry(first));
    }

    private static string Name(int number, int length) => number.ToString("D7", CultureInfo.InvariantCulture).PadRight(length, 'n');

    private static void Write(string path, IEnumerable<TarBytes> entries)
    {
        using FileStream file = File.Create(path, 1 << 20);
        foreach (TarBytes entry in entries)
        {
            file.Write(entry.Bytes());
        }

        file.Write(new byte[1024]);
    }
}
