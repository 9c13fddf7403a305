using System;
using System.IO;
using System.Runtime.InteropServices;
using NUnit.Framework;
using Transport.Files.Tests.Kit;
using static Transport.Files.Tests.Kit.Expect;

namespace Transport.Files.Tests.Portable;

/// <summary>A folder that others may write to. Whatever has the names of stagings there, nothing elsewhere is moved or removed.</summary>
internal sealed class HostileNamesByPathTests
{
    private const int Stranger = 12345;
    private static readonly string Exited = StagingName.Create("target"), Replaced = StagingName.ReplacedPath(Exited);

    /// <summary>Alone, beside an abandoned staging that was not published, and beside one that was.</summary>
    [TestCase("nothing")]
    [TestCase("staging with content")]
    [TestCase("empty staging")]
    public void A_link_in_the_place_of_what_was_put_aside_is_ignored(string beside)
    {
        using var root = new TestRoot();
        MakeHome(root);
        if (beside != "nothing")
        {
            Directory.CreateDirectory(root[beside == "empty staging" ? Exited : Exited + "/target"]);
        }

        Link(root, Replaced, "home");
        using (Publication publication = Begin(root))
        {
            AssertHome(root);
            Assert.That(publication.StagingsRemoved, Is.EqualTo(beside == "nothing" ? 0 : 1), "the link holds nothing up");
            Publish(publication);
        }

        AssertHome(root);
        Assert.That(root.Look(Replaced).IsLink, Is.True, "it is not this library's");
        Assert.That(root.Tree("target"), Is.EqualTo(new[] { "new" }));
        Assert.That(root.Names(), Is.EquivalentTo(new[] { Replaced, "home", "target" }));
    }

    /// <summary>The staging's name is there for everybody to read while the content grows.</summary>
    [Test]
    public void A_link_where_a_live_run_puts_the_old_tree_aside_is_refused([Values] bool leads)
    {
        using var root = new TestRoot();
        MakeHome(root);
        Directory.CreateDirectory(root["target/old"]);
        using Publication publication = Begin(root);
        string replaced = StagingName.ReplacedPath(Path.GetFileName(Path.GetDirectoryName(publication.ContentPath)!));
        Link(root, replaced, leads ? "home" : "nowhere");
        Assert.That(() => Publish(publication), Refuses(TransportFault.FileTreeChanged, "is not a folder of this run"));
        publication.Dispose();
        AssertHome(root);
        Assert.That(root.Tree("target"), Is.EqualTo(new[] { "old" }));
        Assert.That(root.Look(replaced).IsLink, Is.True);
        Assert.That(root.Names(), Is.EquivalentTo(new[] { replaced, "home", "target" }));
    }

    [Test]
    public void A_link_in_the_place_of_a_live_staging_is_neither_published_nor_filled_nor_removed()
    {
        using var root = new TestRoot();
        MakeHome(root);
        using Publication publication = Begin(root);
        string staging = Path.GetFileName(Path.GetDirectoryName(publication.ContentPath)!);
        Directory.Move(root[staging], root["moved"]);
        Link(root, staging, "home");
        Assert.That(() => publication.OpenTree(isTree: true), Throws.InstanceOf<IOException>().With.Message.Contains("replaced or moved"));
        Assert.That(publication.Publish, Refuses(TransportFault.FileTreeChanged, "somebody replaced or moved the staging"));
        publication.Dispose();
        AssertHome(root);
        Assert.That(publication.LeftBehind?.ToString(), Does.Contain("replaced or moved"));
        Assert.That(root.Look(staging).IsLink, Is.True);
        Assert.That(root.Names(), Is.EquivalentTo(new[] { staging, "home", "moved" }));
    }

