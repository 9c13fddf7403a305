using System;
using System.IO;
using System.Linq;
using System.Text;
using System.Threading.Tasks;
using NUnit.Framework;
using Transport.Files.Tests.Kit;
using static Transport.Files.Tests.Kit.Expect;

namespace Transport.Files.Tests.Conformance;

/// <summary>A target is whole or absent, and nothing is replaced unasked.</summary>
internal sealed class PublicationTests(FileSystemKind kind) : ConformanceTests(kind)
{
    [Test]
    public async Task A_file_is_published_with_mode_and_time([Values] bool fromStream)
    {
        using var root = new TestRoot();
        byte[] bytes = Content.Of(400_000);
        var entry = new FileEntry { Mode = Octal.Mode("640"), Modified = new FileTime(1_000_000_000, 1) };
        FileReceipt receipt = fromStream
            ? await FileOutput.PublishFileAsync(root["f"], new MemoryStream(bytes), entry, On())
            : await FileOutput.PublishFileAsync(root["f"], bytes, entry, On());
        Assert.That((receipt.Files, receipt.Bytes, receipt.Directories, receipt.IsPublished), Is.EqualTo((1L, 400_000L, 0L, true)));
        Assert.That(File.ReadAllBytes(root["f"]), Is.EqualTo(bytes));
        Assert.That(root.Look("f").Modified, Is.EqualTo(Kind.Kept(new FileTime(1_000_000_000, 1))));
        Assert.That(root.Names(), Is.EqualTo(new[] { "f" }));
    }

    [TestCase("file")]
    [TestCase("directory")]
    [TestCase("link")]
    public async Task What_is_there_is_not_replaced_unasked(string kind)
    {
        using var root = new TestRoot();
        await Put(root, "target", kind, filled: true);
        Assert.That(() => FileOutput.Publish(root["target"], On()), Refuses(TransportFault.FileExists, "it is there already"));
        Assert.That(
            () => FileOutput.PublishFileAsync(root["target"], Content.Of(1), default, On()),
            Refuses(TransportFault.FileExists, "it is there already"));
        Assert.That(
            () => FileOutput.Publish(root["target"], On(new FileOutputOptions { Existing = ExistingTarget.RefuseUnlessEmpty })),
            Refuses(TransportFault.FileExists, "no empty directory"));
        Assert.That(root.Names(), Is.EqualTo(kind == "link" ? new[] { "elsewhere", "target" } : ["target"]));
    }

    [Test]
    public async Task What_appears_in_between_is_not_replaced(
        [Values("file", "directory", "link")] string kind,
        [Values] bool filled,
        [Values("refuse", "refuse unless empty", "was empty")] string before)
    {
        bool wasEmpty = before == "was empty";
        ExistingTarget existing = before == "refuse" ? ExistingTarget.Refuse : ExistingTarget.RefuseUnlessEmpty;
        using var root = new TestRoot();
        if (wasEmpty)
        {
            Directory.CreateDirectory(root["target"]);
        }

        FileOutput output = FileOutput.Publish(root["target"], On(new FileOutputOptions { Existing = existing }));
        await using (output)
        {
            output.Write("f", Content.Of(1));
            if (wasEmpty)
            {
                Directory.Delete(root["target"]);
            }

            await Put(root, "target", kind, filled);
            UnixStatus theirs = root.Look("target");
            if (wasEmpty && kind == "directory" && !filled)
            {
                await output.CompleteAsync(); // still an empty directory, as it was
                Assert.That(root.Tree("target"), Is.EqualTo(new[] { "f" }));
            }
            else
            {
                Assert.That(() => output.CompleteAsync().AsTask(), Throws.InstanceOf<TransportException>());
                Assert.That(root.Look("target"), Is.EqualTo(theirs));
            }
        }

        Assert.That(root.Names(), Is.EqualTo(kind == "link" ? new[] { "elsewhere", "target" } : ["target"]));
    }

