using System;
using System.IO;
using System.Linq;
using System.Threading.Tasks;
using NUnit.Framework;
using Transport.Files.Tests.Kit;
using static Transport.Files.Tests.Kit.Expect;

namespace Transport.Files.Tests.Conformance;

/// <summary>Stagings are private, locked while their process lives, and removed after that. Nothing else is removed.</summary>
internal sealed class StagingTests(FileSystemKind kind) : ConformanceTests(kind)
{
    private static readonly string Exited = StagingName.Create("target");

    [Test]
    public async Task A_staging_is_private_and_has_its_name()
    {
        using var root = new TestRoot();
        FileOutput output = FileOutput.Publish(root["target"], On());
        await using (output)
        {
            string staging = root.Names().Single();
            Assert.That(staging, Does.Match(@"^\.target\.[0-9a-f]{16}$"));
            Assert.That(Kind == FileSystemKind.Portable || Octal.Of(root.Look(staging).Permissions) == "700", Is.True);
        }
    }

    [Test]
    public async Task Abandoned_stagings_of_the_target_are_removed_and_live_ones_stay()
    {
        using var root = new TestRoot();
        using var live = Publication.Begin(root["target"], On());
        MakeExited(root, Exited);
        File.WriteAllText(root[Exited + "/target/d/f"], "half");
        FileOutput output = FileOutput.Publish(root["target"], On());
        await using (output)
        {
            Assert.That(root.Names(), Has.Length.EqualTo(2).And.None.EqualTo(Exited));
            Assert.That(Directory.Exists(Path.GetDirectoryName(live.ContentPath)!), Is.True);
            FileReceipt receipt = await output.CompleteAsync();
            Assert.That(receipt.StagingsRemoved, Is.EqualTo(1));
        }

        Assert.That(live.IsPublished, Is.False);
    }

    /// <summary>A directory inherits that bit from its parent, such as a group's shared folder.</summary>
    [Test]
    public void An_abandoned_staging_in_a_setgid_folder_is_removed()
    {
        Kind.RequiresUnix("modes are the system's elsewhere");
        using var root = new TestRoot();
        var calls = new UnixCalls();
        int parent = calls.Open(LinuxFlags.Here, root.Path, LinuxFlags.ReadOnly | LinuxFlags.Directory);
        Assert.That(calls.SetMode(parent, Octal.Mode("2775")), Is.Zero);
        _ = calls.Close(parent);
        MakeExited(root, Exited, "2700");
        using (var live = Publication.Begin(root["target"], On()))
        {
            string staging = Path.GetFileName(Path.GetDirectoryName(live.ContentPath)!);
            Assert.That(Octal.Of(root.Look(staging).Permissions), Is.EqualTo("2700"), "the kernel hands the bit down");
            Assert.That(live.StagingsRemoved, Is.EqualTo(1));
            Assert.That(Directory.Exists(root[Exited]), Is.False);
        }
    }

    /// <summary>Another user gave a private folder of the caller's the name of a staging, in a directory that all may write to, and it was
    /// removed.</summary>
    [TestCase("777", true)]
    [TestCase("1777", false)]
    [TestCase("755", false)]
    public void Where_others_may_change_names_nothing_is_taken_for_an_abandoned_staging(string mode, bool stays)
    {
        Kind.RequiresUnix("modes are the system's elsewhere");
        using var root = new TestRoot();
        var calls = new UnixCalls();
        int parent = calls.Open(LinuxFlags.Here, root.Path, LinuxFlags.ReadOnly | LinuxFlags.Directory);
        Assert.That(calls.SetMode(parent, Octal.Mode(mode)), Is.Zero);
        _ = calls.Close(parent);
        MakeExited(root, Exited);
        File.WriteAllText(root[Exited + "/precious"], "kept");
        using var live = Publication.Begin(root["target"], On());
        Assert.That((live.StagingsRemoved, File.Exists(root[Exited + "/precious"])), Is.EqualTo(stays ? (0, true) : (1, false)));
    }

