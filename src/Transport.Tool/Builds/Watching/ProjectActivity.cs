namespace Transport.Tool;

/// <summary>A project that is being built, and what it is on.</summary>
/// <param name="id">Its context.</param>
/// <param name="title">Its name for a person.</param>
/// <param name="node">The node that builds it.</param>
/// <param name="parent">The context of the project that waits for it; -1 none.</param>
internal sealed class ProjectActivity(int id, string title, string node, int parent)
{
    public int Id => id;

    public string Title => title;

    public string Node => node;

    public int Parent => parent;

    /// <summary>Gets or sets the target that was begun last.</summary>
    public string Target { get; set; } = string.Empty;

    /// <summary>Gets or sets the task that is running; empty: none.</summary>
    public string Task { get; set; } = string.Empty;

    /// <summary>Gets or sets when that began, in ticks of UTC.</summary>
    public long Since { get; set; }

    /// <summary>Gets or sets how many projects it waits for.</summary>
    public int Children { get; set; }
}
