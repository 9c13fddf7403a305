using System;
using System.IO;
using System.Linq;
using System.Threading.Tasks;
using NUnit.Framework;
using Transport.Testing;

namespace BuildHarness.Tests.Processes;

/// <summary>The same folder built by <c>dotnet build</c> and by the harness.</summary>
[TestFixture]
[Platform(Include = "Linux")]
internal sealed class AsDotnetBuildTests
{
    private static readonly string[] OddValues =
    [
        "a;b", "\"a;b\"", "a%3Bb", "\"a%3Bb\"", "\"a,b\"", "a\"b", " x ", "a\\b\\", "\"a;b\\c\"", "a=b=c", "$(W)", "%41",
        "\\\"a\\\"", "'a'", "ä*?.cs", "\"a;\\\"b\\\"\"", "",
    ];

    [Test]
    public async Task A_property_has_the_same_value_in_restore_build_and_dotnet_build()
    {
        using var folder = new TemporaryFolder();
        string all = string.Concat(Enumerable.Range(0, OddValues.Length).Select(i => $"{i}=[$(V{i})]@(L{i}->Count()) "));
        string items = string.Concat(Enumerable.Range(0, OddValues.Length).Select(i => $"<L{i} Include=\"$(V{i})\" />"));
        string project = folder.File("P.proj", $"""
            <Project><ItemGroup>{items}</ItemGroup>
            <Target Name="Build"><Warning Text="build {all}" /></Target>
            <Target Name="Restore"><Warning Text="restore {all}" /></Target></Project>
            """);
        string[] properties = [.. OddValues.Skip(1).Select((value, i) => $"-p:V{i + 1}={value};Y{i + 1}=1"), "/p:V0=one,Z=2"];
        string[] expected = Values(await DotnetBuild.RunAsync([project, .. properties]));
        using Harness run = await Harness.RunAsync(["build", project, "--nodes", "1", .. properties]);

        Assert.That(expected.Length, Is.GreaterThanOrEqualTo(2), "restore and build");
        Assert.That(expected.Distinct().Count(), Is.EqualTo(1), () => string.Join('\n', expected));
        Assert.That(Values(run.Output).Distinct(), Is.EqualTo(expected.Distinct()),
            () => string.Join('\n', [.. run.Output, .. run.Errors]));
        Assert.That(run.Output.Count(line => line.Contains("restore 0=", StringComparison.Ordinal)), Is.EqualTo(1));
    }

    /// <summary>B comes after C, which no configuration builds; A after B; D is for another platform only; U is of a type that MSBuild does
    /// not know; all of them in a solution folder.</summary>
    [TestCase("Debug", "Any CPU", "All.sln")]
    [TestCase("Release", "x64", "All.sln")]
    [TestCase("Debug", "Any CPU", "Part.slnf")]
    public async Task A_classic_solution_builds_the_projects_that_dotnet_build_builds(string configuration, string platform, string file)
    {
        using var theirs = new TemporaryFolder();
        using var ours = new TemporaryFolder();
        string[] switches = ["-c", configuration, $"-p:Platform={platform}"];
        string[] said = await DotnetBuild.RunAsync([Path.Combine(WriteClassic(theirs), file), .. switches]);
        using Harness run = await Harness.RunAsync(["build", Path.Combine(WriteClassic(ours), file), "--nodes", "2", .. switches]);

        Assert.That(run.ExitCode, Is.Zero, () => string.Join('\n', [.. run.Output, .. run.Errors]));
        Assert.That(Built(ours), Is.EqualTo(Built(theirs)).And.Not.Empty, () => string.Join('\n', [.. said, .. run.Output]));
        Assert.That(Built(ours), Has.None.StartsWith("built-C"));
    }

    private static string[] Built(TemporaryFolder folder) =>
        [.. Directory.GetFiles(folder.Path, "built-*.txt").Select(file => $"{Path.GetFileName(file)}: {File.ReadAllText(file)}")
            .Order(StringComparer.Ordinal)];

