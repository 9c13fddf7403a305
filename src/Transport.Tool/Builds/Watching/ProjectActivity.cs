using System.Collections.Generic;

namespace Transport.Tool;

/// <summary>A project that is being built, and what it is on.</summary>
/// <param name="id">Its context.</param>
/// <param name="title">Its name for a person.</param>
/// <param name="node">The node that builds it.</param>
/// <param name="parent">The context of the project that waits for it; -1 none.</param>
/// <param name="isQuestion">Whether another project only asks it for something, its frameworks say: nothing is built.</param>
internal sealed class ProjectActivity(int id, string title, string node, int parent, bool isQuestion)
{
    public int Id => id;

    public string Title => title;

    public string Node => node;

    public int Parent => parent;

    public bool IsQuestion => isQuestion;

    /// <summary>Gets a value indicating whether it waits for projects: those that it has asked for are being built, or wait for a
    /// node.</summary>
    public bool Waits => Children > 0 || Task == "MSBuild";

    /// <summary>Gets or sets the target that was begun last.</summary>
    public string Target { get; set; } = string.Empty;

    /// <summary>Gets or sets the task that is running; empty: none.</summary>
    public string Task { get; set; } = string.Empty;

    /// <summary>Gets or sets when that began, in ticks of UTC.</summary>
    public long Since { get; set; }

    /// <summary>Gets or sets its place among those of its node: the last is what the node is on.</summary>
    public LinkedListNode<ProjectActivity>? Place { get; set; }

    /// <summary>Gets or sets how many projects it waits for.</summary>
    public int Children { get; set; }
}
