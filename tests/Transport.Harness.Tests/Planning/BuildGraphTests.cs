using System;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using BuildHarness.Planning;
using Microsoft.Build.Exceptions;
using NUnit.Framework;
using Transport.Testing;

namespace BuildHarness.Tests.Planning;

[TestFixture]
internal sealed class BuildGraphTests
{
    [Test]
    public void A_project_for_several_frameworks_is_planned_as_its_inner_builds_and_behind_them_the_outer_one()
    {
        BuildPlan plan = Read();

        Assert.That(plan.Projects.Select(p => p.Title), Is.EquivalentTo(new[]
        {
            "App (net10.0)", "Geometry (net10.0)", "Report (net10.0)", "Units (net10.0)", "Units (netstandard2.0)", "Units",
        }));
        PlannedProject outer = plan.Projects.Single(p => p.Title == "Units");
        Assert.That(outer.References.Select(r => plan.Projects[r].Framework), Is.EquivalentTo(new[] { "net10.0", "netstandard2.0" }));
        Assert.That(outer.OutputFolder, Is.Empty, "its folder is around those of the inner builds");
    }

    [Test]
    public void References_come_first_and_are_to_the_framework_that_they_resolve_to()
    {
        BuildPlan plan = Read();

        Assert.That(plan.Projects, Is.All.Matches<PlannedProject>(p => p!.References.All(r => r < p.Id)));
        PlannedProject geometry = plan.Projects.Single(p => p.Name == "Geometry");
        Assert.That(geometry.References.Select(r => plan.Projects[r].Title), Is.EqualTo(new[] { "Units (net10.0)" }));
    }

    [Test]
    public void A_project_is_built_with_what_its_solution_says()
    {
        Dictionary<string, string> properties =
            Read().Projects.Single(p => p.Name == "App").Properties.ToDictionary(p => p.Key, p => p.Value, StringComparer.Ordinal);

        Assert.That(properties["Configuration"], Is.EqualTo("Debug"));
        Assert.That(properties["SolutionDir"],
            Is.EqualTo(Path.Combine(Repository.Root, "samples", "Example") + Path.DirectorySeparatorChar));
        Assert.That(properties, Does.Not.ContainKey("IsGraphBuild"));
    }

    [Test]
    public void A_framework_that_nobody_needs_is_not_built_unless_its_project_is_in_the_solution()
    {
        using var folder = new TemporaryFolder();
        BuildPlan plan = Read(Diamond(folder, "App", "Tool"));

        Assert.That(plan.Projects.Select(p => p.Title),
            Is.EquivalentTo(new[] { "App (net10.0)", "Tool (net10.0)", "Util (net10.0)", "Core (net10.0)" }));
        plan = Read(Diamond(folder, "App", "Tool", "Core"));
        Assert.That(plan.Projects.Select(p => p.Title), Has.Some.EqualTo("Core (netstandard2.0)"));
        Assert.That(plan.Projects.Where(p => p.Name != "Core").SelectMany(p => p.References).Select(r => plan.Projects[r].Title),
            Has.None.EqualTo("Core (netstandard2.0)"));
        Assert.That(plan.Projects.Where(p => p.IsInner).Select(p => p.Name).Distinct(StringComparer.Ordinal), Is.EqualTo(new[] { "Core" }));
    }

    [TestCase("", "net10.0")]
    [TestCase("SetTargetFramework=\"TargetFramework=netstandard2.0\"", "netstandard2.0")]
    [TestCase("SkipGetTargetFrameworkProperties=\"true\"", " net10.0 netstandard2.0")]
    [TestCase("ReferenceOutputAssembly=\"false\"", "net10.0")]
    public void What_a_reference_says_of_the_framework_counts(string metadata, string expected)
    {
        using var folder = new TemporaryFolder();
        Write(folder, "Core", "<TargetFrameworks>net10.0;netstandard2.0</TargetFrameworks>");
        BuildPlan plan = Read(Write(folder, "App", "<TargetFramework>net10.0</TargetFramework>",
            $"<ProjectReference Include=\"../Core/Core.csproj\" {metadata} />"));

        Assert.That(plan.Projects[^1].References.Select(r => plan.Projects[r].Framework).Order(StringComparer.Ordinal),
            Is.EqualTo(expected.Split(' ')));
        Assert.That(plan.Projects, Has.Count.EqualTo(expected.Split(' ').Length + 1));
    }

    [Test]
    public void A_configuration_that_the_solution_does_not_have_is_an_error()
    {
        using var folder = new TemporaryFolder();
        string solution = Diamond(folder, "App", "Tool");
        InvalidProjectFileException? fault = Assert.Throws<InvalidProjectFileException>(() => Read(solution, "Dbg1"));

        Assert.That(fault!.ErrorCode, Is.EqualTo("MSB4126"));
        Assert.That(fault.BaseMessage, Does.StartWith(
            "The specified solution configuration \"Dbg1|Any CPU\" is invalid. The solution has Debug|Any CPU, Release|Any CPU."));
    }