    private static string WriteClassic(TemporaryFolder folder)
    {
        string[] projects = ["A", "B", "C", "D", "U"], configurations = ["Debug|Any CPU", "Debug|x64", "Release|Any CPU", "Release|x64"];
        string text = "\nMicrosoft Visual Studio Solution File, Format Version 12.00\n"
            + $"Project(\"{{2150E333-8FDC-42A3-9474-1A3956D46DE8}}\") = \"folder\", \"folder\", \"{Id("Z")}\"\nEndProject\n";
        foreach (string name in projects)
        {
            string extension = name == "U" ? "unknownproj" : "proj";
            folder.File($"{name}/{name}.{extension}", $"""
                <Project DefaultTargets="Build"><Target Name="Build">
                <WriteLinesToFile File="../built-{name}.txt" Lines="$(Configuration) $(Platform) $(SolutionName)" /></Target>
                <Target Name="Restore" /></Project>
                """);
            string before = name == "A" ? Id("B") : name == "B" ? Id("C") : string.Empty;
            string order = $"ProjectSection(ProjectDependencies) = postProject\n{before} = {before}\nEndProjectSection\n";
            text += $"Project(\"{{9A19103F-16F7-4668-BE54-9A1E7A4F755{name[0] & 7}}}\") = "
                + $"\"{name}\", \"{name}\\{name}.{extension}\", \"{Id(name)}\"\n"
                + (before.Length > 0 ? order : string.Empty) + "EndProject\n";
        }

        text += "Global\nGlobalSection(SolutionConfigurationPlatforms) = preSolution\n"
            + string.Concat(configurations.Select(one => $"{one} = {one}\n"))
            + "EndGlobalSection\nGlobalSection(ProjectConfigurationPlatforms) = postSolution\n";
        foreach (string name in projects)
        {
            foreach (string one in configurations)
            {
                bool isBuilt = name != "C" && (name != "D" || one.EndsWith("x64", StringComparison.Ordinal));
                text += $"{Id(name)}.{one}.ActiveCfg = {one}\n" + (isBuilt ? $"{Id(name)}.{one}.Build.0 = {one}\n" : string.Empty);
            }
        }

        text += "EndGlobalSection\nGlobalSection(NestedProjects) = preSolution\n"
            + string.Concat(projects.Select(name => $"{Id(name)} = {Id("Z")}\n")) + "EndGlobalSection\nEndGlobal\n";
        folder.File("All.sln", text);
        folder.File("Part.slnf", """{"solution":{"path":"All.sln","projects":["A/A.proj","U/U.unknownproj"]}}""");
        return folder.Path;

        static string Id(string name) => $"{{000000{(int)name[0]:D2}-0000-0000-0000-000000000000}}";
    }

    [Test]
    public async Task A_project_for_several_frameworks_is_packed_and_its_own_targets_run_once_each()
    {
        using var folder = new TemporaryFolder();
        const string Own = "<Target Name=\"Own\" AfterTargets=\"Build\"><Exec Command=\"echo [$(TargetFramework)] >> ran.txt\" /></Target>";
        string project = folder.File("P.csproj", 
            "<Project Sdk=\"Microsoft.NET.Sdk\"><PropertyGroup><TargetFrameworks>net10.0;netstandard2.0"
            + $"</TargetFrameworks><GeneratePackageOnBuild>true</GeneratePackageOnBuild></PropertyGroup>{Own}</Project>");
        folder.File("P.cs", "public class P { }");
        using Harness run = await Harness.RunAsync("build", project, "--nodes", "2");

        Assert.That(run.ExitCode, Is.Zero, () => string.Join('\n', [.. run.Output, .. run.Errors]));
        Assert.That(Path.Combine(folder.Path, "bin", "Debug", "P.1.0.0.nupkg"), Does.Exist);
        Assert.That(File.ReadAllLines(Path.Combine(folder.Path, "ran.txt")).Order(StringComparer.Ordinal),
            Is.EqualTo(new[] { "[]", "[net10.0]", "[netstandard2.0]" }));
    }

