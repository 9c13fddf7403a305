using System;
using System.IO;
using System.Linq;
using System.Threading.Tasks;
using NUnit.Framework;
using Transport.Testing;

namespace BuildHarness.Tests.Processes;

/// <summary>How many warnings a build has is a fact: as many as <c>dotnet build</c> says, on however many nodes.</summary>
[TestFixture]
[Platform(Include = "Linux")]
internal sealed class WarningCountTests
{
    private static readonly int Solutions = Nightly.Rounds(50, 1);

    [Test]
    public async Task Generated_solutions_have_as_many_warnings_as_dotnet_build_says()
    {
        int first = Nightly.IsOn ? Environment.TickCount & 0xffff : 48;   // by day one with frameworks, packing and references
        for (int seed = first; seed < first + Solutions; seed++)
        {
            TestContext.Out.WriteLine($"seed {seed}");
            using var theirs = new TemporaryFolder();
            using var ours = new TemporaryFolder();
            string[] expected = Warnings(await DotnetBuild.RunAsync(Write(theirs, seed)), theirs);
            using Harness run = await Harness.RunAsync("build", Write(ours, seed), "--nodes", (1 + (seed % 3)).ToString());
            Assert.That(run.ExitCode, Is.Zero, () => string.Join('\n', [.. run.Output, .. run.Errors]));
            Assert.That(Warnings(run.Output, ours), Is.EqualTo(expected).And.Not.Empty, $"seed {seed}, {ours.Path}");
        }
    }

    /// <summary>dotnet build repeats all warnings below its verdict.</summary>
    private static string[] Warnings(string[] lines, TemporaryFolder folder) =>
        [.. lines.TakeWhile(line => !line.StartsWith("Build succeeded", StringComparison.Ordinal))
            .Where(line => line.Contains(": warning", StringComparison.Ordinal))
            .Select(line => line.Trim().Replace(folder.Path, string.Empty, StringComparison.Ordinal).Split(" [")[0])
            .Order(StringComparer.Ordinal)];

    private static string Write(TemporaryFolder folder, int seed)
    {
        var dice = new Random(seed);
        int count = 2 + dice.Next(3);
        string[] targets = ["ResolvePackageAssets", "CoreCompile", "GetTargetPath", "AssignTargetPaths"];
        for (int i = 0; i < count; i++)
        {
            string frameworks = dice.Next(3) > 0 ? "<TargetFrameworks>net10.0;netstandard2.0</TargetFrameworks>"
                : "<TargetFramework>netstandard2.0</TargetFramework>";
            string packs = dice.Next(2) == 0 ? "<GeneratePackageOnBuild>true</GeneratePackageOnBuild>" : string.Empty;
            string references = string.Concat(Enumerable.Range(0, i).Where(_ => dice.Next(2) == 0)
                .Select(one => $"<ProjectReference Include=\"../P{one}/P{one}.csproj\" />"));
            string target = targets[dice.Next(targets.Length)];
            folder.File($"P{i}/P{i}.csproj", $"""
                <Project Sdk="Microsoft.NET.Sdk">
                  <PropertyGroup>{frameworks}{packs}<DisableImplicitNuGetFallbackFolder>true</DisableImplicitNuGetFallbackFolder></PropertyGroup>
                  <ItemGroup>{references}</ItemGroup>
                  <Target Name="W" BeforeTargets="{target}"><Warning Code="W1" Text="seen $(MSBuildProjectName) $(TargetFramework)" /></Target>
                </Project>
                """);
            folder.File($"P{i}/Class.cs", $"public class C{i} {{ }}");
        }

        return folder.File("All.slnx", "<Solution>"
            + string.Concat(Enumerable.Range(0, count).Select(i => $"<Project Path=\"P{i}/P{i}.csproj\" />")) + "</Solution>");
    }
}
