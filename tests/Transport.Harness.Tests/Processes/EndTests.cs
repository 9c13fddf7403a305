using System;
using System.IO;
using System.Linq;
using System.Threading.Tasks;
using NUnit.Framework;
using Transport;
using Transport.MSBuild;
using Transport.Testing;

namespace BuildHarness.Tests.Processes;

/// <summary>How a build ends that is not let finish.</summary>
[TestFixture]
[Platform(Include = "Linux")]
internal sealed class EndTests
{
    [Promise("Worker exits", "Ctrl+C ends the build harness and all of its workers within five seconds.")]
    [TestCase("INT", 130)]
    [TestCase("TERM", 143)]
    [TestCase("HUP", 129)]
    public async Task A_signal_ends_everything_within_5_s(string signal, int exitCode)
    {
        using var folder = new TemporaryFolder();
        (Harness run, int[] workers) = await StartAsync(folder);
        using (run)
        {
            long start = Environment.TickCount64;
            Harness.Kill(run.ProcessId, signal);
            await run.EndAsync();

            Assert.That(run.ExitCode, Is.EqualTo(exitCode));
            Assert.That(Environment.TickCount64 - start, Is.LessThan(Harness.MostEndMs), "ms until the end");
            Assert.That(workers.Where(Harness.IsAlive), Is.Empty);
            Assert.That(run.Summary().GetProperty("result").GetString(), Is.EqualTo("failed"));
            Assert.That(run.Output[^1], Does.StartWith("interrupted: "));
        }
    }

    [Test]
    public async Task A_build_that_keeps_a_journal_is_found_by_transport_watch_while_it_runs()
    {
        using var folder = new TemporaryFolder();
        string journal = Path.Combine(folder.Path, "journal");
        (Harness run, _) = await StartAsync(folder, "--journal", journal);
        using (run)
        {
            Assert.That(BuildNote.RunningJournals(), Has.Some.EqualTo(journal));

            Harness.Kill(run.ProcessId, "TERM");
            await run.EndAsync();
            Assert.That(BuildNote.RunningJournals(), Has.None.EqualTo(journal));
        }
    }

    [Test]
    public async Task A_killed_main_node_leaves_no_worker_behind()
    {
        using var folder = new TemporaryFolder();
        (Harness run, int[] workers) = await StartAsync(folder);
        using (run)
        {
            Harness.Kill(run.ProcessId, "KILL");
            // what it is at would take a minute
            await Wait.UntilAsync(() => !workers.Any(Harness.IsAlive), "no worker is left", seconds: 40);
        }
    }

    [Test]
    public async Task A_full_disk_under_the_log_is_one_line_and_exit_code_3()
    {
        using var folder = new TemporaryFolder();
        string solution = PlainProjects.Four(folder, b: string.Empty);
        using Harness run = await Harness.RunAsync(
            "build", solution, "--nodes", "1", "--no-restore", "--log", "/dev/full", "--summary", "{summary}");

        Assert.That(run.ExitCode, Is.EqualTo(3), () => string.Join('\n', [.. run.Output, .. run.Errors]));
        Assert.That(run.Errors, Has.Length.EqualTo(1));
        Assert.That(run.Errors[0],
            Is.EqualTo("buildharness: --log /dev/full: the disk is full; free some space, or name a file on another disk."));
        Assert.That(run.Output, Has.None.Contains(" failed in "), "no project did");
        Assert.That(run.Summary().GetProperty("result").GetString(), Is.EqualTo("failed"));
    }

