using System;
using System.IO;
using System.Linq;
using System.Threading.Tasks;
using NUnit.Framework;
using Transport.Testing;
using Transport.Files.Tests.Kit;
using Transport.Testing.Wires;

namespace Transport.Files.Tests.Conformance;

/// <summary>A process that publishes is killed at random moments.</summary>
internal sealed class KillTests(FileSystemKind kind) : ConformanceTests(kind)
{
    private const int Kills = 10, Versions = 1000;

    [Test]
    public async Task A_killed_process_leaves_a_whole_target_or_none()
    {
        int seed = Environment.TickCount;
        TestContext.Out.WriteLine($"seed {seed}");
        var random = new Random(seed);
        using var root = new TestRoot();
        string target = root["target"];
        using var live = Publication.Begin(target, On(new FileOutputOptions { Existing = ExistingTarget.Replace }));
        File.WriteAllText(live.ContentPath, "a neighbour's");
        for (int kill = 0; kill < Kills; kill++)
        {
            int steps = random.Next(1, 60);
            string last = await RunAndKillAsync(target, steps);
            int? found = null;
            if (Kind == FileSystemKind.Unix)
            {
                found = Check(target, last);   // by paths there is a moment without a target, and the next run ends it
            }

            using (var next = Publication.Begin(target, On(new FileOutputOptions { Existing = ExistingTarget.Replace })))
            {
                Assert.That(next.StagingsRemoved, Is.LessThanOrEqualTo(1));
                Assert.That(Check(target, last), Is.EqualTo(found ?? VersionedTree.Read(target)));
            }

            string?[] neighbour = [Path.GetFileName(Path.GetDirectoryName(live.ContentPath))];
            Assert.That(root.Names().Where(n => n != "target"), Is.EqualTo(neighbour), "only the live neighbour's staging is left");
            Assert.That(File.ReadAllText(live.ContentPath), Is.EqualTo("a neighbour's"));
            if (random.Next(2) == 0 && Directory.Exists(target))
            {
                Directory.Delete(target, true);
            }
        }
    }

    private static int? Check(string target, string last)
    {
        int? version = VersionedTree.Read(target);
        TestContext.Out.WriteLine($"killed after '{last}': version {version?.ToString() ?? "none"}");
        Assert.That(version ?? 0, Is.AtLeast(LastPublished(last)));
        return version;
    }

    private static int LastPublished(string line)
    {
        string[] words = line.Split(' ');
        int version = int.Parse(words[0], System.Globalization.CultureInfo.InvariantCulture);
        return words[1] == "published" ? version : version - 1;
    }

    private async Task<string> RunAndKillAsync(string target, int steps)
    {
        string last = "0 published";
        int left = steps;
        var reached = new TaskCompletionSource<bool>(TaskCreationOptions.RunContinuationsAsynchronously);
        void Take(OutputLine line)
        {
            last = line.Text;
            if (--left == 0)
            {
                reached.TrySetResult(true);
            }
        }

        string versions = Versions.ToString(System.Globalization.CultureInfo.InvariantCulture);
        string word = Kind == FileSystemKind.Portable ? "replace-by-path" : "replace";
        ChildProcess child = ChildProcess.Start(TestHost.Start("tree", word, target, versions).With(output: Take));
        Task first = await Task.WhenAny(reached.Task, child.WaitForExitAsync()).Within("the helper's step");
        Assert.That(first, Is.SameAs(reached.Task), () => "the helper ended by itself: " + last);
        child.Kill();
        ProcessExit end = await child.WaitForExitAsync().Within("the helper's end");
        Assert.That(end.Signal, Is.EqualTo(9));
        return last;
    }
}