    [TestCase("mode")]
    [TestCase("name")]
    [TestCase("other target")]
    [TestCase("file")]
    [TestCase("link")]
    [TestCase("locked")]
    public async Task What_is_no_abandoned_staging_stays(string what)
    {
        if (what == "mode")
        {
            Kind.RequiresUnix("modes are the system's elsewhere");
        }

        using var root = new TestRoot();
        Directory.CreateDirectory(root["precious"]);
        File.WriteAllText(root["precious/kept"], "kept");
        int held = -1;
        string name = what == "name" ? ".target.0123456789ABCDEF" : what == "other target" ? StagingName.Create("target2") : Exited;
        if (what == "file")
        {
            File.WriteAllText(root[name], "kept");
        }
        else if (what == "link")
        {
            await MakeLink(root, name, "precious");
        }
        else
        {
            MakeExited(root, name, what == "mode" ? "755" : "700");
        }

        var calls = new UnixCalls();
        if (what == "locked")
        {
            held = calls.Open(LinuxFlags.Here, root[name], LinuxFlags.ReadOnly | LinuxFlags.Directory);
            Assert.That(calls.Lock(held), Is.Zero);
        }

        UnixStatus before = root.Look(name);
        using (var publication = Publication.Begin(root["target"], On()))
        {
            Assert.That(publication.StagingsRemoved, Is.Zero);
        }

        _ = calls.Close(held);
        Assert.That(root.Look(name).IsSameAs(before), Is.True);
        Assert.That(File.ReadAllText(root["precious/kept"]), Is.EqualTo("kept"));
    }

    [Test]
    public async Task An_abandoned_staging_is_removed_without_following_links()
    {
        using var root = new TestRoot();
        Directory.CreateDirectory(root["precious"]);
        File.WriteAllText(root["precious/kept"], "kept");
        MakeExited(root, Exited);
        await MakeLink(root, Exited + "/target/d/link", "../../../precious");
        await MakeLink(root, Exited + "/target/up", "..");
        using (var publication = Publication.Begin(root["target"], On()))
        {
            Assert.That(publication.StagingsRemoved, Is.EqualTo(1));
        }

        Assert.That(root.Tree("precious"), Is.EqualTo(new[] { "kept" }));
        Assert.That(root.Names(), Is.EqualTo(new[] { "precious" }));
    }

    [Test]
    public void A_cleaner_that_comes_between_making_and_locking_is_outrun()
    {
        Kind.RequiresUnix("its faults are those of handles");
        using var root = new TestRoot();
        int cleaned = 0;
        var calls = new FaultyCalls((word, name) =>
        {
            if (word == "open" && StagingName.IsStagingName(name, "target") && cleaned < 3)
            {
                cleaned++;
                Directory.Delete(root[name]);
            }

            return 0;
        });
        using (var publication = Publication.Begin(root["target"], new FileOutputOptions { FileSystem = new UnixFileSystem(calls) }))
        {
            Assert.That(cleaned, Is.EqualTo(3));
            Assert.That(root.Names(), Has.Length.EqualTo(1));
        }

        cleaned = 0;
        calls = new FaultyCalls((word, name) => word == "lock" && cleaned++ < 2 ? Errno.Again : 0);
        using (var publication = Publication.Begin(root["target"], new FileOutputOptions { FileSystem = new UnixFileSystem(calls) }))
        {
            Assert.That(root.Names(), Has.Length.EqualTo(3), "those whose lock a cleaner had are the cleaner's to remove");
        }
    }

    [Test]
    public void A_staging_that_somebody_replaced_is_not_published()
    {
        using var root = new TestRoot();
        using (var publication = Publication.Begin(root["target"], On()))
        {
            string staging = Path.GetDirectoryName(publication.ContentPath)!;
            Directory.Move(staging, root["moved"]);
            Directory.CreateDirectory(staging + "/target");
            Assert.That(publication.Publish, Refuses(TransportFault.FileTreeChanged, "somebody replaced or moved the staging"));
            Directory.Delete(staging, true);
        }

        Assert.That(root.Names(), Is.EqualTo(new[] { "moved" }));
    }

    private static void MakeExited(TestRoot root, string name, string mode = "700")
    {
        Directory.CreateDirectory(root[name + "/target/d"]);
        var calls = new UnixCalls();
        int made = calls.Open(LinuxFlags.Here, root[name], LinuxFlags.ReadOnly | LinuxFlags.Directory);
        Assert.That(calls.SetMode(made, Octal.Mode(mode)), Is.Zero);
        _ = calls.Close(made);
    }
}
