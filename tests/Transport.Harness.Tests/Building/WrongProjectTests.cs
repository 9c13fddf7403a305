using System;
using System.IO;
using System.Linq;
using System.Threading.Tasks;
using BuildHarness.Building;
using BuildHarness.Packets;
using BuildHarness.Planning;
using BuildHarness.Summary;
using BuildHarness.Tests.Processes;
using NUnit.Framework;
using Transport;
using Transport.MSBuild;
using Transport.Testing;
using Transport.Testing.Wires;

namespace BuildHarness.Tests.Building;

/// <summary>A worker that reports what it was not given: its link ends, its work goes to another, and the build to its end.</summary>
[TestFixture]
[Platform(Include = "Linux")]
internal sealed class WrongProjectTests
{
    private const int Projects = 4;

    [TestCase("other", "reports project 1 as done, but it was given project 0")]
    [TestCase("finished", "reports project 0 as done, but it was given project 1")]
    [TestCase("-1", "reports a recording as done, but it was given project 0")]
    [TestCase("-7", "reports project -7 as done, but it was given project 0")]
    [TestCase("4", "reports project 4 as done, but it was given project 0")]
    [TestCase("2147483647", "reports project 2147483647 as done, but it was given project 0")]
    [TestCase("twice", "reports project 0 as done, but it was given")]
    [TestCase("unasked", "reports project 0 as done, but it was given")]
    public async Task A_wrong_project_ends_the_link_of_its_worker_by_name_and_not_the_build(string lie, string why)
    {
        using var folder = new TemporaryFolder();
        string[] words = [Harness.Helper, "worker-builder", lie, Path.Combine(folder.Path, "first")];
        var program = new WorkerStartOptions(Harness.DotNet, words) { OwnProcessGroup = true };
        var shown = new Lines();
        var feed = new EventFeed(shown, log: null, BuildVerbosity.Minimal);
        MainNodeOptions options = new() { BrokenLinkGrace = TimeSpan.FromMilliseconds(100) };
        await using var fleet = WorkerFleet.Start(
            WorkerFleet.Builds, options, (_, _) => { }, (_, _) => { }, _ => { }, storeOf: null, program: program);
        var loop = new BuildLoop(fleet, feed, shown, BuildVerbosity.Minimal, nodes: 1, TimeProvider.System);
        fleet.Add();
        fleet.Report(new FleetNews.Planned(Plan()));
        await loop.RunAsync().Within("the build's end");
        fleet.StopAll(StopWork.Done);
        await fleet.EndAsync(TimeSpan.FromSeconds(30)).Within("the workers' end");

        Assert.That(loop.Succeeded, Is.True, shown.ToString());
        Assert.That(loop.Projects().Select(p => p.Result), Is.All.EqualTo("succeeded"));
        FleetNode[] nodes = [.. fleet.Nodes];
        Assert.That(nodes, Has.Length.EqualTo(2), "another worker took its place");
        WorkerExit end = await nodes[0].Worker.WaitForExitAsync().Within("the exit report");
        Assert.That(end.Link!.Fault.ToString(), Is.EqualTo("HandlerFailed"));
        Assert.That(end.Link.Reason, Does.Contain("packet ProjectBuilt (514)").And.Contain("n1 " + why));
        Assert.That((await nodes[1].Worker.WaitForExitAsync().Within("the exit report")).IsClean, Is.True);
    }

    private static BuildPlan Plan() =>
        new([.. Enumerable.Range(0, Projects).Select(id => new PlannedProject(id, $"/p{id}.csproj", "net10.0", [], []))], []);
}
