using System;
using System.Collections.Generic;
using System.IO;
using System.Xml;
using Microsoft.Build.Construction;
using Microsoft.Build.Evaluation;
using Microsoft.Build.Execution;

namespace BuildHarness.Worker;

/// <summary>
/// A project that exists in memory alone. Building its harmless targets loads and compiles what the first real project would otherwise wait
/// for: MSBuild's code, the SDK resolver, the SDK's imports (which all later projects share). It is done while the main node still
/// restores packages.
/// </summary>
internal static class WarmUpProject
{
    private static readonly string[] Targets =
        ["GetTargetFrameworks", "GetTargetPath", "ResolveProjectReferences", "GetCopyToOutputDirectoryItems"];

    private static string Framework { get; } = $"net{Environment.Version.Major}.0";

    /// <summary>Builds it within a session that has begun. Whatever goes wrong is left to the first real project to report.</summary>
    public static void Build(BuildManager manager, ProjectCollection projects)
    {
        string xml = $"""
            <Project Sdk="Microsoft.NET.Sdk">
              <PropertyGroup><TargetFramework>{Framework}</TargetFramework></PropertyGroup>
            </Project>
            """;
        DirectoryInfo? folder = null;
        try
        {
            folder = Directory.CreateTempSubdirectory("transport-");
            WriteAssets(folder.CreateSubdirectory("obj"));
            using var reader = XmlReader.Create(new StringReader(xml));
            var root = ProjectRootElement.Create(reader, projects);
            root.FullPath = Path.Combine(folder.FullName, "warm.csproj");
            var properties = new Dictionary<string, string?>(StringComparer.OrdinalIgnoreCase);
            var instance = new ProjectInstance(root, properties, toolsVersion: null, projects);
            manager.BuildRequest(new BuildRequestData(instance, Targets));
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException or InvalidOperationException
            or Microsoft.Build.Exceptions.InvalidProjectFileException)
        {
            // Nothing depends on it.
        }
        finally
        {
            folder?.Delete(recursive: true);
        }
    }

    /// <summary>What a restore of no packages leaves behind. Without it a target fails, and with it the whole session, whatever is built
    /// later.</summary>
    private static void WriteAssets(DirectoryInfo obj) => File.WriteAllText(
        Path.Combine(obj.FullName, "project.assets.json"),
        $$"""
        {"version":3,"targets":{"{{Framework}}":{} },"libraries":{},"projectFileDependencyGroups":{"{{Framework}}":[]},
        "project":{"version":"1.0.0","frameworks":{"{{Framework}}":{} } } }
        """);
}
