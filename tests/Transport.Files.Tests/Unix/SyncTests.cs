using System;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using System.Threading.Tasks;
using NUnit.Framework;
using Transport.Files.Tests.Kit;
using Transport.Testing;
using Transport.Testing.Wires;
using static Transport.Files.Tests.Kit.Expect;

namespace Transport.Files.Tests.Unix;

/// <summary>Everything is synced as asked, or nothing is published: interrupted calls, directories that cannot be listed.</summary>
internal sealed class SyncTests
{
    private const int TooManyOpenFiles = 24, DeviceFailed = 5;

    [Test]
    public void An_interrupted_sync_is_done_again()
    {
        using var root = new TestRoot();
        int interrupted = 0;
        var calls = new FaultyCalls((word, _) => word == "sync" && interrupted++ % 3 != 2 ? Errno.Interrupted : 0);
        using (Publication publication = Content(root, calls))
        {
            Assert.That(publication.Publish, Throws.Nothing);
        }

        Assert.That(interrupted, Is.EqualTo(3 * Syncs), "each was interrupted twice");
        Assert.That(root.Tree("target"), Is.EqualTo(new[] { "d", "d/f", "d/g" }));
    }

    [Test]
    public void A_staging_whose_lock_was_interrupted_is_locked_all_the_same()
    {
        using var root = new TestRoot();
        int asked = 0;
        var calls = new FaultyCalls((word, _) => word == "lock" && asked++ == 0 ? Errno.Interrupted : 0);
        using var live = Publication.Begin(root["target"], new FileOutputOptions { FileSystem = new UnixFileSystem(calls) });
        using (var other = Publication.Begin(root["target"]))
        {
            Assert.That(other.StagingsRemoved, Is.Zero, "the first one lives");
        }

        Assert.That(Directory.Exists(Path.GetDirectoryName(live.ContentPath)), Is.True);
    }

    [TestCase(TooManyOpenFiles, "EMFILE")]
    [TestCase(Errno.AccessDenied, "EACCES")]
    public void A_tree_that_cannot_be_listed_is_not_published_as_synced(int errno, string text)
    {
        using var root = new TestRoot();
        int left = 0;
        var calls = new FaultyCalls((word, name) => word == "open" && name == "." && left-- > 0 ? errno : 0);
        using (Publication publication = Content(root, calls))
        {
            left = 1;
            Assert.That(publication.Publish, Refuses(TransportFault.FileFailed, $"({text}): 'target'"));
            Assert.That(publication.IsPublished, Is.False);
        }

        Assert.That(root.Names(), Is.Empty);
    }

    [Test]
    public void A_listing_that_breaks_off_is_not_taken_for_all_of_it()
    {
        using var root = new TestRoot();
        const int Files = 2000;
        int batch = -1;
        var calls = new FaultyCalls((word, _) => word == "list" && batch >= 0 && batch++ == 1 ? DeviceFailed : 0);
        using (var publication = Publication.Begin(
            root["target"], new FileOutputOptions { Sync = FileSync.Data, FileSystem = new UnixFileSystem(calls) }))
        {
            Directory.CreateDirectory(publication.ContentPath);
            for (int i = 0; i < Files; i++)
            {
                File.WriteAllText(publication.ContentPath + "/f" + i, string.Empty);
            }

            batch = 0;
            Assert.That(publication.Publish, Refuses(TransportFault.FileFailed, "(EIO): 'target'"));
        }

        Assert.That(calls.Log.Count(l => l.StartsWith("sync", StringComparison.Ordinal)), Is.Zero);
        Assert.That(root.Names(), Is.Empty);
    }

    [Test]
    public void A_parent_that_cannot_be_listed_is_not_cleaned_and_all_else_goes_on()
    {
        using var root = new TestRoot();
        Directory.CreateDirectory(root[".target.0123456789abcdef"]);

        bool fails = true;
        var calls = new FaultyCalls((word, name) => fails && word == "open" && name == "." ? Errno.AccessDenied : 0);
        using (var publication = Publication.Begin(root["target"], new FileOutputOptions { FileSystem = new UnixFileSystem(calls) }))
        {
            fails = false;
            File.WriteAllText(publication.ContentPath, "x");
            Assert.That(publication.StagingsRemoved, Is.Zero);
            publication.Publish();
        }

        Assert.That(root.Names(), Is.EqualTo(new[] { ".target.0123456789abcdef", "target" }));
    }

    [Test]
    public void What_cannot_be_listed_and_so_not_removed_is_reported_with_its_reason()
    {
        using var root = new TestRoot();
        int left = 0;
        var calls = new FaultyCalls((word, name) => word == "open" && name == "." && left-- > 0 ? TooManyOpenFiles : 0);
        var publication = Publication.Begin(root["target"], new FileOutputOptions { FileSystem = new UnixFileSystem(calls) });
        File.WriteAllText(publication.ContentPath, "x");
        left = 2;   // each of the two who empty it
        publication.Dispose();
        Assert.That(publication.LeftBehind?.ToString(), Does.Contain("EMFILE"));
    }

