using System;
using System.Diagnostics;
using System.IO;
using System.Linq;
using System.Threading.Tasks;
using NUnit.Framework;
using Transport.MSBuild;

namespace Transport.Tool.Tests.Builds;

/// <summary>What the collector's faults do to a build: nothing but a line.</summary>
[Platform(Exclude = "Win", Reason = "signals of Unix")]
internal sealed class CollectorFaultTests
{
    private static readonly TimeSpan Patience = TimeSpan.FromSeconds(60);

    [Test]
    public async Task A_build_whose_collector_is_killed_ends_as_without_it()
    {
        using var build = new SmallBuild();
        using Process tool = await StartWaitingBuildAsync(build);

        tool.Kill();   // SIGKILL, the tool alone
        await tool.WaitForExitAsync().WaitAsync(Patience);
        Go(build);

        Assert.That(await ResultAsync(build), Is.EqualTo("built 0"));
    }

    [Test]
    public async Task A_build_whose_collector_stands_still_ends_and_loses_nothing_when_that_goes_on()
    {
        using var build = new SmallBuild();
        using Process tool = await StartWaitingBuildAsync(build);
        Task<ToolRun> ending = ToolRun.EndAsync(tool);

        Signal(tool.Id, "STOP");
        Go(build);
        string result = await ResultAsync(build);
        Signal(tool.Id, "CONT");
        ToolRun run = await ending;

        Assert.That(result, Is.EqualTo("built 0"));
        Assert.That(run.ExitCode, Is.Zero, string.Join('\n', run.Errors));
        Assert.That(EventList.OfJournal(build.Journal).Select(one => one.Message), Has.Some.EqualTo("size "),
            "what was queued while it stood still arrived, or was read from the crash tail");
    }

    [Test]
    public async Task A_build_that_is_killed_leaves_a_journal_that_exports_with_what_was_acknowledged()
    {
        using var build = new SmallBuild();
        using Process tool = await StartWaitingBuildAsync(build);

        foreach (int child in Children(tool.Id))
        {
            Signal(child, "KILL");
        }

        ToolRun run = await ToolRun.EndAsync(tool);
        Go(build);
        string exported = Path.Combine(build.Folder, "killed.binlog");
        ToolRun export = await ToolRun.Of("export", build.Journal, "--binlog", exported);

        Assert.That(run.ExitCode, Is.EqualTo(137), "as a shell reports SIGKILL");
        Assert.That(run.Errors, Has.Some.Contains("build:"), "the end of the link is reported");
        Assert.That(export.ExitCode, Is.Zero, string.Join('\n', export.Errors));
        Assert.That(EventList.OfBinaryLog(exported), Has.Count.EqualTo(EventList.OfJournal(build.Journal).Count).And.Count.GreaterThan(5));
    }

    /// <summary>Starts a build that waits for <see cref="Go"/> in a task, and waits until it is there.</summary>
    private static async Task<Process> StartWaitingBuildAsync(SmallBuild build)
    {
        await File.WriteAllTextAsync(Path.Combine(build.Folder, "wait.sh"),
            "touch waiting; i=0; while [ ! -e go ] && [ $i -lt 600 ]; do sleep 0.05; i=$((i + 1)); done\n");

        // A program called dotnet that writes down how the build has ended, where the test finds it.
        string wrapper = Path.Combine(build.Folder, "dotnet");
        await File.WriteAllTextAsync(wrapper, "#!/bin/sh\n" + $"'{Host()}' \"$@\"\n" + "code=$?\necho \"built $code\" >result.new\n"
            + "mv result.new result\nexit $code\n");
        if (!OperatingSystem.IsWindows())
        {
            File.SetUnixFileMode(wrapper, UnixFileMode.UserRead | UnixFileMode.UserWrite | UnixFileMode.UserExecute);
        }

        Process tool = build.Start(new System.Collections.Generic.Dictionary<string, string>(), "collect", "--journal", build.Journal, "--",
            wrapper, "msbuild", "two.proj", "-nologo", "-t:Wait;Build");
        await UntilAsync(() => File.Exists(Path.Combine(build.Folder, "waiting")), "the build has begun");
        return tool;
    }

    private static string Host() => Environment.ProcessPath is { } path && Path.GetFileNameWithoutExtension(path) == "dotnet" ? path
        : Environment.GetEnvironmentVariable("DOTNET_HOST_PATH") ?? "/usr/bin/dotnet";

    private static void Go(SmallBuild build) => File.WriteAllText(Path.Combine(build.Folder, "go"), string.Empty);

    private static async Task<string> ResultAsync(SmallBuild build)
    {
        string path = Path.Combine(build.Folder, "result");
        await UntilAsync(() => File.Exists(path), "the build has ended");
        return (await File.ReadAllTextAsync(path)).Trim();
    }

    private static async Task UntilAsync(Func<bool> isSo, string what)
    {
        var clock = Stopwatch.StartNew();
        while (!isSo())
        {
            Assert.That(clock.Elapsed, Is.LessThan(Patience), what);
            await Task.Delay(20);
        }
    }

    private static void Signal(int process, string signal)
    {
        using var kill = Process.Start("/bin/sh", ["-c", $"kill -{signal} {process}"]);
        kill.WaitForExit();
    }

    /// <summary>The processes that a process has started, and those that these have.</summary>
    private static int[] Children(int process)
    {
        int[] own = [.. Directory.GetDirectories($"/proc/{process}/task").SelectMany(task => File.ReadAllText(task + "/children")
            .Split(' ', StringSplitOptions.RemoveEmptyEntries)).Select(int.Parse)];
        return [.. own, .. own.SelectMany(Children)];
    }
}
