using System;
using System.Diagnostics;
using System.IO;
using System.Linq;
using System.Threading.Tasks;
using NUnit.Framework;
using Transport.MSBuild;
using Transport.Testing;
using Transport.Testing.Disks;

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

    [Test]
    public async Task A_disk_that_fills_up_costs_events_but_not_the_build()
    {
        using var build = new SmallBuild();
        using SmallFileSystem disk = await SmallFileSystem.MountAsync(Path.Combine(build.Folder, "disk"), "size=70m");
        string journal = Path.Combine(disk.Path, "journal");
        await File.WriteAllTextAsync(Path.Combine(build.Folder, "many.proj"), $"""
            <Project DefaultTargets="Build">
              <PropertyGroup><Text>$([System.String]::new('x', 400000))</Text></PropertyGroup>
              <ItemGroup><One Include="{string.Join(';', Enumerable.Range(0, 250))}" /></ItemGroup>
              <Target Name="Build"><Message Text="%(One.Identity) $(Text)" /></Target>
            </Project>
            """);

        ToolRun run = await ToolRun.EndAsync(build.Start("collect",
            "--journal", journal, "--", "dotnet", "msbuild", "many.proj", "-nologo"));

        Assert.That(run.ExitCode, Is.Zero, string.Join('\n', run.Output.Concat(run.Errors)));
        Assert.That(run.Errors, Has.Some.Contains("its further events are not kept"), string.Join('\n', run.Errors));
        Assert.That(run.Errors, Has.Some.Matches("[0-9,]+ events arrived and are not known to be kept"), string.Join('\n', run.Errors));
        Assert.That(run.Errors, Has.None.Contains("   at "), "no stack trace");
    }

    [Promise("Reports", "`transport collect --required` exits with 0 only if every event is known to be in the journal.")]
    [Test]
    public async Task A_disk_that_fills_up_fails_a_build_whose_events_are_required()
    {
        using var build = new SmallBuild();
        using SmallFileSystem disk = await SmallFileSystem.MountAsync(Path.Combine(build.Folder, "disk"), "size=70m");
        await File.WriteAllTextAsync(Path.Combine(build.Folder, "many.proj"), $"""
            <Project DefaultTargets="Build">
              <PropertyGroup><Text>$([System.String]::new('x', 400000))</Text></PropertyGroup>
              <ItemGroup><One Include="{string.Join(';', Enumerable.Range(0, 250))}" /></ItemGroup>
              <Target Name="Build"><Message Text="%(One.Identity) $(Text)" /></Target>
            </Project>
            """);

        ToolRun run = await ToolRun.EndAsync(build.Start("collect", "--required",
            "--journal", Path.Combine(disk.Path, "journal"), "--", "dotnet", "msbuild", "many.proj", "-nologo"));

        Assert.That(run.ExitCode, Is.Not.Zero, string.Join('\n', run.Output.Concat(run.Errors)));
        Assert.That(run.Errors, Has.Some.Contains("The build fails."));
    }

    [TestCase("", 0, "warning: build events are not collected")]
    [TestCase(";required=true", 1, "TRANSPORTLOG2")]
    public async Task A_logger_with_a_wrong_secret_is_not_let_in(string more, int exitCode, string line)
    {
        using var build = new SmallBuild();
        await using BuildCollector collector = BuildCollector.Start(_ => new PacketRouter());
        string[] lines = await File.ReadAllLinesAsync(collector.ConnectionFile);
        int at = Array.FindIndex(lines, one => one.StartsWith("secret=", StringComparison.Ordinal));
        lines[at] = lines[at][..^4] + (lines[at].EndsWith("0000", StringComparison.Ordinal) ? "1111" : "0000");
        string wrong = Path.Combine(build.Folder, "wrong.note");
        await File.WriteAllLinesAsync(wrong, lines);

        string logger = Path.Combine(AppContext.BaseDirectory, "Transport.MSBuild.Logger.dll");
        ToolRun run = await build.DotnetAsync(
            "msbuild", "one.proj", "-nologo", $"-logger:TransportLogger,{logger};connect={wrong};wait=0.5{more}");

        string[] all = [.. run.Output, .. run.Errors];
        Assert.That(run.ExitCode, Is.EqualTo(exitCode), string.Join('\n', all));
        Assert.That(all, Has.Some.Contains(line));
        Assert.That(all, Has.None.Contains(lines[at][7..]), "the secret is not repeated");
        Assert.That(await collector.CloseAsync(), Is.Empty);
    }

    [Test]
    public async Task Builds_that_are_killed_at_random_moments_export_all_that_was_acknowledged()
    {
        Nightly.Only("20 builds that are killed");
        int seed = Environment.TickCount;
        TestContext.Out.WriteLine($"seed {seed}");
        var random = new Random(seed);
        for (int round = 0; round < 20; round++)
        {
            using var build = new SmallBuild();
            string recorded = Path.Combine(build.Folder, "recorded.binlog"), exported = Path.Combine(build.Folder, "exported.binlog");
            await File.WriteAllTextAsync(Path.Combine(build.Folder, "wait.sh"), "sleep 0.5\n");
            using Process tool = build.Start("collect", "--journal",
                build.Journal, "--", "dotnet", "msbuild", "two.proj", "-nologo", "-t:Wait;Build", "-bl:" + recorded);
            Task<ToolRun> ending = ToolRun.EndAsync(tool);
            await Task.Delay(random.Next(150, 900));
            foreach (int child in Children(tool.Id))
            {
                Signal(child, "KILL");
            }

            ToolRun run = await ending;
            if (!Directory.Exists(build.Journal) || EventList.OfJournal(build.Journal).Count == 0)
            {
                TestContext.Out.WriteLine($"round {round}: before its first event");
                continue;
            }

            ToolRun export = await ToolRun.Of("export", build.Journal, "--binlog", exported);
            ToolRun replay = await build.DotnetAsync("msbuild", exported, "-nologo", "-v:q");
            int kept = EventList.OfJournal(build.Journal).Count;
            Assert.That(export.ExitCode, Is.Zero, string.Join('\n', export.Errors));
            Assert.That(EventList.OfBinaryLog(exported), Has.Count.EqualTo(kept), $"round {round}");
            Assert.That(replay.Errors.Concat(replay.Output), Has.None.Contains("error"), "dotnet msbuild opens it");
            TestContext.Out.WriteLine($"round {round}: exit {run.ExitCode}, {kept} events exported, of -bl {Recorded(recorded)}");
        }
    }

    private static string Recorded(string path)
    {
        int events = 0;
        try
        {
            BinaryLog.Read(path, _ => events++);
            return $"{events}";
        }
        catch (Exception e) when (e is IOException or InvalidDataException or NotSupportedException)
        {
            return $"{events}, then {e.GetType().Name}";
        }
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

        Process tool = build.Start("collect", "--journal", build.Journal, "--",
            wrapper, "msbuild", "two.proj", "-nologo", "-t:Wait;Build");
        await Wait.UntilAsync(() => File.Exists(Path.Combine(build.Folder, "waiting")), "the build has begun");
        return tool;
    }

    private static string Host() => Environment.ProcessPath is { } path && Path.GetFileNameWithoutExtension(path) == "dotnet" ? path
        : Environment.GetEnvironmentVariable("DOTNET_HOST_PATH") ?? "/usr/bin/dotnet";

    private static void Go(SmallBuild build) => File.WriteAllText(Path.Combine(build.Folder, "go"), string.Empty);

    private static async Task<string> ResultAsync(SmallBuild build)
    {
        string path = Path.Combine(build.Folder, "result");
        await Wait.UntilAsync(() => File.Exists(path), "the build has ended");
        return (await File.ReadAllTextAsync(path)).Trim();
    }

    private static void Signal(int process, string signal)
    {
        using var kill = Process.Start("/bin/sh", ["-c", $"kill -{signal} {process}"]);
        kill.WaitForExit();
    }

    /// <summary>The processes that a process has started, and those that these have.</summary>
    private static int[] Children(int process)
    {
        try
        {
            int[] own = [.. Directory.GetDirectories($"/proc/{process}/task").SelectMany(task => File.ReadAllText(task + "/children")
                .Split(' ', StringSplitOptions.RemoveEmptyEntries)).Select(int.Parse)];
            return [.. own, .. own.SelectMany(Children)];
        }
        catch (IOException)
        {
            return [];   // it has just ended
        }
    }
}