    [Test]
    public async Task An_empty_directory_may_be_taken()
    {
        using var root = new TestRoot();
        Directory.CreateDirectory(root["target"]);
        FileOutput output = FileOutput.Publish(root["target"], On(new FileOutputOptions { Existing = ExistingTarget.RefuseUnlessEmpty }));
        await using (output)
        {
            output.Write("d/f", Content.Of(1));
            await output.CompleteAsync();
        }

        Assert.That(root.Tree("target"), Is.EqualTo(new[] { "d", "d/f" }));
        Assert.That(root.Names(), Is.EqualTo(new[] { "target" }));
    }

    [Test]
    public async Task Replacing_is_one_exchange([Values("none", "file", "directory", "link")] string kind, [Values] bool byFile)
    {
        using var root = new TestRoot();
        if (kind != "none")
        {
            await Put(root, "target", kind, filled: true);
        }

        bool wasSeen = true;
        var calls = new FaultyCalls((word, _) =>
        {
            wasSeen &= kind == "none" || root.TryLook("target") is not null;
            return 0;
        });
        IFileSystem? files = Kind == FileSystemKind.Unix ? new UnixFileSystem(calls) : null;
        var options = On(new FileOutputOptions { Existing = ExistingTarget.Replace, FileSystem = files });
        if (byFile)
        {
            await FileOutput.PublishFileAsync(root["target"], Content.Of(77), default, options);
        }
        else
        {
            FileOutput output = FileOutput.Publish(root["target"], options);
            await using (output)
            {
                output.Write("new", Content.Of(77));
                await output.CompleteAsync();
            }
        }

        Assert.That(File.ReadAllBytes(root[byFile ? "target" : "target/new"]), Is.EqualTo(Content.Of(77)));
        Assert.That(wasSeen, Is.True, "there was no moment without a target; by paths there is one, and nobody looks");
        Assert.That(root.Names(), Is.EqualTo(kind == "link" ? new[] { "elsewhere", "target" } : ["target"]));
        Assert.That(kind != "link" || File.Exists(root["elsewhere/kept"]), Is.True, "a link is replaced itself");
        Assert.That(byFile || root.Tree("target").SequenceEqual(["new"]), Is.True);
    }

    [Test]
    public async Task A_replaced_tree_is_removed_whatever_its_modes()
    {
        using var root = new TestRoot();
        Directory.CreateDirectory(root["target/closed/in"]);
        File.WriteAllText(root["target/closed/in/f"], "x");
        FileOutput first = FileOutput.Into(root["target"], On());
        await using (first)
        {
            first.CreateDirectory("closed/in", new FileEntry { Mode = 0 });
            first.CreateDirectory("closed", new FileEntry { Mode = Octal.Mode("100") });
            first.CreateDirectory(".", new FileEntry { Mode = Octal.Mode("555") });
            await first.CompleteAsync();
        }

        FileOutput output = FileOutput.Publish(root["target"], On(new FileOutputOptions { Existing = ExistingTarget.Replace }));
        await using (output)
        {
            FileReceipt receipt = await output.CompleteAsync();
            Assert.That(receipt.LeftBehind, Is.Null);
        }

        Assert.That(root.Tree("target"), Is.Empty);
        Assert.That(root.Names(), Is.EqualTo(new[] { "target" }));
    }

    [TestCase(Errno.Invalid, true, true)]
    [TestCase(Errno.NoCall, true, true)]
    [TestCase(Errno.Invalid, false, false)]
    public async Task Without_exchange_a_file_is_still_replaced_and_a_tree_is_not(int errno, bool byFile, bool succeeds)
    {
        Kind.RequiresUnix("there is no exchange by paths");
        using var root = new TestRoot();
        await Put(root, "target", byFile ? "file" : "directory", filled: true);
        var files = new UnixFileSystem(FaultyCalls.First(int.MaxValue, "rename2", errno));
        var options = new FileOutputOptions { Existing = ExistingTarget.Replace, FileSystem = files };
        if (byFile)
        {
            await FileOutput.PublishFileAsync(root["target"], Content.Of(77), default, options);
            Assert.That(File.ReadAllBytes(root["target"]), Is.EqualTo(Content.Of(77)));
        }
        else
        {
            FileOutput output = FileOutput.Publish(root["target"], options);
            await using (output)
            {
                Assert.That(() => output.CompleteAsync().AsTask(), Refuses(TransportFault.FileFailed, "RENAME_EXCHANGE"));
            }

            Assert.That(root.Tree("target"), Is.EqualTo(new[] { "kept" }));
        }

        Assert.That(root.Names(), Is.EqualTo(new[] { "target" }));
        Assert.That(succeeds, Is.EqualTo(byFile));
    }

