using System;
using System.Collections.Generic;
using System.IO;

namespace BuildHarness.Planning;

/// <summary>One project to be built once: a project file with its global properties. Free of MSBuild's types. Immutable.</summary>
internal sealed class PlannedProject
{
    /// <summary>Initializes a new instance of the <see cref="PlannedProject"/> class.</summary>
    /// <param name="id">Its place in <see cref="BuildPlan.Projects"/>, from 0.</param>
    /// <param name="path">The full path of the project file.</param>
    /// <param name="framework">Its target framework, or empty if it names none.</param>
    /// <param name="properties">The global properties it is built with.</param>
    /// <param name="references">The ids of the projects that must be built before, direct and indirect ones.</param>
    /// <exception cref="ArgumentNullException">An argument is null.</exception>
    public PlannedProject(
        int id, string path, string framework, IReadOnlyList<KeyValuePair<string, string>> properties, IReadOnlyList<int> references)
    {
        Id = id;
        Path = path ?? throw new ArgumentNullException(nameof(path));
        Framework = framework ?? throw new ArgumentNullException(nameof(framework));
        Properties = properties ?? throw new ArgumentNullException(nameof(properties));
        References = references ?? throw new ArgumentNullException(nameof(references));
    }

    /// <summary>Gets its place in <see cref="BuildPlan.Projects"/>, from 0.</summary>
    public int Id { get; }

    /// <summary>Gets the full path of the project file.</summary>
    public string Path { get; }

    /// <summary>Gets its target framework; empty if it names none.</summary>
    public string Framework { get; }

    /// <summary>Gets the global properties it is built with.</summary>
    public IReadOnlyList<KeyValuePair<string, string>> Properties { get; }

    /// <summary>Gets the ids of the projects that must be built before, direct and indirect ones.</summary>
    public IReadOnlyList<int> References { get; }

    /// <summary>Gets the name of the project file without its extension.</summary>
    public string Name => System.IO.Path.GetFileNameWithoutExtension(Path);

    /// <summary>Gets a value indicating whether it is one of several frameworks of its project (default false).</summary>
    public bool IsInner { get; init; }

    /// <summary>Gets the targets to build; empty (default): the project's own default.</summary>
    public IReadOnlyList<string> Targets { get; init; } = [];

    /// <summary>Gets the full path of the folder that its outputs go to, as evaluated; empty (default) if it has none.</summary>
    public string OutputFolder { get; init; } = string.Empty;

    /// <summary>Gets the name shown to people: the name and, if there is one, the framework.</summary>
    public string Title => Framework.Length == 0 ? Name : $"{Name} ({Framework})";

    /// <summary>Returns <see cref="Title"/>.</summary>
    public override string ToString() => Title;
}
