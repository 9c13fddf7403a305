using System;
using System.Globalization;
using System.IO;
using System.Linq;
using System.Threading;
using System.Threading.Tasks;
using NUnit.Framework;
using Transport.Files.Tests.Kit;
using Transport.Testing;
using Transport.Testing.Wires;
using static Transport.Files.Tests.Kit.Expect;

namespace Transport.Files.Tests.Conformance;

/// <summary>Trees that are removed: whole, without following a link, and to the end even if a process was killed meanwhile.</summary>
internal sealed class RemovalTests(FileSystemKind kind) : ConformanceTests(kind)
{
    [TestCase(null)]
    [TestCase(0)]
    [TestCase(1)]
    [TestCase(8)]
    public async Task A_tree_of_any_shape_is_gone(int? writers)
    {
        using var root = new TestRoot();
        Fill(root, "tree", folders: 40, files: 20);
        string deep = root["tree/deep"];
        for (int i = 0; i < 60; i++)
        {
            deep += "/d";
        }

        Directory.CreateDirectory(deep);
        File.WriteAllText(deep + "/f", "deep");
        Assert.That(await RemoveAsync(root["tree"], new FileOutputOptions { Writers = writers }), Is.True);
        Assert.That(root.Names(), Is.Empty);
    }

    [Test]
    public async Task Nothing_there_is_nothing_to_remove()
    {
        using var root = new TestRoot();
        Assert.That(await RemoveAsync(root["tree"]), Is.False);
        Assert.That(root.Names(), Is.Empty);
    }

    [Promise("Files", "Removing a tree removes links in it and never follows one.")]
    [Test]
    public async Task Links_are_removed_and_what_they_lead_to_stays()
    {
        Kind.RequiresLinks();
        using var root = new TestRoot();
        Fill(root, "kept", folders: 2, files: 2);
        Fill(root, "tree", folders: 2, files: 2);
        await MakeLink(root, "tree/d0/folder", root["kept"]);
        await MakeLink(root, "tree/d1/file", root["kept/d0/f0"]);
        Assert.That(await RemoveAsync(root["tree"]), Is.True);
        Assert.That(root.Names(), Is.EqualTo(new[] { "kept" }));
        Assert.That(root.Tree("kept").Count(path => path.Contains("/f")), Is.EqualTo(4));
    }

    [Test]
    public async Task A_link_and_a_file_are_refused_and_stay()
    {
        Kind.RequiresLinks();
        using var root = new TestRoot();
        Fill(root, "kept", folders: 1, files: 1);
        await MakeLink(root, "link", root["kept"]);
        Assert.That(() => RemoveAsync(root["link"]),
            Refuses(TransportFault.FilePathRefused, $"remove '{root["link"]}': it is a symbolic link"));
        Assert.That(() => RemoveAsync(root["kept/d0/f0"]), Refuses(TransportFault.FilePathRefused, "it is no directory"));
        Assert.That(() => RemoveAsync(string.Empty), Refuses(TransportFault.FilePathRefused, "empty"));
        Assert.That(() => RemoveAsync("/"), Refuses(TransportFault.FilePathRefused, "no parent"));
        Assert.That(root.Names(), Is.EqualTo(new[] { "kept", "link" }));
        Assert.That(File.Exists(root["link/d0/f0"]), Is.True);
    }

    [TestCase(5, "the device failed (EIO)")]
    [TestCase(28, "no space left")]
    [TestCase(116, "its server does not know it any more (ESTALE)")]
    public void What_cannot_be_removed_has_its_name_again(int errno, string text)
    {
        Kind.RequiresUnix("a runtime's own deletion takes no faults");
        using var root = new TestRoot();
        Fill(root, "tree", folders: 5, files: 20);
        var calls = new FaultyCalls((word, name) => word == "unlink" && name == "f3" ? errno : 0);
        var options = new FileOutputOptions { FileSystem = new UnixFileSystem(calls) };
        Assert.That(() => RemoveAsync(root["tree"], options), Refuses(FaultOf(errno), text));
        Assert.That(root.Names(), Is.EqualTo(new[] { "tree" }), "and no staging");
        Assert.That(root.Tree("tree"), Has.Member("d0/f3").And.Member("d4/f3").And.None.EqualTo("d0/f2"));
    }

