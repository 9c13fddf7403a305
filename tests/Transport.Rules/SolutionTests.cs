using System;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using System.Text.Json;
using NUnit.Framework;

namespace Transport.Rules;

/// <summary>The solution is written by hand: this keeps it what it seems to be.</summary>
[TestFixture]
internal sealed class SolutionTests
{
    /// <summary>Beside the solution: what needs packages that nothing else does.</summary>
    private static readonly string[] Apart = ["perf/Transport.Rivals/Transport.Rivals.csproj"];

    private static readonly string[] Lines = Repository.Text("Transport.sln").ReplaceLineEndings("\n").Split('\n');

    private static readonly (string Name, string Path, string Id)[] Projects =
        [.. Lines.Where(line => line.StartsWith("Project(", StringComparison.Ordinal)).Select(line => line.Split('"'))
            .Select(parts => (parts[3], parts[5].Replace('\\', '/'), parts[7]))];

    [Test]
    public void The_solution_has_every_project_in_the_folder_where_it_lies()
    {
        var parents = Lines.SkipWhile(line => !line.Contains("(NestedProjects)", StringComparison.Ordinal)).Skip(1)
            .TakeWhile(line => line.Contains(" = ", StringComparison.Ordinal)).Select(line => line.Trim().Split(" = "))
            .ToDictionary(pair => pair[0], pair => pair[1]);
        var names = Projects.ToDictionary(one => one.Id, one => one.Name);
        string FolderOf(string id) => parents.TryGetValue(id, out string? parent) ? $"{FolderOf(parent)}{names[parent]}/" : string.Empty;

        IEnumerable<string> there = Projects.Where(one => one.Path.EndsWith(".csproj", StringComparison.Ordinal))
            .Select(one => $"{FolderOf(one.Id)}: {one.Path}");
        IEnumerable<string> expected = Repository.Files("*.csproj", "src", "tests", "perf", "samples")
            .Where(path => !path.StartsWith("samples/Example/", StringComparison.Ordinal) && !Apart.Contains(path))
            .Select(path => $"{Path.GetDirectoryName(Path.GetDirectoryName(path))!.Replace('\\', '/')}/: {path}");

        Assert.That(there, Is.EquivalentTo(expected));
    }

    [Test]
    public void The_filter_of_the_library_has_every_project_of_src()
    {
        using var filter = JsonDocument.Parse(Repository.Text("Transport.Library.slnf"));

        JsonElement solution = filter.RootElement.GetProperty("solution");
        Assert.That(solution.GetProperty("path").GetString(), Is.EqualTo("Transport.sln"));
        Assert.That(solution.GetProperty("projects").EnumerateArray().Select(one => one.GetString()!.Replace('\\', '/')),
            Is.EquivalentTo(Repository.Files("*.csproj", "src")));
    }
}