    [Test]
    public void What_belongs_to_somebody_else_is_left_alone()
    {
        using var root = new TestRoot();
        string other = StagingName.Create("target"), otherReplaced = StagingName.ReplacedPath(other);
        Directory.CreateDirectory(root[Replaced + "/target/theirs"]);
        Directory.CreateDirectory(root[other + "/target"]);
        Directory.CreateDirectory(root[otherReplaced + "/target/theirs"]);
        GiveAway(root, Replaced, other, otherReplaced);
        using (Publication publication = Begin(root))
        {
            Assert.That(publication.StagingsRemoved, Is.Zero);
            Assert.That(Directory.Exists(root["target"]), Is.False, "nothing of theirs was put there");
            Publish(publication);
        }

        Assert.That(root.Names(), Is.EquivalentTo(new[] { Replaced, other, otherReplaced, "target" }));
        Assert.That(root.Tree(Replaced), Is.EqualTo(new[] { "target", "target/theirs" }));
        Assert.That(root.Tree(otherReplaced), Is.EqualTo(new[] { "target", "target/theirs" }));
    }

    [Test]
    public void A_strangers_folder_where_a_live_run_puts_the_old_tree_aside_is_refused()
    {
        using var root = new TestRoot();
        Directory.CreateDirectory(root["target/old"]);
        using Publication publication = Begin(root);
        string replaced = StagingName.ReplacedPath(Path.GetFileName(Path.GetDirectoryName(publication.ContentPath)!));
        Directory.CreateDirectory(root[replaced + "/target/theirs"]);
        GiveAway(root, replaced);
        Assert.That(() => Publish(publication), Refuses(TransportFault.FileTreeChanged, "is not a folder of this run"));
        publication.Dispose();
        Assert.That(root.Tree("target"), Is.EqualTo(new[] { "old" }));
        Assert.That(root.Tree(replaced), Is.EqualTo(new[] { "target", "target/theirs" }));
    }

    /// <summary>What was put aside may itself be a link: then it goes back as a link.</summary>
    [Test]
    public void A_link_that_was_put_aside_goes_back_itself()
    {
        using var root = new TestRoot();
        MakeHome(root);
        Directory.CreateDirectory(root[Replaced]);
        Link(root, Replaced + "/target", "../home");
        Begin(root).Dispose();
        AssertHome(root);
        Assert.That(root.Look("target").IsLink, Is.True);
        Assert.That(root.Names(), Is.EquivalentTo(new[] { "home", "target" }));
    }

    /// <summary>The lock of Windows, which is deleted as it is closed.</summary>
    [Test]
    public void A_lock_file_that_is_a_link_is_not_opened([Values] bool leads)
    {
        using var root = new TestRoot();
        MakeHome(root);
        Directory.CreateDirectory(root[Exited]);
        string path = Exited + "/" + StagingLock.FileName("target");
        Link(root, path, leads ? "../home/target/precious" : "../home/made");
        Assert.That(() => StagingLock.OpenAlone(root[path]).Dispose(), Throws.InstanceOf<IOException>());
        AssertHome(root);
        Assert.That(root.Look(path).IsLink, Is.True);
    }

    private static Publication Begin(TestRoot root) =>
        Publication.Begin(root["target"], FileSystemKind.Portable.On(new FileOutputOptions { Existing = ExistingTarget.Replace }));

    private static void Publish(Publication publication)
    {
        Directory.CreateDirectory(publication.ContentPath + "/new");
        publication.Publish();
    }

    private static void MakeHome(TestRoot root)
    {
        Directory.CreateDirectory(root["home/target"]);
        File.WriteAllText(root["home/target/precious"], "kept");
    }

    private static void AssertHome(TestRoot root) =>
        Assert.That(root.Tree("home"), Is.EqualTo(new[] { "target", "target/precious" }), "nothing elsewhere was touched");

    private static void Link(TestRoot root, string path, string target) =>
        Assert.That(new UnixCalls().MakeSymbolicLink(target, LinuxFlags.Here, root[path]), Is.Zero);

    private static void GiveAway(TestRoot root, params string[] names)
    {
        if (Libc.geteuid() != 0)
        {
            Assert.Ignore("only root may give away what it owns");
        }

        foreach (string name in names)
        {
            Assert.That(ChangeOwner(root[name], Stranger, Stranger), Is.Zero);
        }
    }

    [DllImport("libc", EntryPoint = "lchown", CharSet = CharSet.Ansi, BestFitMapping = false, ThrowOnUnmappableChar = true)]
    private static extern int ChangeOwner(string path, int user, int group);
}