    [TestCase("build", "--summary", ".", 3, "it is a folder; name a file.")]
    [TestCase("build", "--summary", "/proc/no/summary.json", 3, "there is no folder /proc/no; make it first, or name another file.")]
    [TestCase("build", "--log", "/proc/no/log.txt", 3, "there is no folder /proc/no; make it first, or name another file.")]
    [TestCase("build", "--log", "/proc", 3, "it is a folder; name a file.")]
    [TestCase("build", "--trace", "/etc/passwd/trace.json", 3, "/etc/passwd is a file, not a folder; name another file.")]
    [TestCase("run", "--summary", "/proc/no/summary.json", 125, "there is no folder /proc/no; make it first, or name another file.")]
    [TestCase("run", "--summary", "/proc/summary.json", 125, "no file can be made in /proc; name another.")]
    [TestCase("run", "--log", "/proc/no/log.txt", 125, "there is no folder /proc/no; make it first, or name another file.")]
    [TestCase("run", "--log", "/proc", 125, "it is a folder; name a file.")]
    public async Task A_file_that_cannot_be_written_is_reported_before_anything_is_done(
        string command, string option, string file, int exitCode, string why)
    {
        using var folder = new TemporaryFolder();
        string[] what = command == "run" ? ["--", "echo", "started"] : [PlainProjects.Four(folder, b: string.Empty), "-v", "normal"];
        using Harness run = await Harness.RunAsync([command, option, file, .. what]);

        Assert.That(run.ExitCode, Is.EqualTo(exitCode));
        Assert.That(run.Errors, Has.Length.EqualTo(1));
        Assert.That(run.Errors[0], Is.EqualTo($"buildharness: {option} {file}: {why}"));
        Assert.That(run.Output, Is.Empty);
    }

    [TestCase("missing.slnx", null)]
    [TestCase("a.txt", "hello")]
    public async Task What_is_no_solution_or_project_is_one_line_and_exit_code_2(string name, string? content)
    {
        using var folder = new TemporaryFolder();
        string file = content is null ? Path.Combine(folder.Path, name) : folder.File(name, content);
        using Harness run = await Harness.RunAsync("build", file, "--nodes", "1", "--summary", "{summary}");

        Assert.That(run.ExitCode, Is.EqualTo(2), () => string.Join('\n', [.. run.Output, .. run.Errors]));
        Assert.That(run.Errors, Has.Length.EqualTo(1));
        Assert.That(run.Errors[0], Does.StartWith("buildharness: ").And.Contain(name).And.Not.Contain("   at "));
        Assert.That(run.Summary().GetProperty("result").GetString(), Is.EqualTo("failed"));
    }

    [TestCase("text.slnx", "hello", "MSB4025")]
    [TestCase("text.sln", "hello", "MSB5010")]
    [TestCase("text.csproj", "hello", "MSB4025")]
    [TestCase("other.csproj", "<foo />", "MSB4068")]
    public async Task What_MSBuild_cannot_read_is_its_error_without_a_stack(string name, string content, string code)
    {
        using var folder = new TemporaryFolder();
        string file = folder.File(name, content);
        foreach (string[] more in new string[][] { [], ["--no-restore"] })
        {
            using Harness run = await Harness.RunAsync(["build", file, "--nodes", "1", "--summary", "{summary}", .. more]);
            Assert.That(run.ExitCode, Is.EqualTo(1), () => string.Join('\n', [.. run.Output, .. run.Errors]));
            Assert.That(run.Output, Has.Some.Contains(code).And.Some.Contains(name).And.None.Contains("   at "));
            Assert.That(run.Errors, Is.Empty);
            Assert.That(run.Summary().GetProperty("result").GetString(), Is.EqualTo("failed"));
        }
    }

    /// <summary>A build whose project B sits in a long task; with the ids of its workers.</summary>
    private static async Task<(Harness Run, int[] Workers)> StartAsync(TemporaryFolder folder, params string[] more)
    {
        string flag = Path.Combine(folder.Path, "reached");
        string solution = PlainProjects.Four(folder,
            b: $"<Target Name=\"Wait\" BeforeTargets=\"CoreCompile\"><Exec Command=\"touch {flag} &amp;&amp; exec sleep 60\" /></Target>");
        Harness run = Harness.Start(["build", solution, "--nodes", "2", "--no-restore", "--summary", "{summary}", .. more]);
        await Wait.UntilAsync(() => File.Exists(flag), "the project is being built");
        int[] workers = [];
        await Wait.UntilAsync(() => (workers = run.Children()).Length == 2, "both workers are there");
        return (run, workers);
    }
}