    [Test]
    public async Task A_reference_to_a_missing_project_is_the_warning_of_dotnet_build()
    {
        using var folder = new TemporaryFolder();
        string project = folder.File("P.csproj", 
            "<Project Sdk=\"Microsoft.NET.Sdk\"><PropertyGroup><TargetFramework>net10.0</TargetFramework>"
            + "</PropertyGroup><ItemGroup><ProjectReference Include=\"Gone/Gone.csproj\" /></ItemGroup></Project>");
        using Harness run = await Harness.RunAsync("build", project, "--nodes", "1");

        Assert.That(run.ExitCode, Is.Zero, () => string.Join('\n', [.. run.Output, .. run.Errors]));
        Assert.That(run.Output, Has.One.Contains("warning MSB9008: The referenced project Gone/Gone.csproj does not exist."));
    }

    [Test]
    public async Task A_build_that_builds_nothing_says_so_and_a_closed_stdout_is_named()
    {
        using var folder = new TemporaryFolder();
        string project = folder.File("P.proj", "<Project><Target Name=\"Build\" /><Target Name=\"Restore\" /></Project>");
        string broken = folder.File("F.slnf", "{\"solution\":");
        using Harness nothing = await Harness.RunAsync("build", broken);
        using Harness silent = await Harness.RunUnderAsync("exec >&-", "build", project, "--nodes", "1");

        Assert.That(nothing.ExitCode, Is.EqualTo(1), () => string.Join('\n', nothing.Errors));
        Assert.That(nothing.Output[^1], Does.StartWith("failed: nothing was built, "));
        Assert.That(silent.ExitCode, Is.EqualTo(3));
        Assert.That(silent.Errors, Has.Some.EqualTo("buildharness: stdout cannot be written: it is closed, or open for reading only"));
    }

    [Test]
    public async Task Files_that_MSBuild_imports_for_a_solution_do_what_they_do_by_dotnet_build()
    {
        using var folder = new TemporaryFolder();
        folder.File("P.proj", "<Project><Target Name=\"Build\" /><Target Name=\"Restore\" /></Project>");
        string solution = folder.File(
            "S.slnx", "<Solution><Project Path=\"P.proj\" Type=\"{9A19103F-16F7-4668-BE54-9A1E7A4F7556}\" /></Solution>");
        string[] files = ["Directory.Solution.props", "Directory.Solution.targets"];
        for (int i = 0; i < files.Length; i++)
        {
            string warning = $"<Warning Code=\"W{i}\" Text=\"of {files[i]}\" />";
            folder.File(files[i], $"<Project><Target Name=\"Of{i}\" BeforeTargets=\"Build\">{warning}</Target></Project>");
        }

        using Harness run = await Harness.RunAsync("build", solution, "--nodes", "1", "--no-restore");

        Assert.That(run.ExitCode, Is.Zero, () => string.Join('\n', [.. run.Output, .. run.Errors]));
        Assert.That(run.Output.Where(line => line.Contains(": warning W", StringComparison.Ordinal)), Has.Exactly(files.Length).Items);
        foreach (string file in files)
        {
            Assert.That(run.Output, Has.One.Contains($": of {file} ["));
        }
    }

    [Test]
    public async Task Warnings_are_errors_if_that_is_asked_for_and_errors_stand_once_more_above_the_last_line()
    {
        using var folder = new TemporaryFolder();
        string project = folder.File("P.proj",
            "<Project><Target Name=\"Build\"><Warning Code=\"X1\" Text=\"one\" /><Warning Code=\"X2\" Text=\"two\" /></Target></Project>");
        using Harness plain = await Harness.RunAsync("build", project, "--nodes", "1", "--no-restore");
        using Harness strict = await Harness.RunAsync("build", project, "--nodes", "1", "--no-restore", "-warnaserror", "-nowarn:X2");

        Assert.That(plain.ExitCode, Is.Zero);
        Assert.That(strict.ExitCode, Is.EqualTo(1));
        Assert.That(strict.Output, Has.Exactly(2).Contains("error X1: one").And.None.Contains("X2"));
        Assert.That(strict.Output[^2], Does.StartWith("  ").And.Contain("error X1: one"));
        Assert.That(strict.Output[^1], Does.StartWith("failed: 1 project (all built), 0 warnings, 1 error, "));
    }

    private static string[] Values(string[] lines) => [.. lines.Where(line => line.Contains(" 0=[", StringComparison.Ordinal))
        .Select(line => line[line.IndexOf("0=[", StringComparison.Ordinal)..].Split(" [/")[0].Trim())];
}
