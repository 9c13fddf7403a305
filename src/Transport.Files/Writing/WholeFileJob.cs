using System;

namespace Transport.Files;

/// <summary>A file whose bytes came all at once, as most do: what <see cref="FileJob"/> does, without a lock.</summary>
internal sealed class WholeFileJob(OutputCore core, Folder parent, string name, FileEntry entry, Chunk? bytes) : OutputJob
{
    public override Folder Parent => parent;

    public override string Path => parent.PathOf(name);

    public override bool IsAwaited => bytes is { Lender: not null };

    public override void Run(Writer writer)
    {
        if (core.State.First is null)
        {
            OpenFile? file = null;
            try
            {
                file = FileSteps.Open(core, this, parent, name, entry, bytes?.Bytes.Length ?? 0, writer);
                if (bytes is { } chunk)
                {
                    FileSteps.Write(core, this, file, chunk.Bytes, writer);
                }

                OpenFile written = file;
                file = null;
                FileSteps.Finish(core, this, written, entry, writer);
            }
            catch (Exception failed)
            {
                core.Fail(FileCallException.Failure(Path, "write", failed));
                file?.Abandon();
            }
        }
        else
        {
            core.State.Skip();
        }

        if (bytes is { } given)
        {
            FileSteps.GiveBack(core, given, writer);
        }

        writer.Freed += Charge;
        core.State.End();
    }
}
