namespace Transport.Files;

/// <summary>A directory with an entry of its own.</summary>
/// <param name="core">The output.</param>
/// <param name="folder">The directory.</param>
internal sealed class FolderJob(OutputCore core, Folder folder) : EntryJob(core, "directory", folder)
{
    /// <inheritdoc/>
    public override string Path => Parent.Path;

    /// <inheritdoc/>
    protected override void Create(Writer writer) => Tree.CreateDirectory(Parent);
}
