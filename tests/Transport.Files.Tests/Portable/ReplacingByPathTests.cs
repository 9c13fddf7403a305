using System;
using System.Collections.Generic;
using System.Globalization;
using System.IO;
using System.Linq;
using System.Threading.Tasks;
using NUnit.Framework;
using Transport.Testing;
using Transport.Files.Tests.Kit;
using Transport.Testing.Wires;
using static Transport.Files.Tests.Kit.Expect;

namespace Transport.Files.Tests.Portable;

/// <summary>
/// Replacing a tree by two renames: whatever fails, and wherever the process dies, the old tree or the new one is there in the end.
/// </summary>
internal sealed class ReplacingByPathTests
{
    /// <summary>Far more than there are calls.</summary>
    private const int MostCalls = 100;

    /// <summary>Once, or from then on: then even what would put the old tree back fails.</summary>
    [Test]
    public async Task Whichever_call_fails_the_old_tree_or_the_new_one_is_whole([Values] bool always, [Values] FileSync sync)
    {
        int failed = 0;
        for (int at = 0; at < MostCalls; at++)
        {
            using var root = new TestRoot();
            await MakeAsync(root["target"], 1, new FileOutputOptions());
            int count = 0;
            bool Fails() => always ? count++ >= at : count++ == at;
            var calls = new FaultyPortableCalls((_, _) => Fails() ? new IOException("it broke") : null, publishingOnly: true);
            string error = await FailAsync(root, calls, sync);
            int? version = VersionedTree.Read(root["target"]);
            TestContext.Out.WriteLine($"call {at} ({calls.Log.ElementAtOrDefault(at)}): {Said(version)}, {error}");
            if (version is null)
            {
                Assert.That(error, Does.Contain("what was there before is in '"), "who looks for the tree is reported where it is");
            }

            using (Publication.Begin(root["target"], Replacing()))
            {
                Assert.That(VersionedTree.Read(root["target"]), Is.EqualTo(version ?? 1), "the next run has put it back");
            }

            Assert.That(root.Names(), Is.EqualTo(new[] { "target" }));
            failed += error.Length > 0 ? 1 : 0;
            if (calls.Log.Length <= at)
            {
                Assert.That(failed, Is.GreaterThanOrEqualTo(2));
                return;
            }
        }

        Assert.Fail("it never came to its end");
    }

    [Test]
    public async Task Wherever_a_process_is_killed_the_next_run_finds_the_old_tree_or_the_new_one([Values] bool refuses)
    {
        for (int at = 0; at < MostCalls; at++)
        {
            using var root = new TestRoot();
            await MakeAsync(root["target"], 1, new FileOutputOptions());
            string line = await StopAndKillAsync(root["target"], at);
            string before = string.Join(" ", root.Names());
            ExistingTarget existing = refuses ? ExistingTarget.Refuse : ExistingTarget.Replace;
            try
            {
                using var next = Publication.Begin(
                    root["target"], FileSystemKind.Portable.On(new FileOutputOptions { Existing = existing }));
                Assert.That(refuses, Is.False, "there is nothing at the target");
            }
            catch (TransportException there) when (there.Fault == TransportFault.FileExists)
            {
                Assert.That(refuses, Is.True);
            }

            int? version = VersionedTree.Read(root["target"]);
            TestContext.Out.WriteLine($"{line}, {before}: {Said(version)}");
            Assert.That(version, Is.AnyOf(1, 2));
            Assert.That(root.Names(), Is.EqualTo(new[] { "target" }));
            if (line == "over")
            {
                Assert.That(at, Is.GreaterThanOrEqualTo(3));
                return;
            }
        }

        Assert.Fail("it never came to its end");
    }

    [Test]
    public async Task What_a_live_run_has_put_aside_is_its_own_and_the_later_publication_stands()
    {
        using var root = new TestRoot();
        await MakeAsync(root["target"], 1, new FileOutputOptions());
        int moves = 0;
        var calls = new FaultyPortableCalls((call, _) =>
        {
            if (call == "move" && ++moves == 2)
            {
                // Between its two renames another run begins, cleans, and publishes.
                Assert.That(root.Names(), Has.Some.EndsWith(".old").And.None.EqualTo("target"));
                MakeAsync(root["target"], 3, new FileOutputOptions { Existing = ExistingTarget.Replace }).GetAwaiter().GetResult();
                Assert.That(root.Names(), Has.Some.EndsWith(".old").And.Some.EqualTo("target"));
            }

            return null;
        });
        await MakeAsync(
            root["target"], 2, new FileOutputOptions { Existing = ExistingTarget.Replace, FileSystem = new PortableFileSystem(calls) });
        Assert.That(VersionedTree.Read(root["target"]), Is.EqualTo(2));
        Assert.That(root.Names(), Is.EqualTo(new[] { "target" }));
    }

