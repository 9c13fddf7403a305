using System;
using System.Diagnostics;
using System.IO;
using System.Threading.Tasks;
using NUnit.Framework;
using Transport.Testing;

namespace BuildHarness.Tests.Processes;

/// <summary>What becomes of the exit code and the summary if stdout or stderr cannot be written.</summary>
[TestFixture]
[Platform(Include = "Linux")]
internal sealed class StreamTests
{
    [TestCase("build /nonexistent.slnx --summary S", 2)]
    [TestCase("build --frob", 2)]
    [TestCase("replay /nonexistent.binlog --summary S", 2)]
    [TestCase("run --summary S -- /nonexistent", 127)]
    [TestCase("run --summary S -- sh -c 'kill -9 $$'", 137)]
    [TestCase("build P --no-restore --log /dev/full --summary S", 3)]
    public async Task A_full_disk_behind_stderr_leaves_the_exit_code_as_it_is(string words, int exitCode)
    {
        using var folder = new TemporaryFolder();
        Assert.That(await ShellAsync(folder, words + " 2>/dev/full"), Is.EqualTo(exitCode));
        AssertFailed(folder, words);
    }

    [TestCase("build --help", 3)]
    [TestCase("run --summary S -- echo hello", 125)]
    [TestCase("build P --no-restore --summary S", 3)]
    public async Task A_full_disk_behind_stdout_is_one_line_and_no_success(string words, int exitCode)
    {
        using var folder = new TemporaryFolder();
        Assert.That(await ShellAsync(folder, words + " >/dev/full 2>\"$D/err\""), Is.EqualTo(exitCode));
        Assert.That(File.ReadAllLines(Path.Combine(folder.Path, "err")),
            Has.Length.EqualTo(1).And.All.StartWith("buildharness: stdout cannot be written: "));
        AssertFailed(folder, words);
    }

    [TestCase("build P --summary ''", 2)]
    [TestCase("build ''", 2)]
    [TestCase("run -- ''", 2)]
    [TestCase("run --log '' -- true", 2)]
    [TestCase("replay ''", 2)]
    public async Task An_empty_word_is_bad_usage(string words, int exitCode)
    {
        using var folder = new TemporaryFolder();
        Assert.That(await ShellAsync(folder, words + " 2>\"$D/err\""), Is.EqualTo(exitCode));
        Assert.That(File.ReadAllLines(Path.Combine(folder.Path, "err")), Has.Length.EqualTo(1).And.All.Contains("empty"));
    }

    [TestCase("build P --summary S", 3)]
    [TestCase("replay P --summary S", 3)]
    public async Task A_missing_SDK_is_said_and_the_summary_written(string words, int exitCode)
    {
        using var folder = new TemporaryFolder();
        folder.File("global.json", "{\"sdk\":{\"version\":\"99.0.100\",\"rollForward\":\"disable\"}}");
        Assert.That(await ShellAsync(folder, words + " 2>\"$D/err\""), Is.EqualTo(exitCode));
        Assert.That(File.ReadAllLines(Path.Combine(folder.Path, "err"))[^1], Does.StartWith("buildharness: No .NET SDK was found"));
        AssertFailed(folder, words);
    }

    private static void AssertFailed(TemporaryFolder folder, string words)
    {
        if (words.Contains("--summary", StringComparison.Ordinal))
        {
            Assert.That(File.ReadAllText(Path.Combine(folder.Path, "summary.json")), Does.Contain("\"result\": \"failed\""));
        }
    }

    /// <summary>Runs the harness as a shell does. S is the summary, P a project.</summary>
    private static async Task<int> ShellAsync(TemporaryFolder folder, string words)
    {
        string project = folder.File(
            "P.proj", "<Project><Target Name=\"Build\"><Message Importance=\"high\" Text=\"hello\" /></Target></Project>");
        string line = (words + " ").Replace(" S ", " \"$D/summary.json\" ", StringComparison.Ordinal)
            .Replace(" P ", $" {project} ", StringComparison.Ordinal);
        var start = new ProcessStartInfo("/bin/sh", ["-c", $"\"$DOTNET\" \"$HARNESS\" {line}"])
        {
            UseShellExecute = false, WorkingDirectory = folder.Path,
        };
        start.Environment["DOTNET"] = Harness.DotNet;
        start.Environment["HARNESS"] = Path.Combine(TestContext.CurrentContext.TestDirectory, "buildharness.dll");
        start.Environment["D"] = folder.Path;
        using Process process = Process.Start(start)!;
        await process.WaitForExitAsync();
        return process.ExitCode;
    }
}
