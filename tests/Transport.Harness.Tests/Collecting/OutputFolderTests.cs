using System;
using System.IO;
using System.Linq;
using System.Threading.Tasks;
using BuildHarness.Collecting;
using BuildHarness.Tests.Processes;
using NUnit.Framework;
using Transport.Files;
using Transport.Testing;

namespace BuildHarness.Tests.Collecting;

/// <summary>Which files an output folder has.</summary>
[TestFixture]
[Platform(Include = "Linux")]
internal sealed class OutputFolderTests
{
    private TemporaryFolder _folder = null!;

    private string Bin => Path.Combine(_folder.Path, "bin");

    [SetUp]
    public void Make() => _folder = new TemporaryFolder();

    [TearDown]
    public void Remove() => _folder.Dispose();

    [Test]
    public void All_files_come_in_the_order_of_their_names_hidden_ones_too()
    {
        _folder.File("bin/b.dll", string.Empty);
        _folder.File("bin/de/b.resources.dll", string.Empty);
        _folder.File("bin/.hidden", string.Empty);
        _folder.File("bin/B", string.Empty);
        Directory.CreateDirectory(Path.Combine(Bin, "empty"));

        Assert.That(Paths(), Is.EqualTo(new[] { ".hidden", "B", "b.dll", "de/b.resources.dll" }));
    }

    [Test]
    public void Links_are_followed()
    {
        _folder.File("packages/p.dll", "p");
        _folder.File("packages/de/p.resources.dll", "r");
        Directory.CreateDirectory(Bin);
        File.CreateSymbolicLink(Path.Combine(Bin, "p.dll"), "../packages/p.dll");
        Directory.CreateSymbolicLink(Path.Combine(Bin, "de"), "../packages/de");
        Directory.CreateSymbolicLink(Path.Combine(Bin, "fr"), "../packages/de");

        Assert.That(Paths(), Is.EqualTo(new[] { "de/p.resources.dll", "fr/p.resources.dll", "p.dll" }), "one folder twice is no circle");
    }

    [Test]
    public void A_circle_ends_with_its_name([Values(".", "..")] string to)
    {
        Directory.CreateDirectory(Path.Combine(Bin, "deep"));
        Directory.CreateSymbolicLink(Path.Combine(Bin, "deep", "circle"), to);

        Assert.That(Paths, Throws.TypeOf<IOException>().With.Message.EqualTo("deep/circle leads back to a folder that it is in."));
    }

    [Test]
    public async Task What_cannot_be_opened_says_why()
    {
        Directory.CreateDirectory(Bin);
        File.CreateSymbolicLink(Path.Combine(Bin, "lost"), "nowhere");
        await using (var output = FileOutput.Into(Bin))
        {
            await output.WriteAsync("not\udcff", new byte[1]);
            await output.CompleteAsync();
        }

        Assert.That(() => FileStatus.Of(Path.Combine(Bin, "lost")),
            Throws.TypeOf<IOException>().With.Message.EqualTo("it is a link that leads nowhere."));
        string name = OutputFolder.Files(Bin).Single(f => f.Path != "lost").FullPath;
        Assert.That(() => FileStatus.Of(name),
            Throws.TypeOf<IOException>().With.Message.EqualTo("its name is no UTF-8, and .NET cannot open it."));
        Assert.That(() => FileStatus.Of(Path.Combine(Bin, "gone")),
            Throws.TypeOf<IOException>().With.Message.EqualTo("it is not there any more."));
    }

    private string[] Paths() => [.. OutputFolder.Files(Bin + Path.DirectorySeparatorChar).Select(f => f.Path)];
}