    /// <summary>A tree that was to replace what is there was refused where nothing was.</summary>
    [Test]
    public async Task Without_exchange_a_tree_appears_where_nothing_is([Values(Errno.Invalid, Errno.NoCall)] int errno)
    {
        Kind.RequiresUnix("there is no exchange by paths");
        using var root = new TestRoot();
        var calls = new FaultyCalls((word, _) => word == "rename2" ? errno : 0);
        var options = new FileOutputOptions { Existing = ExistingTarget.Replace, FileSystem = new UnixFileSystem(calls) };
        FileOutput output = FileOutput.Publish(root["target"], options);
        await using (output)
        {
            output.Write("new", Content.Of(7));
            await output.CompleteAsync();
        }

        Assert.That(root.Tree("target"), Is.EqualTo(new[] { "new" }));
        Assert.That(root.Names(), Is.EqualTo(new[] { "target" }));
    }

    [Test]
    public async Task Without_the_flag_nothing_is_replaced_either([Values] bool byFile, [Values] bool appears)
    {
        Kind.RequiresUnix("there is no such flag by paths");
        using var root = new TestRoot();
        var calls = new FaultyCalls((word, _) =>
        {
            if (word == "rename1" && appears)
            {
                File.WriteAllText(root["target"], "theirs");
            }

            return word == "rename1" ? Errno.Invalid : 0;
        });
        var options = new FileOutputOptions { FileSystem = new UnixFileSystem(calls) };
        async Task Publish()
        {
            if (byFile)
            {
                await FileOutput.PublishFileAsync(root["target"], Content.Of(77), default, options);
                return;
            }

            FileOutput output = FileOutput.Publish(root["target"], options);
            await using (output)
            {
                await output.CompleteAsync();
            }
        }

        if (appears)
        {
            Assert.That(Publish, Refuses(TransportFault.FileExists, "something has appeared there meanwhile"));
            Assert.That(File.ReadAllText(root["target"]), Is.EqualTo("theirs"));
        }
        else
        {
            await Publish();
            Assert.That(byFile ? File.Exists(root["target"]) : Directory.Exists(root["target"]), Is.True);
        }

        Assert.That(root.Names(), Is.EqualTo(new[] { "target" }));
    }

    [TestCase(Errno.OtherDevice, "on another file system")]
    [TestCase(Errno.Busy, "mount point")]
    [TestCase(Errno.AccessDenied, "permission denied")]
    public void A_rename_that_fails_leaves_nothing(int errno, string text)
    {
        if (text == "mount point" && Kind == FileSystemKind.Portable)
        {
            text = "busy"; // only Linux's own error number says that it may be a mount point
        }

        using var root = new TestRoot();
        var calls = FaultyFileSystem.First(Kind, int.MaxValue, "rename", errno);
        var options = new FileOutputOptions { FileSystem = calls.FileSystem, RetryFor = TimeSpan.FromMilliseconds(20) };
        Assert.That(
            () => FileOutput.PublishFileAsync(root["target"], Content.Of(1), default, options), Refuses(TransportFault.FileFailed, text));
        Assert.That(root.Names(), Is.Empty);
    }

    [Test]
    public void A_missing_parent_is_reported_by_name()
    {
        using var root = new TestRoot();
        Assert.That(
            () => FileOutput.Publish(root["no/target"], On()),
            Refuses(TransportFault.FileFailed, "its parent directory cannot be opened: no such file"));
        Assert.That(() => FileOutput.Publish("/", On()), Refuses(TransportFault.FilePathRefused, "no parent"));
        Assert.That(() => FileOutput.Into(root["no"], On()), Refuses(TransportFault.FileFailed, "no such file"));
    }

    [Test]
    public async Task A_very_long_name_can_be_a_target()
    {
        using var root = new TestRoot();
        string name = new('\u00E4', 127);
        await FileOutput.PublishFileAsync(root[name], Content.Of(1), default, On());
        Assert.That(root.Names(), Is.EqualTo(new[] { name }));
    }