    [Test]
    public void Two_nodes_of_the_graph_with_the_same_outputs_are_built_once()
    {
        // The reference sets a property that changes nothing: for MSBuild's graph another node, for the disk the same files.
        using var folder = new TemporaryFolder();
        Write(folder, "Core", "<TargetFramework>net10.0</TargetFramework>");
        Write(folder, "App", "<TargetFramework>net10.0</TargetFramework>",
            "<ProjectReference Include=\"../Core/Core.csproj\" AdditionalProperties=\"Unused=1\" />");
        BuildPlan plan = Read(
            folder.File("Two.slnx", "<Solution><Project Path=\"App/App.csproj\" /><Project Path=\"Core/Core.csproj\" /></Solution>"));

        Assert.That(plan.Projects.Select(p => p.Name), Is.EqualTo(new[] { "Core", "App" }));
        Assert.That(plan.Projects[1].References, Is.EqualTo(new[] { 0 }));
    }

    [Test]
    public void A_build_order_on_a_project_that_the_configuration_leaves_out_is_ignored()
    {
        using var folder = new TemporaryFolder();
        var solution = new ClassicSolution(folder) { Order = { ["B"] = "C", ["A"] = "B" }, LeftOut = { "C" } };
        BuildPlan plan = Read(solution.Write("A", "B", "C"));

        Assert.That(plan.Projects.Select(p => p.Name), Is.EqualTo(new[] { "B", "A" }), "MSBuild's own graph fails here with MSB0001");
        Assert.That(plan.Projects[1].References, Is.EqualTo(new[] { 0 }), "and an order on one that is built counts");
    }

    [TestCase("/")]
    [TestCase("\\\\")]
    public void A_filter_that_leaves_out_what_another_project_comes_after_builds_the_rest(string separator)
    {
        using var folder = new TemporaryFolder();
        new ClassicSolution(folder) { Order = { ["B"] = "C" } }.Write("A", "B", "C");
        string filter = folder.File("F.slnf", "{\"solution\":{\"path\":\"All.sln\",\"projects\":["
            + $"\"A{separator}A.csproj\", // comments are allowed\n" + $"\"B{separator}B.csproj\",]}}}}");

        Assert.That(Read(filter).Projects.Select(p => p.Name), Is.EquivalentTo(new[] { "A", "B" }));
    }

    [Test]
    public void A_build_order_that_is_a_circle_is_an_error_that_names_it()
    {
        using var folder = new TemporaryFolder();
        string solution = new ClassicSolution(folder) { Order = { ["A"] = "B", ["B"] = "A" } }.Write("A", "B");
        InvalidProjectFileException? fault = Assert.Throws<InvalidProjectFileException>(() => Read(solution));

        Assert.That(fault!.ErrorCode, Is.EqualTo("MSB4006"));
        Assert.That(fault.BaseMessage, Does.Contain("A.csproj, before B.csproj, before A.csproj"));
    }

    [Test]
    public void A_project_without_the_solutions_configuration_is_left_out_with_the_warning_of_dotnet_build()
    {
        using var folder = new TemporaryFolder();
        string solution = new ClassicSolution(folder) { Unconfigured = { "B" } }.Write("A", "B");
        BuildPlan plan = Read(solution);

        Assert.That(plan.Projects.Select(p => p.Name), Is.EqualTo(new[] { "A" }));
        Assert.That(plan.Warnings, Has.One.Contains("warning MSB4121: The project configuration for project \"B\" was not specified"));
    }

    [Test]
    public void Targets_are_for_what_the_user_names_and_only_rebuild_and_clean_for_references_too()
    {
        using var folder = new TemporaryFolder();
        string solution = Diamond(folder, "App");
        BuildPlan pack = Read(solution, "Debug", "Pack"), rebuild = Read(solution, "Debug", "Rebuild");

        Assert.That(pack.Projects.Where(p => p.Targets.Count > 0).Select(p => p.Name), Is.EqualTo(new[] { "App" }));
        Assert.That(rebuild.Projects.Select(p => p.Targets), Is.All.EqualTo(new[] { "Rebuild" }));
    }

    /// <summary>App refers to Util, that and Tool to Core, which alone is for two frameworks.</summary>
    private static string Diamond(TemporaryFolder folder, params string[] inSolution)
    {
        const string One = "<TargetFramework>net10.0</TargetFramework>";
        Write(folder, "Core", "<TargetFrameworks>net10.0;netstandard2.0</TargetFrameworks>");
        Write(folder, "Util", One, "<ProjectReference Include=\"../Core/Core.csproj\" />");
        Write(folder, "App", One, "<ProjectReference Include=\"../Util/Util.csproj\" />");
        Write(folder, "Tool", One, "<ProjectReference Include=\"../Core/Core.csproj\" />");
        return folder.File("G2.slnx", "<Solution>" + string.Concat(inSolution.Select(name => $"<Project Path=\"{name}/{name}.csproj\" />"))
            + "</Solution>");
    }

    private static string Write(TemporaryFolder folder, string name, string framework, string references = "") =>
        folder.File($"{name}/{name}.csproj",
            $"<Project Sdk=\"Microsoft.NET.Sdk\"><PropertyGroup>{framework}</PropertyGroup><ItemGroup>{references}</ItemGroup></Project>");

    private static BuildPlan Read() => Read(Path.Combine(Repository.Root, "samples", "Example", "Example.slnx"));

    private static BuildPlan Read(string path, string configuration = "Debug", params string[] targets) =>
        BuildGraph.Read(
            path, new Dictionary<string, string>(StringComparer.Ordinal) { ["Configuration"] = configuration }, targets, default);
}
