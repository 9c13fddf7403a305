using System;
using System.IO;
using System.Linq;
using System.Threading.Tasks;
using BuildHarness.Tests.Archives;
using BuildHarness.Tests.Processes;
using Mono.Unix.Native;
using NUnit.Framework;
using Transport.Testing;

namespace BuildHarness.Tests.Extract;

/// <summary>Whole or not at all, whatever moment the process dies at.</summary>
[TestFixture]
[Platform(Include = "Linux")]
internal sealed class KillTests
{
    private const int Files = 1500;
    private static readonly int Kills = Nightly.Rounds(nightly: 50, otherwise: 12);

    [Test]
    public async Task A_killed_extract_leaves_all_or_nothing_and_the_next_one_cleans_up()
    {
        int seed = Environment.TickCount;
        TestContext.Out.WriteLine($"seed {seed}");
        var random = new Random(seed);
        using var folder = new TemporaryFolder();
        string archive = Archive(folder), target = Path.Combine(folder.Path, "target");
        int whole = 0, exited = 0;
        for (int i = 0; i < Kills; i++)
        {
            // Half of them die soon after they have begun to write, half at any number of files, the last of them after the end.
            int after = i % 2 == 0 ? random.Next(100) : random.Next(Files + 100);
            using Harness extract = Harness.Start("extract", archive, target);
            await Wait.UntilAsync(() => extract.Output.Length + extract.Errors.Length > 0 || Written(folder.Path) >= after
                || Directory.Exists(target), "it writes");
            Harness.Kill(extract.ProcessId, "KILL");
            await extract.EndAsync();

            Assert.That(extract.Errors, Is.Empty);
            if (Directory.Exists(target))
            {
                CheckWhole(target);
                Directory.Delete(target, recursive: true);
                whole++;
            }

            exited += extract.ExitCode == 137 ? 1 : 0;

            // What it left is the next one's to remove: there is never more than one.
            Assert.That(Extracting.NamesIn(folder.Path), Has.Length.LessThanOrEqualTo(2));
        }

        TestContext.Out.WriteLine($"{exited} killed, {whole} had published");
        Assert.That(exited, Is.GreaterThan(Kills / 4));
        using Harness last = await Harness.RunAsync("extract", archive, target);
        Assert.That((last.ExitCode, last.Errors), Is.EqualTo((0, Array.Empty<string>())));
        CheckWhole(target);
        Assert.That(Extracting.NamesIn(folder.Path), Is.EqualTo(new[] { "archive", "target" }));
    }

    [Test]
    public async Task A_living_neighbour_is_left_alone_and_finds_the_path_taken()
    {
        using var folder = new TemporaryFolder();
        string archive = Archive(folder), target = Path.Combine(folder.Path, "target");

        // Its trace goes into a pipe that nobody reads yet: it is held in the middle for as long as it is wanted there.
        string pipe = Path.Combine(folder.Path, "pipe");
        Assert.That(Syscall.mkfifo(pipe, FilePermissions.S_IRUSR | FilePermissions.S_IWUSR), Is.Zero);
        await using var full = new FileStream(pipe, FileMode.Open, FileAccess.ReadWrite, FileShare.ReadWrite, bufferSize: 0);
        using Harness first = Harness.Start("extract", archive, target, "--trace", pipe);
        await Wait.UntilAsync(() => Written(folder.Path) > 5, "the first writes");
        string[] staging = [.. Extracting.NamesIn(folder.Path).Where(name => name.StartsWith(".target.", StringComparison.Ordinal))];
        Assert.That(staging, Has.Length.EqualTo(1));

        using Harness second = await Harness.RunAsync("extract", archive, target);
        Assert.That((second.ExitCode, second.Errors), Is.EqualTo((0, Array.Empty<string>())));
        Assert.That(Extracting.NamesIn(folder.Path), Is.EqualTo(new[] { staging[0], "archive", "pipe", "target" }),
            "the first one's staging is its own");
        Assert.That(Written(folder.Path), Is.InRange(5, Files - 1), "the first is still in the middle");

        await using (var reader = new FileStream(pipe, FileMode.Open, FileAccess.Read, FileShare.ReadWrite, bufferSize: 0))
        {
            await full.DisposeAsync();
            await reader.CopyToAsync(Stream.Null);
        }

        await first.EndAsync();
        Assert.That(first.ExitCode, Is.EqualTo(1));
        Assert.That(first.Errors, Has.Length.EqualTo(1));
        Assert.That(first.Errors[0], Does.StartWith("buildharness: ").And.Contain("target"));
        CheckWhole(target);
        Assert.That(Extracting.NamesIn(folder.Path), Is.EqualTo(new[] { "archive", "pipe", "target" }));
    }

    [TestCase("INT", 130, 1)]
    [TestCase("TERM", 143, 1)]
    [TestCase("HUP", 129, 3, Description = "the kernel and the shell each report of a closed terminal")]
    public async Task A_signal_ends_it_with_nothing_left(string signal, int exitCode, int times)
    {
        using var folder = new TemporaryFolder();
        string archive = Archive(folder), target = Path.Combine(folder.Path, "target");
        using Harness extract = Harness.Start("extract", archive, target, "--sync", "data");
        await Wait.UntilAsync(() => Written(folder.Path) > 5, "it writes");
        for (int i = 0; i < times; i++)
        {
            Harness.Kill(extract.ProcessId, signal);
        }

        await extract.EndAsync();

        Assert.That(extract.Errors, Is.Empty);
        Assert.That(extract.Output, Has.Length.EqualTo(1));

        // A signal that comes when all is published changes nothing.
        bool isWhole = Directory.Exists(target);
        Assert.That(extract.ExitCode, Is.EqualTo(isWhole ? 0 : exitCode));
        Assert.That(extract.Output[0], Does.StartWith(isWhole ? "succeeded: " : "interrupted: nothing is at "));
        Assert.That(Extracting.NamesIn(folder.Path), Is.EqualTo(isWhole ? ["archive", "target"] : new[] { "archive" }));
    }

    private static string Archive(TemporaryFolder folder)
    {
        var tar = new TarBytes();
        for (int i = 0; i < Files; i++)
        {
            tar.Entry($"d{i % 30}/f{i}", content: $"content {i}");
        }

        string path = Path.Combine(folder.Path, "archive");
        File.WriteAllBytes(path, tar.End());
        return path;
    }

    /// <summary>How many files are in stagings.</summary>
    private static int Written(string folder)
    {
        try
        {
            return Directory.EnumerateDirectories(folder, ".target.*")
                .Sum(staging => Directory.EnumerateFiles(staging, "*", SearchOption.AllDirectories).Count());
        }
        catch (IOException)
        {
            // Published while it was counted.
            return int.MaxValue;
        }
    }

    private static void CheckWhole(string target)
    {
        string[] files = Directory.GetFiles(target, "*", SearchOption.AllDirectories);
        Assert.That(files, Has.Length.EqualTo(Files));
        foreach (string file in files)
        {
            Assert.That(File.ReadAllText(file), Is.EqualTo("content " + Path.GetFileName(file)[1..]));
        }
    }
}
