using System;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using BuildHarness.Collecting;
using BuildHarness.Packets;
using BuildHarness.Tests.Processes;
using NUnit.Framework;
using Transport.MSBuild;
using Transport.Testing;

namespace BuildHarness.Tests.Collecting;

/// <summary>Which folders may be collected into, and which are somebody's own.</summary>
[TestFixture]
[Platform(Include = "Linux")]
internal sealed class CollectionTargetTests
{
    private TemporaryFolder _folder = null!;

    private string Target => Path.Combine(_folder.Path, "out");

    [SetUp]
    public void Make() => _folder = new TemporaryFolder();

    [TearDown]
    public void Remove() => _folder.Dispose();

    [TestCase("", "it is a file; name a folder.")]
    [TestCase("/mine", "it is not empty and no earlier collection (it has no .buildharness-collection); name a folder that is not there, "
        + "is empty, or was collected into before.")]
    public void What_is_somebodys_own_is_refused(string file, string why)
    {
        _folder.File("out" + file, "mine");

        Assert.That(Fault(Target), Is.EqualTo($"--collect-outputs {Target}: {why}"));
        Assert.That(File.ReadAllText(Target + file), Is.EqualTo("mine"));
    }

    [Test]
    public void A_link_is_refused_also_to_a_collection()
    {
        Collect("first");
        string link = Path.Combine(_folder.Path, "link");
        Directory.CreateSymbolicLink(link, Target);

        Assert.That(Fault(link), Is.EqualTo($"--collect-outputs {link}: it is a link; name the folder that it leads to."));
        Assert.That(Fault(link + "/"), Is.EqualTo($"--collect-outputs {link}/: it is a link; name the folder that it leads to."));
    }

    [TestCase("/")]
    [TestCase("/proc/out")]
    [TestCase("missing/out")]
    public void A_place_without_a_writable_parent_is_refused_at_once(string directory)
    {
        string path = directory.StartsWith('/') ? directory : Path.Combine(_folder.Path, directory);

        Assert.That(Fault(path), Does.StartWith($"--collect-outputs {path}: ").And.Not.Contain("\n"));
    }

    [Test]
    public void An_empty_folder_and_an_earlier_collection_are_replaced()
    {
        Directory.CreateDirectory(Target);
        Collect("first");
        _folder.File("out/A/old", "left by the first");
        Collect("second");

        Assert.That(Directory.EnumerateFiles(Target, "*", SearchOption.AllDirectories).Select(f => Path.GetRelativePath(Target, f)),
            Is.EquivalentTo(new[] { CollectionTarget.Marker, "A/a" }));
        Assert.That(File.ReadAllText(Path.Combine(Target, "A", "a")), Is.EqualTo("second"));
        Assert.That(Directory.EnumerateFileSystemEntries(_folder.Path), Has.Exactly(1).Items);
    }

    [TestCase("out", "src/A/bin", "src/A", null)]
    [TestCase("src/A/bin/out", "src/A/bin", "src/A", "it is in the output folder of A")]
    [TestCase("src/A/bin/deep/out", "src/A/bin", "src/A", "it is in the output folder of A")]
    [TestCase("out", "out", "src/A", "the output folder of A is in it")]
    [TestCase("out", "out/A", "src/A", "the output folder of A is in it")]
    [TestCase("out", "bin", "out/A", "the project A is in it")]
    [TestCase("src/A/out", "src/A/bin", "src/A", null)]
    [TestCase("bin-out", "bin", "src/A", null)]
    public void Outputs_and_collection_in_each_other_are_refused(string target, string output, string project, string? why)
    {
        string path = Path.Combine(_folder.Path, target);
        Directory.CreateDirectory(Path.GetDirectoryName(path)!);
        using var opened = CollectionTarget.Open(path);
        BuiltProject[] projects = [new(0, new ProjectEvaluated(
            Path.Combine(_folder.Path, project, "A.csproj"), string.Empty, IsInner: false, Path.Combine(_folder.Path, output), string.Empty))];

        Assert.That(() => opened.CheckBeside(projects), why is null ? Throws.Nothing
            : Throws.TypeOf<HarnessException>().With.Message.EqualTo($"--collect-outputs {path}: {why}; name another folder."));
    }

    [Test]
    public void Where_the_folder_around_is_moved_nothing_is_made_in_its_place()
    {
        string around = Path.Combine(_folder.Path, "around"), moved = Path.Combine(_folder.Path, "moved"),
            path = Path.Combine(around, "out");
        Directory.CreateDirectory(around);
        using (var target = CollectionTarget.Open(path))
        {
            Directory.CreateDirectory(Path.Combine(target.Incoming, "0.1"));
            Directory.Move(around, moved);
            HarnessException? fault = Assert.Throws<HarnessException>(() =>
                target.Publish(new Dictionary<string, string>(StringComparer.Ordinal) { ["0.1"] = "A" }));
            Assert.That(fault!.Message,
                Is.EqualTo($"--collect-outputs {path}: the folder that it is in was moved or removed while the build ran."));
        }

        Assert.That(Directory.EnumerateFileSystemEntries(_folder.Path), Is.EqualTo(new[] { moved }));
        Assert.That(Directory.EnumerateFileSystemEntries(moved), Is.Empty);
    }

    [Test]
    public void An_earlier_collection_that_is_removed_meanwhile_is_named_as_that()
    {
        Collect("first");
        using var target = CollectionTarget.Open(Target);
        Directory.Delete(Target, recursive: true);
        HarnessException? fault =
            Assert.Throws<HarnessException>(() => target.Publish(new Dictionary<string, string>(StringComparer.Ordinal)));
        Assert.That(fault!.Message, Is.EqualTo($"--collect-outputs {Target}: what was there was moved or removed while the build ran."));
    }

    private static string Fault(string directory)
    {
        HarnessException? fault = Assert.Throws<HarnessException>(() => CollectionTarget.Open(directory).Dispose());
        Assert.That(fault!.ExitCode, Is.EqualTo(1));
        return fault.Message;
    }

    private void Collect(string text)
    {
        using var target = CollectionTarget.Open(Target);
        File.WriteAllText(Path.Combine(Directory.CreateDirectory(Path.Combine(target.Incoming, "0.1")).FullName, "a"), text);
        target.Publish(new Dictionary<string, string>(StringComparer.Ordinal) { ["0.1"] = "A" });
    }
}
