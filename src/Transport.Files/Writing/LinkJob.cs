namespace Transport.Files;

/// <summary>A symbolic link.</summary>
/// <param name="core">The output.</param>
/// <param name="parent">The link's directory.</param>
/// <param name="name">The link's name.</param>
/// <param name="target">The text it holds.</param>
/// <param name="modified">Its own time, or null.</param>
internal sealed class LinkJob(OutputCore core, Folder parent, string name, string target, FileTime? modified)
    : EntryJob(core, "link", parent)
{
    /// <inheritdoc/>
    public override string Path => Parent.PathOf(name);

    /// <inheritdoc/>
    protected override void Create(Writer writer)
    {
        Tree.CreateSymbolicLink(Parent, name, target, modified);
        writer.Links++;
    }
}
