using System;
using Transport.Files.Trees;

namespace Transport.Files.Writing;

/// <summary>An entry without bytes: a directory or a symbolic link.</summary>
/// <param name="core">The output.</param>
/// <param name="operation">The word for traces and failures.</param>
/// <param name="parent">The directory it is in.</param>
/// <param name="name">Its name; null: the directory itself is the entry.</param>
/// <param name="make">Makes it.</param>
internal sealed class EntryJob(OutputCore core, string operation, Folder parent, string? name, Action make) : OutputJob
{
    public override Folder Parent => parent;

    public override string Path => name is null ? parent.Path : parent.PathOf(name);

    public override void Run(Writer writer)
    {
        try
        {
            if (core.State.First is null)
            {
                long from = writer.Now;
                core.State.Current = this;
                make();
                writer.Span(operation, from, writer.IsTraced ? Path : null);
                if (name is not null)
                {
                    core.State.LinkDone();
                }
            }
            else
            {
                core.State.Skip();
            }
        }
        catch (Exception failed)
        {
            core.Fail(FileCallException.Failure(Path, operation, failed));
        }
        finally
        {
            writer.Freed += OutputCore.LeastCharge;
            core.State.End();
        }
    }
}