    [Test]
    public void Other_programs_may_make_the_content(
        [Values(FileSync.None, FileSync.Data, FileSync.All)] FileSync sync, [Values] bool isTree)
    {
        using var root = new TestRoot();
        using var publication = Publication.Begin(root["target"], On(new FileOutputOptions { Sync = sync }));
        if (isTree)
        {
            Directory.CreateDirectory(publication.ContentPath + "/d");
            File.WriteAllText(publication.ContentPath + "/d/f", "x");
        }
        else
        {
            File.WriteAllText(publication.ContentPath, "x");
        }

        publication.Publish();
        Assert.That((publication.IsPublished, publication.LeftBehind), Is.EqualTo((true, (FileFailure?)null)));
        Assert.That(File.Exists(root[isTree ? "target/d/f" : "target"]), Is.True);
        Assert.That(root.Names(), Is.EqualTo(new[] { "target" }));
        Assert.That(publication.Publish, Throws.InstanceOf<ObjectDisposedException>());
    }

    [Test]
    public void Nothing_to_publish_is_an_error()
    {
        using var root = new TestRoot();
        using (var publication = Publication.Begin(root["target"], On()))
        {
            Assert.That(publication.Publish, Refuses(TransportFault.FileFailed, "no content to publish"));
        }

        Assert.That(root.Names(), Is.Empty);
    }

    [Test]
    public void If_nothing_is_to_be_published_what_is_at_the_target_stays()
    {
        using var root = new TestRoot();
        Directory.CreateDirectory(root["target"]);
        File.WriteAllText(root["target/kept"], "kept");
        using (var publication = Publication.Begin(root["target"], On(new FileOutputOptions { Existing = ExistingTarget.Replace })))
        {
            Assert.That(publication.Publish, Refuses(TransportFault.FileFailed, "no content to publish"));
        }

        Assert.That(root.Tree("target"), Is.EqualTo(new[] { "kept" }));
        Assert.That(root.Names(), Is.EqualTo(new[] { "target" }));
    }

    [TestCase(FileSync.None, "")]
    [TestCase(FileSync.Data, "sync f0, sync f1, sync f2, rename1 target")]
    [TestCase(FileSync.All, "sync f0, sync f1, sync f2, sync c, sync b, sync a, sync ., rename1 target, sync " + "PARENT")]
    public async Task What_is_synced_is_synced_before_the_rename(FileSync sync, string expected)
    {
        Kind.RequiresUnix("Portable has its own order, see What_others_made_is_synced_before_it_is_published");
        using var root = new TestRoot();
        var calls = new FaultyCalls((_, _) => 0);
        FileOutput output = FileOutput.Publish(
            root["target"], new FileOutputOptions { Sync = sync, FileSystem = new UnixFileSystem(calls), Writers = 0 });
        await using (output)
        {
            for (int i = 0; i < 3; i++)
            {
                output.Write($"a/b/c/f{i}", Content.Of(10));
            }

            await output.CompleteAsync();
        }

        string[] words = sync == FileSync.None ? ["sync "] : ["sync ", "rename"];
        string[] log = [.. calls.Log.Where(l => words.Any(w => l.StartsWith(w, StringComparison.Ordinal)))];
        Assert.That(string.Join(", ", log), Is.EqualTo(expected.Replace("PARENT", root.Path).Replace("sync .,", "sync target,")));
    }

    private static async Task Put(TestRoot root, string name, string kind, bool filled)
    {
        switch (kind)
        {
            case "file":
                File.WriteAllText(root[name], filled ? "kept" : string.Empty, new UTF8Encoding(false));
                break;
            case "directory":
                Directory.CreateDirectory(root[name]);
                if (filled)
                {
                    File.WriteAllText(root[name + "/kept"], "kept");
                }

                break;
            default:
                Directory.CreateDirectory(root["elsewhere"]);
                File.WriteAllText(root["elsewhere/kept"], "kept");
                await MakeLink(root, name, filled ? "elsewhere" : "nowhere");
                break;
        }
    }
}
