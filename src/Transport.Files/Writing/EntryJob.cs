using System;

namespace Transport.Files;

/// <summary>An entry without bytes.</summary>
/// <param name="core">The output.</param>
/// <param name="operation">The word for traces and failures.</param>
/// <param name="parent">The directory it is in, or is.</param>
internal abstract class EntryJob(OutputCore core, string operation, Folder parent) : OutputJob
{
    public override Folder Parent => parent;

    protected OutputTree Tree => core.Tree;

    public override void Run(Writer writer)
    {
        try
        {
            if (core.State.First is null)
            {
                long from = writer.Now;
                core.State.Current = this;
                Make();
                writer.Span(operation, from, writer.IsTraced ? Path : null);
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
            writer.Freed += Charge;
            core.State.End();
        }
    }

    protected abstract void Make();
}
