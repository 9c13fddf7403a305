using System;
using System.Collections.Generic;
using System.Linq;
using NUnit.Framework;
using Transport.MSBuild;
using Transport.Terminal;

namespace Transport.Tool.Tests.Builds;

[FixtureLifeCycle(LifeCycle.InstancePerTestCase)]
internal sealed class BuildStateTests
{
    private readonly BuildState _state = new();

    [Test]
    public void A_node_shows_its_newest_work_and_one_that_waits_for_whom()
    {
        Take("build", BuildEventKind.ProjectStarted, node: 1, project: 1, ticks: 100, ("ProjectFile", "/a/App.csproj"));
        Take("build", BuildEventKind.TargetStarted, node: 1, project: 1, ticks: 200, ("TargetName", "ResolveReferences"));
        Take("build", BuildEventKind.ProjectStarted, node: 2, project: 2, ticks: 300, ("ProjectFile", "/a/Lib.csproj"),
            ("ParentProjectBuildEventContext", Context(project: 1)));
        Take("build", BuildEventKind.TargetStarted, node: 2, project: 2, ticks: 400, ("TargetName", "CoreCompile"));
        Take("build", BuildEventKind.TaskStarted, node: 2, project: 2, ticks: 500, ("TaskName", "Csc"));

        BuildPicture picture = _state.Look(now: 1500);

        Assert.That(picture.Nodes.Select(node => node.Name), Is.EqualTo(new[] { "node 1", "node 2" }));
        Assert.That(picture.Nodes[0].WaitsFor, Is.EqualTo(new[] { "Lib.csproj on node 2" }));
        Assert.That((picture.Nodes[1].Project, picture.Nodes[1].Target, picture.Nodes[1].Task, picture.Nodes[1].Since.Ticks),
            Is.EqualTo(("Lib.csproj", "CoreCompile", "Csc", 1000L)));
        Assert.That((picture.Open, picture.Finished, picture.Events, picture.Elapsed.Ticks), Is.EqualTo((2, 0, 5L, 1400L)));

        Take("build", BuildEventKind.ProjectFinished, node: 2, project: 2, ticks: 2000, ("Succeeded", false));
        picture = _state.Look(now: 2100);

        Assert.That(picture.Nodes[0].WaitsFor, Is.Empty);
        Assert.That(picture.Nodes[1].Project, Is.Empty, "idle");
        Assert.That((picture.Open, picture.Finished, picture.Failed), Is.EqualTo((1, 1, 1)));
    }

    [Test]
    public void A_project_that_is_asked_twice_counts_once()
    {
        for (int project = 1; project <= 2; project++)
        {
            Take("build", BuildEventKind.ProjectStarted, node: 1, project, ticks: project, ("ProjectFile", "/a/App.csproj"));
            Take("build", BuildEventKind.ProjectFinished, node: 1, project, ticks: project, ("Succeeded", true));
        }

        Assert.That((_state.Look(0).Finished, _state.Look(0).Open), Is.EqualTo((1, 0)));
    }

    [Test]
    public void A_project_that_only_answered_is_not_built_and_one_whose_request_has_not_begun_waits_for_a_node()
    {
        Take("build", BuildEventKind.ProjectStarted, node: 1, project: 1, ticks: 1, ("ProjectFile", "/a/App.csproj"));
        Take("build", BuildEventKind.ProjectStarted, node: 2, project: 2, ticks: 2, ("ProjectFile", "/a/Lib.csproj"),
            ("TargetNames", "GetTargetFrameworks;_GetOther"), ("ParentProjectBuildEventContext", Context(project: 1)));
        Take("build", BuildEventKind.ProjectFinished, node: 2, project: 2, ticks: 3, ("Succeeded", true));
        Take("build", BuildEventKind.TaskStarted, node: 1, project: 1, ticks: 4, ("TaskName", "MSBuild"));

        BuildPicture picture = _state.Look(5);

        Assert.That((picture.Finished, picture.Open), Is.EqualTo((0, 1)));
        Assert.That(picture.Nodes[0].WaitsFor, Is.EqualTo(new[] { "a node" }));
    }

    [Test]
    public void No_row_is_wider_than_the_terminal([Values(20, 40, 80, 200)] int columns)
    {
        string[] names =
            ["App.csproj", "/very/long/" + new string('x', 300) + ".csproj", "日本語プロジェクト日本語プロジェクト.csproj", "e\u0301\u0301.csproj"];
        long now = TimeProvider.System.GetUtcNow().UtcTicks;
        for (int i = 0; i < names.Length; i++)
        {
            Take("n" + (i * 7), BuildEventKind.ProjectStarted, node: 1, project: i + 1, now, ("ProjectFile", names[i]));
            Take("n" + (i * 7), BuildEventKind.TargetStarted, node: 1, project: i + 1, now, ("TargetName", new string('目', 90)));
        }

        foreach (IReadOnlyList<Cell> row in new BuildBoard(_state, TimeProvider.System).Rows(columns).SkipLast(1))
        {
            string text = string.Concat(row.Select(cell => cell.Text));
            Assert.That(CellWidth.Of(text), Is.LessThanOrEqualTo(columns), text);
        }
    }

    private static object?[] Context(long project) => [0L, 1L, 0L, 0L, project, 0L, 0L];

    private void Take(string journalNode, BuildEventKind kind, int node, int project, long ticks,
        params (string Name, object Value)[] values) => _state.Take(journalNode, new BuildEvent
    {
        Kind = kind,
        Ticks = ticks,
        Fields = Samples.Fields(kind, values),
        Context = new BuildEventIds { Node = node, ProjectContext = project, Target = 1, Task = 1 },
    });
}
