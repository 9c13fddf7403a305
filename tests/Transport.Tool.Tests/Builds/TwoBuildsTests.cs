using System;
using System.Collections.Generic;
using System.Diagnostics;
using System.IO;
using System.Linq;
using System.Threading.Tasks;
using NUnit.Framework;
using Transport.MSBuild;

namespace Transport.Tool.Tests.Builds;

/// <summary>Journals with more than one build, and builds beside the one that is collected.</summary>
internal sealed class TwoBuildsTests
{
    private static readonly string Logger = Path.Combine(AppContext.BaseDirectory, "Transport.MSBuild.Logger.dll");

    [Test]
    public async Task A_folder_with_an_earlier_build_is_refused_before_anything_is_built()
    {
        using var build = new SmallBuild();
        ToolRun first = await build.CollectAsync([], "dotnet", "msbuild", "one.proj");
        int events = EventList.OfJournal(build.Journal).Count;

        ToolRun second = await build.CollectAsync([], "dotnet", "msbuild", "one.proj");

        Assert.That((first.ExitCode, second.ExitCode), Is.EqualTo((0, 2)), string.Join('\n', first.Errors));
        Assert.That(second.Errors.Single(), Does.Match("holds [0-9,]+ packets of an earlier build: name a new folder, or add this build to it "
            + "with --append"));
        Assert.That(second.Output, Is.Empty, "nothing was built");
        Assert.That(EventList.OfJournal(build.Journal), Has.Count.EqualTo(events));
    }

    [Test]
    public async Task A_green_build_behind_a_failed_one_is_what_every_command_reports()
    {
        using var build = new SmallBuild();
        string log = Path.Combine(build.Folder, "last.binlog");
        ToolRun failed = await build.CollectAsync([], "dotnet", "msbuild", "one.proj", "-t:Fail");
        ToolRun green = await build.CollectAsync(["--append"], "dotnet", "msbuild", "one.proj");
        Assert.That((failed.ExitCode, green.ExitCode), Is.EqualTo((1, 0)), string.Join('\n', green.Errors));

        ToolRun annotations = await ToolRun.Of("export", build.Journal, "--github", "--binlog", log),
            errors = await ToolRun.Of("query", build.Journal, "--kind", "error"), watch = await ToolRun.Of("watch", build.Journal),
            first = await ToolRun.Of("query", build.Journal, "--kind", "error", "--build", "1"),
            none = await ToolRun.Of("query", build.Journal, "--build", "3"),
            all = await ToolRun.Of("query", build.Journal, "--kind", "BuildStarted", "--build", "all");

        Assert.That((annotations.ExitCode, annotations.Output), Is.EqualTo((0, annotations.Output)));
        Assert.That(annotations.Output, Has.None.StartsWith("::error").And.Some.StartsWith("::warning"));
        Assert.That(annotations.Errors, Has.Some.Contains("build 2 of 2 in this journal (--build chooses another)"));
        Assert.That(EventList.OfBinaryLog(log).Count(one => one.Kind == BuildEventKind.BuildStarted), Is.EqualTo(1));
        Assert.That((errors.ExitCode, errors.Output), Is.EqualTo((1, Array.Empty<string>())));
        Assert.That((watch.ExitCode, watch.Output[^1]), Is.EqualTo((0, watch.Output[^1])), watch.Output[^1]);
        Assert.That(watch.Output[^1], Does.StartWith("succeeded after"));
        Assert.That(watch.Output, Has.Some.StartsWith("build 1: failed after"));
        Assert.That(first.Output.Single(), Does.Contain("it is broken"));
        Assert.That((none.ExitCode, none.Errors.Single()), Is.EqualTo((2, $"transport: {build.Journal} has 2 builds: there is no build 3.")));
        Assert.That(all.Output, Has.Length.EqualTo(2));
    }

    [Test]
    public async Task A_build_of_somebody_else_does_not_enter_the_journal_of_a_command()
    {
        using var build = new SmallBuild();
        await File.WriteAllTextAsync(Path.Combine(build.Folder, "wait.sh"), "touch started; while [ ! -e go ]; do sleep 0.05; done\n");
        Task<ToolRun> collected = build.CollectAsync([], "dotnet", "msbuild", "two.proj", "-t:Wait");
        Assert.That(() => File.Exists(Path.Combine(build.Folder, "started")), Is.True.After(60_000, 50));

        ToolRun foreign = await build.DotnetAsync("msbuild", "one.proj", "-nologo", "-logger:TransportLogger," + Logger);
        await File.WriteAllTextAsync(Path.Combine(build.Folder, "go"), string.Empty);
        ToolRun run = await collected;

        Assert.That((run.ExitCode, foreign.ExitCode), Is.EqualTo((0, 0)), string.Join('\n', run.Errors));
        Assert.That(EventList.OfJournal(build.Journal).Select(one => one.Message), Has.None.Contains("too red"));
    }

