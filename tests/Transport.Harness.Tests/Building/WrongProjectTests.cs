using System;
using System.IO;
using System.Linq;
using System.Threading.Tasks;
using BuildHarness.Building;
using BuildHarness.Packets;
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
    [TestCase("other", "reports request 3 as done")]
    [TestCase("finished", "reports request 2 as done")]
    [TestCase("-1", "reports a recording as done")]
    [TestCase("-7", "reports request -7 as done")]
    [TestCase("2147483647", "reports request 2147483647 as done")]
    [TestCase("twice", "reports request 2 as done")]
    [TestCase("unasked", "reports request 0 as done")]
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
        var entry = new ProjectWork("/entry.proj", [], []);
        var loop = new BuildLoop(
            fleet, feed, shown, BuildVerbosity.Minimal, entry, new StartSession(), nodes: 1, TimeProvider.System);
        fleet.Add();
        fleet.Report(new FleetNews.Prepared());
        await loop.RunAsync().Within("the build's end");
        fleet.StopAll(StopWork.Done);
        await fleet.EndAsync(TimeSpan.FromSeconds(30)).Within("the workers' end");

        Assert.That(loop.Succeeded, Is.True, shown.ToString());
        Assert.That(loop.Projects().Select(p => (p.Path, p.Result)), Is.EqualTo(new[]
        {
            ("/entry.proj", "succeeded"), ("/wanted.proj", "succeeded"),
        }));
        FleetNode[] nodes = [.. fleet.Nodes];
        Assert.That(nodes, Has.Length.EqualTo(2), "another worker took its place");
        WorkerExit end = await nodes[0].Worker.WaitForExitAsync().Within("the exit report");
        Assert.That(end.Link!.Fault.ToString(), Is.EqualTo("HandlerFailed"));
        Assert.That(end.Link.Reason, Does.Contain("packet ProjectBuilt (514)").And.Contain($"n1 {why}, but it was not given it"));
        Assert.That((await nodes[1].Worker.WaitForExitAsync().Within("the exit report")).IsClean, Is.True);
    }
}
