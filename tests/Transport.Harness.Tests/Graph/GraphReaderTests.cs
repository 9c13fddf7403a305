using System;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using BuildHarness.Graph;
using NUnit.Framework;

namespace BuildHarness.Tests.Graph;

[TestFixture]
internal sealed class GraphReaderTests
{
    [Test]
    public void Of_a_project_for_several_frameworks_only_the_inner_builds_are_planned()
    {
        BuildPlan plan = Read();

        Assert.That(plan.Projects.Select(p => p.Title), Is.EquivalentTo(new[]
        {
            "App (net10.0)", "Geometry (net10.0)", "Report (net10.0)", "Units (net10.0)", "Units (netstandard2.0)",
        }));
    }

    [Test]
    public void References_come_first_and_an_outer_build_stands_for_its_inner_ones()
    {
        BuildPlan plan = Read();

        Assert.That(plan.Projects, Is.All.Matches<PlannedProject>(p => p!.References.All(r => r < p.Id)));
        PlannedProject geometry = plan.Projects.Single(p => p.Name == "Geometry");
        Assert.That(geometry.References.Select(r => plan.Projects[r].Title), Is.EquivalentTo(new[] { "Units (net10.0)", "Units (netstandard2.0)" }));
    }

    [Test]
    public void A_project_is_built_with_what_its_solution_says()
    {
        Dictionary<string, string> properties = Read().Projects.Single(p => p.Name == "App").Properties.ToDictionary(p => p.Key, p => p.Value, StringComparer.Ordinal);

        Assert.That(properties["Configuration"], Is.EqualTo("Debug"));
        Assert.That(properties["SolutionDir"], Is.EqualTo(Path.Combine(Repository.Root, "samples", "Example") + Path.DirectorySeparatorChar));
        Assert.That(properties, Does.Not.ContainKey("IsGraphBuild"));
    }

    private static BuildPlan Read() => GraphReader.Read(
        Path.Combine(Repository.Root, "samples", "Example", "Example.slnx"), new Dictionary<string, string>(StringComparer.Ordinal) { ["Configuration"] = "Debug" }, default);
}
