using System;
using Transport.Buffers;
using Transport.Files.Trees;

namespace Transport.Files.Writing;

/// <summary>What the parts of an output share.</summary>
internal sealed class OutputCore(OutputTree tree, FileOutputOptions options, FileIoChoice io) : IDisposable
{
    /// <summary>The least that an entry is charged with: what it costs besides its bytes.</summary>
    public const int LeastCharge = 512;

    public OutputTree Tree { get; } = tree;

    public FolderTable Folders { get; } = new();

    public OutputState State { get; } = new();

    public MemoryBudget Budget { get; } = new(options.MemoryBudget);

    public SegmentPool Segments { get; } = new(options.MemoryBudget);

    public WriterPool Writers { get; } = new(options.Writers ?? Platform.DefaultWriters, options.Trace);

    public FileIoChoice Io { get; } = io;

    public bool Syncs { get; } = options.Sync != FileSync.None;

    /// <summary>Gets the size of the segment that a rent of so many bytes gives.</summary>
    public static int RoomFor(int bytes)
    {
        int room = SegmentPool.Smallest;
        while (room < bytes)
        {
            room *= 2;
        }

        return room;
    }

    /// <summary>Notes a failure: nothing new is begun any more, and nobody waits for room.</summary>
    public void Fail(FileFailure failure)
    {
        State.Fail(failure);
        Budget.End();
    }

    public FileTime? TimeOf(in FileEntry entry) => options.SetTimes ? entry.Modified : null;

    public void Dispose()
    {
        Writers.Dispose();
        Tree.Dispose();
    }
}
