using System.IO;
using System.Linq;
using System.Threading.Tasks;
using BuildHarness.Tests.Archives;
using BuildHarness.Tests.Processes;
using NUnit.Framework;
using Transport.Testing;

namespace BuildHarness.Tests.Extract;

/// <summary>Nothing outside, nothing half there: for every archive that is refused.</summary>
[TestFixture]
[NonParallelizable]
internal sealed class MaliciousTests
{
    [SetUp]
    public void MakeOutside()
    {
        Directory.CreateDirectory(Malice.Outside);
        File.WriteAllText(Path.Combine(Malice.Outside, "victim"), "untouched");
    }

    [TearDown]
    public void RemoveOutside() => Directory.Delete(Malice.Outside, recursive: true);

    [TestCaseSource(typeof(Malice), nameof(Malice.Cases))]
    public async Task It_leaves_no_trace(Evil evil)
    {
        using var folder = new TemporaryFolder();
        string archive = Path.Combine(folder.Path, "archive");
        File.WriteAllBytes(archive, evil.Bytes());

        (int exitCode, string error) = await Extracting.FailAsync(archive, Path.Combine(folder.Path, "target"));

        Assert.That(exitCode, Is.EqualTo(1));
        Assert.That(error, Does.StartWith(archive + ": ").And.Contains(evil.Said));
        Assert.That(error.Any(char.IsControl), Is.False);
        Assert.That(Extracting.NamesIn(folder.Path), Is.EqualTo(new[] { "archive" }));
        Assert.That(Extracting.NamesIn(Malice.Outside), Is.EqualTo(new[] { "victim" }));
        Assert.That(File.ReadAllText(Path.Combine(Malice.Outside, "victim")), Is.EqualTo("untouched"));
    }

    [Test]
    public async Task An_empty_target_stays_as_it_was()
    {
        using var folder = new TemporaryFolder();
        string archive = Path.Combine(folder.Path, "archive"), target = Path.Combine(folder.Path, "target");
        File.WriteAllBytes(archive, new TarBytes().Entry("good", content: "x").Entry("../evil").End());
        Directory.CreateDirectory(target);

        Assert.That((await Extracting.FailAsync(archive, target)).ExitCode, Is.EqualTo(1));
        Assert.That(Extracting.NamesIn(target), Is.Empty);
        Assert.That(Extracting.NamesIn(folder.Path), Is.EqualTo(new[] { "archive", "target" }));
    }

    [TestCase("tar: bomb of entries")]
    [TestCase("gzip: bomb")]
    [TestCase("zip: bomb")]
    [Platform(Include = "Linux")]
    public async Task A_bomb_takes_less_than_400_MB(string name)
    {
        using var folder = new TemporaryFolder();
        string archive = Path.Combine(folder.Path, "archive");
        File.WriteAllBytes(archive, name.StartsWith("tar", System.StringComparison.Ordinal) ? ManyEntries()
            : Malice.All().Single(e => e.Name == name).Bytes());

        using Harness extract = Harness.Start("extract", archive, Path.Combine(folder.Path, "target"), "--limit-entries", "30000");
        long most = 0;
        await Wait.UntilAsync(() => Extracting.HasEnded(extract.ProcessId, ref most), "it has ended");
        await extract.EndAsync();

        Assert.That(extract.ExitCode, Is.EqualTo(1));
        Assert.That(extract.Errors, Has.Length.EqualTo(1));
        Assert.That(most, Is.InRange(1, 400 << 10), "KiB");
        Assert.That(Extracting.NamesIn(folder.Path), Is.EqualTo(new[] { "archive" }));
    }

    /// <summary>Paths of a thousand folders each, which one short name a folder brings.</summary>
    private static byte[] ManyEntries()
    {
        var tar = new TarBytes();
        string deep = string.Concat(Enumerable.Repeat("/d", 1500));
        for (int i = 0; i < 25; i++)
        {
            tar.Pax('x', $"path={i}{deep}").Entry("x");
        }

        return tar.End();
    }
}
