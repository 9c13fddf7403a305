using System;

namespace Transport.Files;

/// <summary>An entry without bytes.</summary>
/// <param name="core">The output.</param>
/// <param name="operation">The word for traces and failures.</param>
/// <param name="parent">The directory it is in, or the directory itself.</param>
internal abstract class EntryJob(OutputCore core, string operation, Folder parent) : OutputJob
{
    /// <inheritdoc/>
    public override Folder Parent => parent;

    /// <summary>Gets the tree.</summary>
    protected IOutputTree Tree => core.Tree;

    /// <inheritdoc/>
    public override void Run(Writer writer)
    {
        try
        {
            if (core.State.First is null)
            {
                long from = writer.Spans.Now;
                core.State.Current = this;
                Create(writer);
                writer.Spans.Span(operation, from, writer.Spans.AreHeard ? Path : null);
            }
            else
            {
                core.State.AddSkipped();
            }
        }
        catch (Exception failed)
        {
            core.Fail(FileCallException.Failure(Path, operation, failed));
        }
        finally
        {
            writer.Freed += Charge;
            writer.Ended++;
        }
    }

    /// <summary>Creates the entry.</summary>
    /// <param name="writer">The writer that does it.</param>
    protected abstract void Create(Writer writer);
}
