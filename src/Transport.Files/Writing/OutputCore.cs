using System;
using System.Threading;
using System.Threading.Tasks;

namespace Transport.Files;

/// <summary>The objects that the parts of an output share.</summary>
internal sealed class OutputCore : IDisposable
{
    /// <summary>The least that an entry is charged: its cost besides its bytes and its name.</summary>
    public const int LeastCharge = 512;

    /// <summary>The freed memory that is reported before the end of a batch.</summary>
    public const long ReportAt = 256 << 10;

    private readonly CancellationTokenSource _over = new();

    /// <summary>Initializes a new instance of the <see cref="OutputCore"/> class.</summary>
    /// <param name="tree">Where the output goes; disposed with this.</param>
    /// <param name="options">The options, checked.</param>
    /// <param name="io">How bytes are written.</param>
    public OutputCore(IOutputTree tree, FileOutputOptions options, FileIoChoice io)
    {
        Tree = tree;
        Io = io;
        Syncs = options.Sync != FileSync.None;
        SetsTimes = options.SetTimes;
        Budget = new MemoryBudget(options.MemoryBudget);
        Segments = new ShelfPool(options.MemoryBudget);
        Writers = new WriterPool(options.Writers, options.OnSpan, Report, options.StartThread);
    }

    /// <summary>Gets the token that the first failure cancels, so that no call waits for a source any more.</summary>
    public CancellationToken Over => _over.Token;

    /// <summary>Gets where the output goes.</summary>
    public IOutputTree Tree { get; }

    /// <summary>Gets the directories.</summary>
    public FolderTable Folders { get; } = new();

    /// <summary>Gets the state.</summary>
    public OutputState State { get; } = new();

    /// <summary>Gets the memory budget.</summary>
    public MemoryBudget Budget { get; }

    /// <summary>Gets the pool of the bytes that wait.</summary>
    public SegmentPool Segments { get; }

    /// <summary>Gets the writers.</summary>
    public WriterPool Writers { get; }

    /// <summary>Gets how bytes are written.</summary>
    public FileIoChoice Io { get; }

    /// <summary>Gets a value indicating whether files are synced.</summary>
    public bool Syncs { get; }

    /// <summary>Gets a value indicating whether times are set.</summary>
    public bool SetsTimes { get; }

    /// <summary>Returns what an entry is charged besides its bytes.</summary>
    /// <param name="name">Its name.</param>
    /// <param name="target">A symbolic link's target.</param>
    public static int ChargeOf(string name, string target = "") => LeastCharge + ((name.Length + target.Length) * sizeof(char));

    /// <summary>Returns the size of the segment that holds a number of bytes.</summary>
    /// <param name="bytes">The number of bytes.</param>
    public static int SegmentSize(int bytes)
    {
        int size = SegmentPool.Smallest;
        while (size < bytes)
        {
            size *= 2;
        }

        return size;
    }

    /// <summary>Records a failure: nothing new begins, and no call waits for memory any more.</summary>
    /// <param name="failure">The failure.</param>
    public void Fail(FileFailure failure)
    {
        if (State.AddFailure(failure))
        {
            Tree.LetGo(); // before a thread is asked for: each takes two descriptors
            _ = Threads.RunAsync(EndCalls);
        }
    }

    /// <summary>Gives the memory that a writer freed back to the budget, and counts what it did.</summary>
    /// <param name="writer">The writer.</param>
    public void Report(Writer writer)
    {
        long freed = writer.Freed;
        writer.Freed = 0;
        Budget.Give(freed);
        State.Report(writer);
    }

    /// <summary>Returns the time that an entry gets, or null.</summary>
    /// <param name="entry">What the caller asked for.</param>
    public FileTime? TimeOf(in FileEntry entry) => SetsTimes ? entry.Modified : null;

    /// <summary>Ends the writers and closes the tree.</summary>
    public void Dispose()
    {
        Writers.Dispose();
        Tree.Dispose();
    }

    private bool EndCalls()
    {
        Budget.End();
        _over.Cancel(); // a caller's source may run code of its own here
        return true;
    }
}
