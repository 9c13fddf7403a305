using System.IO;
using System.Linq;
using Transport.Testing;

namespace BuildHarness.Tests.Processes;

/// <summary>Projects without an SDK: built at once, for tests of a build's order, processes, output folder and end. Tests of what a
/// compiler makes and says use <see cref="SolutionWriter"/>.</summary>
internal static class PlainProjects
{
    /// <summary>Writes A; B, which may have more in it; C that refers to B; D that refers to A.</summary>
    /// <returns>The solution file.</returns>
    public static string Four(TemporaryFolder folder, string b)
    {
        Write(folder, "A");
        Write(folder, "B", b);
        Write(folder, "C", "<ItemGroup><ProjectReference Include=\"../B/B.csproj\" /></ItemGroup>");
        Write(folder, "D", "<ItemGroup><ProjectReference Include=\"../A/A.csproj\" /></ItemGroup>");
        return folder.File("Four.slnx", "<Solution>" + string.Concat("ABCD".Select(p => $"<Project Path=\"{p}/{p}.csproj\" />"))
            + "</Solution>");
    }

    /// <summary>Writes one project, which puts a file of its own name into <c>bin/Debug/net10.0</c>.</summary>
    /// <param name="folder">The folder that its folder comes into.</param>
    /// <param name="name">Its name, and its folder's.</param>
    /// <param name="more">What else is in the project file.</param>
    /// <returns>The project file.</returns>
    public static string Write(TemporaryFolder folder, string name, string more = "") => folder.File(
        $"{name}/{Path.GetFileName(name)}.csproj",
        $"""
        <Project DefaultTargets="Build">
          <PropertyGroup>
            <TargetFramework>net10.0</TargetFramework>
            <OutDir>bin/Debug/net10.0/</OutDir>
          </PropertyGroup>
          <Target Name="References">
            <MSBuild Projects="@(ProjectReference)" BuildInParallel="true" Condition="'@(ProjectReference)' != ''" />
          </Target>
          <Target Name="CoreCompile" DependsOnTargets="References">
            <MakeDir Directories="$(OutDir)" />
            <WriteLinesToFile File="$(OutDir)$(MSBuildProjectName).dll" Lines="$(MSBuildProjectName)" Overwrite="true" />
          </Target>
          <Target Name="Build" DependsOnTargets="CoreCompile" />
          <Target Name="Restore" />
          {more}
        </Project>
        """);
}
