using System;
using System.Collections.Generic;
using System.Diagnostics;
using System.IO;
using System.Linq;
using System.Threading.Tasks;
using Microsoft.Build.Logging.StructuredLogger;
using NUnit.Framework;
using Task = System.Threading.Tasks.Task;

namespace Transport.Tool.Tests.Builds;

/// <summary>What the structured log viewer sees of a build: in MSBuild's own binary log, and in the one exported from the journal.</summary>
internal sealed class BinaryLogTests
{
    /// <summary>MSBuild shows each logger what the loggers before it have loaded: of ours the binary logger alone hears.</summary>
    private const string OurLoading = "TransportLogger)";

    [TestCase("en")]
    [TestCase("de")]
    public async Task The_viewer_sees_as_many_nodes_of_each_kind_and_the_same_files_as_in_the_log_of_the_same_build(string language)
    {
        using var build = new SmallBuild();
        foreach ((string name, string rest) in new[]
        {
            ("lib", "<TargetFrameworks>net10.0;netstandard2.0</TargetFrameworks></PropertyGroup>"),
            ("app", """<TargetFramework>net10.0</TargetFramework></PropertyGroup><ItemGroup><ProjectReference Include="../lib/lib.csproj" /></ItemGroup>"""),
        })
        {
            Directory.CreateDirectory(Path.Combine(build.Folder, name));
            await File.WriteAllTextAsync(Path.Combine(build.Folder, name, name + ".csproj"),
                $"<Project Sdk=\"Microsoft.NET.Sdk\"><PropertyGroup>{rest}</Project>");
            await File.WriteAllTextAsync(Path.Combine(build.Folder, name, "one.cs"), "internal class One { int unused; }");
        }

        // With one node MSBuild hands out events as they happen; with more, later, when targets have changed what evaluations say.
        var environment = new Dictionary<string, string> { ["DOTNET_CLI_UI_LANGUAGE"] = language };
        using Process collecting = build.Start(environment, "collect", "--journal", build.Journal, "--",
            "dotnet", "build", "app/app.csproj", "-m:1", "-bl:stock.binlog");
        ToolRun run = await ToolRun.EndAsync(collecting);
        Assert.That(run.ExitCode, Is.Zero, string.Join('\n', run.Output.Concat(run.Errors)));
        ToolRun export = await ToolRun.EndAsync(build.Start("export", build.Journal, "--binlog", "ours.binlog", "--project-files"));
        Assert.That(export.ExitCode, Is.Zero, string.Join('\n', export.Errors));
        Assert.That(export.Errors, Has.Some.Contains("project files, unmasked").And.None.Contains("changed since"));

        Build stock = BinaryLog.ReadBuild(Path.Combine(build.Folder, "stock.binlog"));
        Build ours = BinaryLog.ReadBuild(Path.Combine(build.Folder, "ours.binlog"));
        Assert.That(Kinds(ours), Is.EqualTo(Kinds(stock)));
        Assert.That(Files(ours), Is.EquivalentTo(Files(stock)).And.Not.Empty);
        Assert.That(Said(ours, "CurrentUICulture"), Is.EqualTo(language));
        Assert.That(Said(ours, "BinLogFilePath"), Is.EqualTo(Path.Combine(build.Folder, "ours.binlog")));
        Assert.That(ours.FindChildrenRecursive<CscTask>().First().FromAssembly, Does.EndWith("Microsoft.Build.Tasks.CodeAnalysis.dll"));
    }

    [Test]
    public async Task An_exported_binary_log_has_no_project_file_unless_asked_and_says_which_have_changed()
    {
        using var build = new SmallBuild();
        ToolRun run = await build.CollectAsync([], "dotnet", "msbuild", "one.proj");
        Assert.That(run.ExitCode, Is.Zero, string.Join('\n', run.Output.Concat(run.Errors)));
        ToolRun without = await ToolRun.EndAsync(build.Start("export", build.Journal, "--binlog", "without.binlog"));
        await File.AppendAllTextAsync(Path.Combine(build.Folder, "two.proj"), "<!-- later -->");
        ToolRun with = await ToolRun.EndAsync(build.Start("export", build.Journal, "--binlog", "with.binlog", "--project-files"));

        Assert.That((without.ExitCode, with.ExitCode), Is.EqualTo((0, 0)));
        Assert.That(BinaryLog.ReadBuild(Path.Combine(build.Folder, "without.binlog")).SourceFiles ?? [], Is.Empty);
        Assert.That(Files(BinaryLog.ReadBuild(Path.Combine(build.Folder, "with.binlog"))),
            Is.EquivalentTo(new[] { Path.Combine(build.Folder, "one.proj"), Path.Combine(build.Folder, "two.proj") }));
        Assert.That(with.Errors, Has.Some.Contains(
            $"2 project files, unmasked; 1 changed since the build: {Path.Combine(build.Folder, "two.proj")}"));
    }

    private static Dictionary<string, int> Kinds(Build build)
    {
        var kinds = new Dictionary<string, int>(StringComparer.Ordinal);
        build.VisitAllChildren<BaseNode>(node =>
        {
            if (node is not Message || node.ToString()?.Contains(OurLoading, StringComparison.Ordinal) is not true)
            {
                string kind = node is Folder folder ? $"Folder {folder.Name}" : node.GetType().Name;
                kinds[kind] = kinds.GetValueOrDefault(kind) + 1;
            }
        });
        return kinds;
    }

    private static IEnumerable<string> Files(Build build) => (build.SourceFiles ?? []).Select(file => file.FullPath);

    private static string? Said(Build build, string name) => build.Children.OfType<Property>().SingleOrDefault(one => one.Name == name)?.Value;
}
