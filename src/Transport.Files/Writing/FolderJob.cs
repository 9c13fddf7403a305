namespace Transport.Files;

/// <summary>A directory that an entry of its own names.</summary>
internal sealed class FolderJob(OutputCore core, Folder folder) : EntryJob(core, "directory", folder)
{
    public override string Path => Parent.Path;

    protected override void Make() => Tree.MakeFolder(Parent);
}
