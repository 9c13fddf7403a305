using System.Collections.Generic;
using System.Globalization;
using System.Linq;
using System.Text;
using Transport.Testing;

namespace BuildHarness.Tests.Planning;

/// <summary>Writes a .sln with two configurations and a project of each name.</summary>
internal sealed class ClassicSolution(TemporaryFolder folder)
{
    /// <summary>Gets, by a project's name, the project that the solution wants built before it.</summary>
    public Dictionary<string, string> Order { get; } = [];

    /// <summary>Gets the projects that no configuration builds.</summary>
    public HashSet<string> LeftOut { get; } = [];

    /// <summary>Gets the projects that no configuration mentions.</summary>
    public HashSet<string> Unconfigured { get; } = [];

    /// <returns>The full path of the solution, All.sln.</returns>
    public string Write(params string[] names)
    {
        var text = new StringBuilder("\nMicrosoft Visual Studio Solution File, Format Version 12.00\n");
        foreach (string name in names)
        {
            folder.File($"{name}/{name}.csproj",
                "<Project Sdk=\"Microsoft.NET.Sdk\"><PropertyGroup><TargetFramework>net10.0</TargetFramework></PropertyGroup></Project>");
            text.Append(CultureInfo.InvariantCulture,
                $"Project(\"{{9A19103F-16F7-4668-BE54-9A1E7A4F7556}}\") = \"{name}\", \"{name}\\{name}.csproj\", \"{Id(name)}\"\n");
            if (Order.TryGetValue(name, out string? before))
            {
                text.Append("ProjectSection(ProjectDependencies) = postProject\n").Append(Id(before)).Append(" = ").Append(Id(before))
                    .Append("\nEndProjectSection\n");
            }

            text.Append("EndProject\n");
        }

        text.Append("Global\nGlobalSection(SolutionConfigurationPlatforms) = preSolution\n");
        string[] configurations = ["Debug|Any CPU", "Release|Any CPU"];
        text.AppendJoin('\n', configurations.Select(one => $"{one} = {one}"));
        text.Append("\nEndGlobalSection\nGlobalSection(ProjectConfigurationPlatforms) = postSolution\n");
        foreach (string name in names.Except(Unconfigured))
        {
            foreach (string one in configurations)
            {
                text.Append(CultureInfo.InvariantCulture, $"{Id(name)}.{one}.ActiveCfg = {one}\n");
                text.Append(LeftOut.Contains(name) ? string.Empty : $"{Id(name)}.{one}.Build.0 = {one}\n");
            }
        }

        return folder.File("All.sln", text.Append("EndGlobalSection\nEndGlobal\n").ToString());
    }

    private static string Id(string name) =>
        "{" + string.Create(CultureInfo.InvariantCulture, $"{(int)name[0]:D8}-0000-0000-0000-000000000000") + "}";
}
