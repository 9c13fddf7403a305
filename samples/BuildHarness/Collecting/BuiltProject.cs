using BuildHarness.Packets;

namespace BuildHarness.Collecting;

/// <summary>A project whose outputs are collected. Immutable.</summary>
/// <param name="Id">Its place among all of them, from 0.</param>
/// <param name="Project">What it was evaluated to.</param>
internal sealed record BuiltProject(int Id, ProjectEvaluated Project)
{
    /// <summary>Gets the full path of the project file.</summary>
    public string Path => Project.Path;

    /// <summary>Gets its target framework; empty if it names none.</summary>
    public string Framework => Project.Framework;

    /// <summary>Gets a value indicating whether it is one of several frameworks of its project.</summary>
    public bool IsInner => Project.IsInner;

    /// <summary>Gets the full path of the folder that its outputs go to; empty: it has none.</summary>
    public string OutputFolder => Project.OutputFolder;

    /// <summary>Gets the name of the project file without its extension.</summary>
    public string Name => System.IO.Path.GetFileNameWithoutExtension(Path);

    /// <summary>Gets the name shown to people: the name and, if there is one, the framework.</summary>
    public string Title => Framework.Length == 0 ? Name : $"{Name} ({Framework})";

    /// <summary>Returns <see cref="Title"/>.</summary>
    public override string ToString() => Title;
}