    [Test]
    public async Task Two_builds_at_once_are_two_binary_logs_that_MSBuild_replays()
    {
        using var build = new SmallBuild();
        string log = Path.Combine(build.Folder, "all.binlog");
        using Process collect = build.Start("collect", "--journal", build.Journal);
        Assert.That(await collect.StandardError.ReadLineAsync().WaitAsync(TimeSpan.FromSeconds(60)), Does.Contain("waiting for builds"));
        await File.WriteAllTextAsync(Path.Combine(build.Folder, "wait.sh"), "touch started$$; while [ $(ls started* | wc -l) -lt 2 ]; do sleep 0.05; done\n");
        string[] words = ["msbuild", "two.proj", "-t:Wait", "-nologo", "-logger:TransportLogger," + Logger + ";required=true"];

        ToolRun[] builds = await Task.WhenAll(build.DotnetAsync(words), build.DotnetAsync(words));
        using (var kill = Process.Start("/bin/sh", ["-c", $"kill -s INT {collect.Id}"]))
        {
            await kill.WaitForExitAsync();
        }

        ToolRun run = await ToolRun.EndAsync(collect), export = await ToolRun.Of("export", build.Journal, "--binlog", log, "--build", "all");

        Assert.That(builds.Select(one => one.ExitCode), Is.All.Zero, string.Join('\n', builds[0].Output));
        Assert.That((run.ExitCode, export.ExitCode), Is.EqualTo((0, 0)), string.Join('\n', run.Errors.Concat(export.Errors)));
        foreach (string one in new[] { "all.1.binlog", "all.2.binlog" })
        {
            ToolRun replay = await build.DotnetAsync("msbuild", one, "-nologo", "-v:n");
            Assert.That(replay.ExitCode, Is.Zero, string.Join('\n', replay.Output));
            Assert.That(replay.Output, Has.Some.Contains("Build succeeded"));
        }
    }

    [Test]
    public async Task A_collector_that_is_interrupted_interrupts_its_build_and_keeps_its_events()
    {
        using var build = new SmallBuild();
        await File.WriteAllTextAsync(Path.Combine(build.Folder, "wait.sh"), "touch started; sleep 60\n");
        using Process collect = build.Start("collect", "--journal", build.Journal, "--", "dotnet", "msbuild", "two.proj", "-t:Wait");
        Assert.That(() => File.Exists(Path.Combine(build.Folder, "started")), Is.True.After(60_000, 50));
        using (var kill = Process.Start("/bin/sh", ["-c", $"kill -s INT {collect.Id}"]))
        {
            await kill.WaitForExitAsync();
        }

        ToolRun run = await ToolRun.EndAsync(collect);
        ToolRun export = await ToolRun.Of("export", build.Journal, "--binlog", Path.Combine(build.Folder, "cancelled.binlog"));

        Assert.That((run.ExitCode, export.ExitCode), Is.EqualTo((1, 0)), string.Join('\n', run.Output.Concat(run.Errors).Concat(export.Errors)));
        Assert.That(EventList.OfJournal(build.Journal).Select(one => one.Kind),
            Has.Some.EqualTo(BuildEventKind.BuildCanceled).And.Some.EqualTo(BuildEventKind.BuildFinished));
    }

    [TestCase("TERM")]
    [TestCase("KILL")]
    public async Task A_build_that_is_ended_while_its_events_are_required_is_no_success(string signal)
    {
        using var build = new SmallBuild();
        await File.WriteAllTextAsync(Path.Combine(build.Folder, "wait.sh"), "touch started; sleep 60\n");
        using Process collect = build.Start("collect", "--required", "--journal", build.Journal, "--", "dotnet", "msbuild", "two.proj", "-t:Wait");
        Assert.That(() => File.Exists(Path.Combine(build.Folder, "started")), Is.True.After(60_000, 50));
        string target = signal == "TERM" ? $"{collect.Id}" : $"$(ps -o pid= --ppid {collect.Id})";
        using (var kill = Process.Start("/bin/sh", ["-c", $"kill -s {signal} {target}"]))
        {
            await kill.WaitForExitAsync();
        }

        ToolRun run = await ToolRun.EndAsync(collect);

        Assert.That(run.ExitCode, Is.Not.Zero, string.Join('\n', run.Output.Concat(run.Errors)));
    }

    [Test]
    public async Task A_build_that_died_ended_with_its_last_event()
    {
        using var build = new SmallBuild();
        List<BuildEvent> events = [.. Samples.Nested().Take(7)];
        events[^1] = Samples.Event(BuildEventKind.TargetStarted, 7000, project: 1, target: 5, values: ("TargetName", "CoreCompile"));
        await Samples.WriteJournalAsync(build.Journal, events);

        ToolRun watch = await ToolRun.Of("watch", build.Journal);

        Assert.That((watch.ExitCode, watch.Output.Single()), Is.EqualTo((1, watch.Output.Single())));
        Assert.That(watch.Output.Single(), Does.StartWith("not ended after 7.0 s"));
    }
}
