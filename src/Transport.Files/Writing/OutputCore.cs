using System;
using System.Threading;
using System.Threading.Tasks;

namespace Transport.Files;

/// <summary>What the parts of an output share.</summary>
internal sealed class OutputCore : IDisposable
{
    /// <summary>The least that an entry is charged with: what it costs besides its bytes and its name.</summary>
    public const int LeastCharge = 512;

    /// <summary>From here on freed memory is told of before the end of a batch.</summary>
    public const long TellAt = 256 << 10;

    private readonly CancellationTokenSource _over = new();
    private int _isOver;

    public OutputCore(OutputTree tree, FileOutputOptions options, FileIoChoice io)
    {
        Tree = tree;
        Earlier = FileSystem.OpenEarlier(options);
        Io = io;
        Syncs = options.Sync != FileSync.None;
        SetsTimes = options.SetTimes;
        Budget = new MemoryBudget(options.MemoryBudget);
        Segments = new SegmentPool(options.MemoryBudget);
        Writers = new WriterPool(options.Writers ?? Platform.DefaultWriters, options.Trace, TellFreed, options.StartThread);
    }

    /// <summary>Gets what is cancelled with the first failure: nobody waits for a source any more. Another thread cancels, for what listens is a caller's.</summary>
    public CancellationToken Over => _over.Token;

    public OutputTree Tree { get; }

    /// <summary>Gets what files are taken over from, or null.</summary>
    public EarlierTree? Earlier { get; }

    public FolderTable Folders { get; } = new();

    public OutputState State { get; } = new();

    public MemoryBudget Budget { get; }

    public SegmentPool Segments { get; }

    public WriterPool Writers { get; }

    public FileIoChoice Io { get; }

    public bool Syncs { get; }

    public bool SetsTimes { get; }

    /// <summary>Gets what an entry is charged with besides its bytes.</summary>
    /// <param name="name">Its name.</param>
    /// <param name="target">What it points to.</param>
    public static int ChargeOf(string name, string target = "") => LeastCharge + ((name.Length + target.Length) * sizeof(char));

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
        if (Interlocked.Exchange(ref _isOver, 1) == 0)
        {
            _ = Task.Run(_over.Cancel);
        }
    }

    /// <summary>Makes room for what a writer has freed.</summary>
    public void TellFreed(Writer writer)
    {
        long freed = writer.Freed;
        writer.Freed = 0;
        Budget.Give(freed);
    }

    public FileTime? TimeOf(in FileEntry entry) => SetsTimes ? entry.Modified : null;

    public void Dispose()
    {
        Writers.Dispose();
        Tree.Dispose();
        Earlier?.Dispose();
    }
}
