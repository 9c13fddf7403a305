using System;

namespace Transport.Files;

/// <summary>The steps of a file, each with its span in the trace.</summary>
internal static class FileSteps
{
    private const int FirstMode = 0x1B6, ModeBits = 0x1FF; // 0666, 0777

    public static int ModeOf(in FileEntry entry) => (entry.Mode ?? FirstMode) & ModeBits;

    public static OpenFile Open(OutputCore core, OutputJob job, Folder parent, string name, in FileEntry entry, long length, Writer writer)
    {
        core.State.Current = job;
        long from = writer.Now;
        OpenFile file = core.Tree.CreateFile(parent, name, ModeOf(entry), core.Io.For(length));
        writer.Span("open", from, writer.IsTraced ? job.Path : null);
        return file;
    }

    public static void Write(OutputCore core, OutputJob job, OpenFile file, ReadOnlySpan<byte> bytes, Writer writer)
    {
        long from = writer.Now;
        file.Write(bytes);
        core.State.Wrote(bytes.Length);
        writer.Span("write", from, writer.IsTraced ? job.Path : null);
    }

    public static void Finish(OutputCore core, OutputJob job, OpenFile file, in FileEntry entry, Writer writer)
    {
        long from = writer.Now;
        file.Finish(core.TimeOf(entry), core.Syncs);
        core.State.FileDone();
        writer.Span("close", from, writer.IsTraced ? job.Path : null);
    }

    /// <summary>Gives a chunk's memory back, whatever became of its bytes.</summary>
    public static void GiveBack(OutputCore core, in Chunk chunk, Writer writer)
    {
        if (chunk.Segment is { } segment)
        {
            core.Segments.Return(segment);
            writer.Freed += chunk.Charge;
        }
        else if (core.State.First is { } failure)
        {
            chunk.Lender!.TrySetException(OutputState.Error(failure));
        }
        else
        {
            chunk.Lender!.TrySetResult(true);
        }
    }
}
