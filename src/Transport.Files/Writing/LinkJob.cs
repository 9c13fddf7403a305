namespace Transport.Files;

/// <summary>A symbolic link.</summary>
internal sealed class LinkJob(OutputCore core, Folder parent, string name, string target, FileTime? modified) : EntryJob(core, "link", parent)
{
    private readonly OutputState _state = core.State;

    public override string Path => Parent.PathOf(name);

    protected override void Make()
    {
        Tree.MakeSymbolicLink(Parent, name, target, modified);
        _state.LinkDone();
    }
}