    [Test]
    public void A_directory_that_cannot_be_listed_is_not_taken_for_an_empty_one()
    {
        using var root = new TestRoot();
        Directory.CreateDirectory(root["target"]);
        File.WriteAllText(root["target/kept"], "kept");
        var calls = new FaultyCalls((word, name) => word == "open" && name == "." ? TooManyOpenFiles : 0);
        var options = new FileOutputOptions { Existing = ExistingTarget.RefuseUnlessEmpty, FileSystem = new UnixFileSystem(calls) };
        Assert.That(() => Publication.Begin(root["target"], options), Refuses(TransportFault.FileFailed, "EMFILE"));
        Assert.That(root.Names(), Is.EqualTo(new[] { "target" }));
    }

    /// <summary>The real thing, in a process that has lowered its limit and holds all descriptors but a few.</summary>
    [Test]
    public async Task With_few_descriptors_left_a_tree_is_synced_whole_or_not_published()
    {
        using var root = new TestRoot();
        var lines = new List<string>();
        ChildProcess child = ChildProcess.Start(TestHost.Start("tree", "crowded", root.Path).With(output: line => Add(lines, line.Text)));
        ProcessExit end = await child.WaitForExitAsync().Within("the helper's end");
        TestContext.Out.WriteLine(string.Join("\n", lines));
        Assert.That(end.ExitCode, Is.Zero);
        Assert.That(lines, Has.All.Match($"^[0-9]+ left: (published, {Syncs} synced|not published, .*\\(EMFILE\\).*)$"));
        Assert.That(lines, Has.Some.Contains("not published").And.Some.Contains(": published"));
    }

    /// <summary>
    /// A failed output asked for a thread on its way out. There was none for want of descriptors, and that ended the process.
    /// </summary>
    /// <param name="limit">How many descriptors the process may have. It takes some 55 before it comes to the tree.</param>
    [Test]
    public Task With_few_descriptors_allowed_a_tree_is_published_or_an_error_says_why_not([Values(62, 64, 68, 72, 80)] int limit) =>
        PublishWithFewAsync(limit, null);

    /// <param name="left">How many the rest of the process has left.</param>
    [Test]
    public Task With_few_descriptors_left_a_tree_is_published_or_an_error_says_why_not([Values(0, 1, 2, 3, 4, 6, 8, 12)] int left) =>
        PublishWithFewAsync(256, left);

    private static async Task PublishWithFewAsync(int limit, int? left)
    {
        using var root = new TestRoot();
        string[] more = left is { } number ? [FormattableString.Invariant($"{number}")] : [];
        WorkerStartOptions host = TestHost.Start(["tree", "few", root["target"], .. more]);
        var lines = new List<string>();
        ChildProcess child = ChildProcess.Start(TestHost.WithDescriptors(limit, host).With(output: line => Add(lines, line.Text)));
        ProcessExit end = await child.WaitForExitAsync().Within("the helper's end");
        string all = string.Join("\n", lines);
        TestContext.Out.WriteLine(all);
        Assert.That(end.ExitCode, Is.EqualTo(0).Or.EqualTo(3), $"{end}\n{all}");
        Assert.That(Directory.Exists(root["target"]), Is.EqualTo(end.ExitCode == 0));
        Assert.That(all, end.ExitCode == 0 ? Does.Contain("1 published") : Does.Contain("(EMFILE)"));
        Assert.That(root.Names(), Has.None.StartsWith("."));
    }

    /// <summary>Who came next found the directory there and said so: "something is there already", of its own.</summary>
    [Test]
    public void A_directory_that_was_made_and_could_not_be_opened_is_not_made_again()
    {
        using var root = new TestRoot();
        bool fails = true;
        var calls = new FaultyCalls((word, name) => word == "open" && name == "d" && fails ? TooManyOpenFiles : 0);
        var options = new FileOutputOptions { FileSystem = new UnixFileSystem(calls), RetryFor = TimeSpan.Zero };
        using var publication = Publication.Begin(root["target"], options);
        using IOutputTree tree = publication.OpenTree(isTree: true);
        Folder folder = new FolderTable().ParentOf("d/f", out string name);
        Assert.That(() => tree.CreateFile(folder, name, 0x1A4, FileIo.Stream),
            Throws.InstanceOf<IOException>().With.Message.Contains("EMFILE"));
        fails = false;
        tree.CreateFile(folder, name, 0x1A4, FileIo.Stream).Abandon();
        Assert.That(tree.DirectoriesCreated, Is.EqualTo(1));
    }

    /// <summary>How many syncs <see cref="Content"/> takes: two files, a directory, the tree, its parent.</summary>
    private const int Syncs = 5;

    private static Publication Content(TestRoot root, UnixCalls calls)
    {
        var publication = Publication.Begin(
            root["target"], new FileOutputOptions { Sync = FileSync.All, FileSystem = new UnixFileSystem(calls) });
        Directory.CreateDirectory(publication.ContentPath + "/d");
        File.WriteAllText(publication.ContentPath + "/d/f", "f");
        File.WriteAllText(publication.ContentPath + "/d/g", "g");
        return publication;
    }

    private static void Add(List<string> lines, string line)
    {
        lock (lines)
        {
            lines.Add(line);
        }
    }
}