    [TestCase(-1)]
    [TestCase(10_000)]
    public void A_number_of_writers_that_cannot_be_is_refused_before_anything_is_removed(int writers)
    {
        using var root = new TestRoot();
        Fill(root, "tree", folders: 1, files: 1);
        Assert.That(() => FileOutput.RemoveTreeAsync(root["tree"], new FileOutputOptions { Writers = writers }),
            Throws.ArgumentException.With.Message.Contains("Writers").And.Message.Contains("0 to 64"));
        Assert.That(root.Names(), Is.EqualTo(new[] { "tree" }));
    }

    [Test]
    public void A_removal_that_is_cancelled_leaves_the_rest_at_its_name()
    {
        Kind.RequiresUnix("a runtime's own deletion cannot be cancelled");
        using var root = new TestRoot();
        Fill(root, "tree", folders: 20, files: 20);
        using var cancel = new CancellationTokenSource();
        int removed = 0;
        var calls = new FaultyCalls((word, _) =>
        {
            if (word == "unlink" && Interlocked.Increment(ref removed) == 50)
            {
                cancel.Cancel();
            }

            return 0;
        });
        var options = new FileOutputOptions { FileSystem = new UnixFileSystem(calls) };
        Assert.That(() => RemoveAsync(root["tree"], options, cancel.Token), Throws.InstanceOf<OperationCanceledException>());
        Assert.That(root.Names(), Is.EqualTo(new[] { "tree" }));
        Assert.That(root.Tree("tree").Count(path => path.Contains('/')), Is.InRange(1, 350));
    }

    [Test]
    public async Task A_folder_that_its_owner_may_not_enter_is_removed_too()
    {
        Kind.RequiresUnix("modes are the system's elsewhere");
        using var root = new TestRoot();
        Fill(root, "tree", folders: 3, files: 3);
        var calls = new UnixCalls();
        int locked = calls.Open(LinuxFlags.Here, root["tree/d1"], LinuxFlags.ReadOnly | LinuxFlags.Directory);
        Assert.That(calls.SetMode(locked, 0), Is.Zero);
        _ = calls.Close(locked);
        Assert.That(await RemoveAsync(root["tree"]), Is.True);
        Assert.That(root.Names(), Is.Empty);
    }

    [Test]
    public async Task What_a_killed_removal_has_left_is_removed_by_the_next([Values(1, 2, 500, 1500, 3061)] int at)
    {
        Kind.RequiresUnix("the helper removes by handles");
        using var root = new TestRoot();
        Fill(root, "tree", folders: 60, files: 50);   // with the top folder 3,061 removals
        var stopped = new TaskCompletionSource<string>(TaskCreationOptions.RunContinuationsAsynchronously);
        WorkerStartOptions start = TestHost.Start("tree", "remove", root["tree"], at.ToString(CultureInfo.InvariantCulture));
        ChildProcess child = ChildProcess.Start(start.With(output: line => stopped.TrySetResult(line.Text)));
        Assert.That(await stopped.Task.Within("the helper's line"), Does.StartWith("stopped before removing "));
        child.Kill();
        await child.WaitForExitAsync().Within("the helper's end");
        Assert.That(root.Names().Single(), Does.StartWith(".tree."), "the name is gone at once, and the rest is out of sight");
        Assert.That(await RemoveAsync(root["tree"]), Is.True);
        Assert.That(root.Names(), Is.Empty);
    }

    private static TransportFault FaultOf(int errno) => errno == Errno.NoSpace ? TransportFault.FileDiskFull : TransportFault.FileFailed;

    private static void Fill(TestRoot root, string name, int folders, int files)
    {
        for (int i = 0; i < folders; i++)
        {
            string folder = root[$"{name}/d{i}"];
            Directory.CreateDirectory(folder);
            for (int j = 0; j < files; j++)
            {
                File.WriteAllText($"{folder}/f{j}", "text");
            }
        }
    }

    private Task<bool> RemoveAsync(string path, FileOutputOptions? options = null, CancellationToken cancellationToken = default) =>
        FileOutput.RemoveTreeAsync(path, On(options), cancellationToken).Within("the removal");
}
