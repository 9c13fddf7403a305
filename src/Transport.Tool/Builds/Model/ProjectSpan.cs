using System.Collections.Generic;

namespace Transport.Tool;

/// <summary>One build of a project.</summary>
/// <param name="id">Its context.</param>
/// <param name="name">Its name for a person: the file's, and the framework if it has several.</param>
/// <param name="file">The project file.</param>
/// <param name="targets">What was asked for; empty: its default.</param>
/// <param name="node">The node that built it.</param>
/// <param name="start">When it began.</param>
internal sealed class ProjectSpan(int id, string name, string file, string targets, string node, long start) : BuildSpan(name, start)
{
    public int Id => id;

    public string File => file;

    public string Targets => targets;

    public string Node => node;

    /// <summary>Gets or sets the project that asked for it; null: the build itself.</summary>
    public ProjectSpan? Parent { get; set; }

    /// <summary>Gets the projects that it asked for.</summary>
    public List<ProjectSpan> Children { get; } = [];

    /// <summary>Gets its targets, in their order.</summary>
    public List<TargetSpan> OwnTargets { get; } = [];
}