    [Test]
    public void What_was_put_aside_does_not_take_the_place_of_something_else()
    {
        using var root = new TestRoot();
        string staging = StagingName.Create("target"), replaced = StagingName.ReplacedPath(staging);
        Directory.CreateDirectory(root[staging + "/target"]);
        Directory.CreateDirectory(root[replaced + "/target/old"]);
        Directory.CreateDirectory(root["target/somebody's"]);
        using (var next = Publication.Begin(root["target"], Replacing()))
        {
            Assert.That(next.StagingsRemoved, Is.Zero);
        }

        Assert.That(root.Names(), Is.EquivalentTo(new[] { staging, replaced, "target" }), "nobody said that the old one may go");
        Assert.That(root.Tree("target"), Is.EqualTo(new[] { "somebody's" }));
        Directory.Delete(root["target"], true);
        Publication.Begin(root["target"], Replacing()).Dispose();
        Assert.That(root.Tree("target"), Is.EqualTo(new[] { "old" }));
        Assert.That(root.Names(), Is.EqualTo(new[] { "target" }));
    }

    /// <summary>The names of their stagings are cut, and then the same.</summary>
    [Test]
    public void What_was_put_aside_goes_back_to_its_own_target_only()
    {
        using var root = new TestRoot();
        string one = new string('n', 250) + "1", other = new string('n', 250) + "2";
        string replaced = StagingName.ReplacedPath(StagingName.Create(one));
        Directory.CreateDirectory(root[replaced + "/" + one + "/old"]);
        Publication.Begin(root[other], FileSystemKind.Portable.On()).Dispose();
        Assert.That(root.Names(), Is.EqualTo(new[] { replaced }));
        Publication.Begin(root[one], Replacing()).Dispose();
        Assert.That(root.Names(), Is.EqualTo(new[] { one }));
    }

    [TestCase(FileSync.None, "move target of OLD, move target")]
    [TestCase(FileSync.Data, "file f, file g, move target of OLD, move target")]
    [TestCase(
        FileSync.All,
        "file f, file g, folder d, folder target, folder PARENT, move target of OLD, folder OLD, move target, folder PARENT")]
    public void What_others_made_is_synced_before_it_is_published(FileSync sync, string expected)
    {
        using var root = new TestRoot();
        Directory.CreateDirectory(root["target"]);
        var calls = new FaultyPortableCalls((_, _) => null, publishingOnly: true);
        var options = new FileOutputOptions { Existing = ExistingTarget.Replace, Sync = sync, FileSystem = new PortableFileSystem(calls) };
        using (var publication = Publication.Begin(root["target"], options))
        {
            Directory.CreateDirectory(publication.ContentPath + "/d");
            File.WriteAllText(publication.ContentPath + "/d/f", "f");
            File.WriteAllText(publication.ContentPath + "/d/g", "g");
            publication.Publish();
        }

        // After that the replaced content is removed.
        string[] log = [.. calls.Log.TakeWhile(l => !l.EndsWith("/.old1", StringComparison.Ordinal))];
        string reported = string.Join(", ", log.Select(Reported)).Replace("file g, file f", "file f, file g");   // the system orders them
        Assert.That(reported, Is.EqualTo(expected));

        static bool IsOld(string path) => path.EndsWith(".old", StringComparison.Ordinal);

        string Reported(string line)
        {
            string[] words = line.Split([' '], 2);
            string path = words[1], name = path == root.Path ? "PARENT" : IsOld(path) ? "OLD" : Path.GetFileName(path);
            return $"{words[0]} {name}{(IsOld(Path.GetDirectoryName(path)!) ? " of OLD" : string.Empty)}";
        }
    }

    private static FileOutputOptions Replacing() =>
        FileSystemKind.Portable.On(new FileOutputOptions { Existing = ExistingTarget.Replace });

    private static string Said(int? version) => version is { } number ? FormattableString.Invariant($"version {number}") : "nothing";

    private static async Task MakeAsync(string target, int version, FileOutputOptions options)
    {
        FileOutput output = FileOutput.Publish(target, FileSystemKind.Portable.On(options));
        await using (output)
        {
            VersionedTree.Write(output, version, _ => { });
            await output.CompleteAsync().AsTask().Within("completion");
        }
    }

    /// <summary>Publishes version 2.</summary>
    /// <returns>What it says of a failure: the error, and what was left behind.</returns>
    private static async Task<string> FailAsync(TestRoot root, PortableCalls calls, FileSync sync)
    {
        var options = new FileOutputOptions
        {
            Existing = ExistingTarget.Replace,
            FileSystem = new PortableFileSystem(calls),
            Sync = sync,
            RetryFor = TimeSpan.Zero,
        };
        FileOutput output = FileOutput.Publish(root["target"], options);
        await using (output)
        {
            try
            {
                VersionedTree.Write(output, 2, _ => { });
                await output.CompleteAsync().AsTask().Within("completion");
                return output.Receipt!.LeftBehind?.ToString() ?? string.Empty;
            }
            catch (TransportException e)
            {
                return $"{e.Message} {output.Receipt!.LeftBehind}";
            }
        }
    }

    private static async Task<string> StopAndKillAsync(string target, int at)
    {
        var said = new TaskCompletionSource<string>(TaskCreationOptions.RunContinuationsAsynchronously);
        WorkerStartOptions start = TestHost.Start("tree", "stop", target, at.ToString(CultureInfo.InvariantCulture));
        ChildProcess child = ChildProcess.Start(start.With(output: line => said.TrySetResult(line.Text)));
        string first = await said.Task.Within("the helper's line");
        child.Kill();
        await child.WaitForExitAsync().Within("the helper's end");
        return first;
    }
}
