using System;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using BuildHarness.Packets;
using Transport.MSBuild;

namespace BuildHarness.Collecting;

/// <summary>What is collected of each project, and the folder of the collection that it goes to. Immutable.</summary>
internal sealed class CollectionPlan
{
    private readonly OutputsWanted[] _wanted;
    private readonly string[] _names;

    public CollectionPlan(IReadOnlyList<BuiltProject> projects)
    {
        Projects = projects;
        _wanted = Wanted(projects);
        _names = Names(projects);
    }

    public IReadOnlyList<BuiltProject> Projects { get; }

    public OutputsWanted Wanted(int project) => _wanted[project];

    public string Name(int project) => _names[project];

    /// <summary>All of a folder is asked for only if it is the project's alone: no other's output folder, in none, around none, and
    /// without projects in it.</summary>
    private static OutputsWanted[] Wanted(IReadOnlyList<BuiltProject> projects)
    {
        var owned = new HashSet<string>(StringComparer.Ordinal);
        var shared = new HashSet<string>(StringComparer.Ordinal);
        foreach (BuiltProject project in projects)
        {
            if (project.OutputFolder.Length > 0 && !owned.Add(project.OutputFolder))
            {
                shared.Add(project.OutputFolder);
            }
        }

        foreach (string folder in owned)
        {
            string[] around = [.. Above(folder).Skip(1).Where(owned.Contains)];
            shared.UnionWith(around);
            if (around.Length > 0)
            {
                shared.Add(folder);
            }
        }

        var wanted = new OutputsWanted[projects.Count];
        foreach (BuiltProject project in projects)
        {
            shared.UnionWith(Above(Path.GetDirectoryName(project.Path)!).Where(owned.Contains));
        }

        for (int i = 0; i < wanted.Length; i++)
        {
            wanted[i] = shared.Contains(projects[i].OutputFolder) ? OutputsWanted.Written : OutputsWanted.Folder;
        }

        return wanted;
    }

    private static IEnumerable<string> Above(string folder)
    {
        for (string? one = folder; one is not null; one = Path.GetDirectoryName(one))
        {
            yield return one;
        }
    }

    /// <summary>The project's name, with its framework if it has several; names that are still the same are numbered, in the order of
    /// their paths.</summary>
    private static string[] Names(IReadOnlyList<BuiltProject> projects)
    {
        var names = new string[projects.Count];
        var taken = new HashSet<string>(StringComparer.OrdinalIgnoreCase) { CollectionTarget.Marker };
        foreach (BuiltProject project in projects.OrderBy(p => p.Path, StringComparer.Ordinal)
            .ThenBy(p => p.Framework, StringComparer.Ordinal).ThenBy(p => p.Id))
        {
            string plain = project.Name.Trim('.').Length == 0 ? "_" : project.Name;
            string wanted = project.IsInner ? $"{plain}_{project.Framework}" : plain;
            string name = wanted;
            for (int i = 2; !taken.Add(name); i++)
            {
                name = FormattableString.Invariant($"{wanted}_{i}");
            }

            names[project.Id] = name;
        }

        return names;
    }
}
