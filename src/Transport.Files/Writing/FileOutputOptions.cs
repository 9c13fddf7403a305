using System;
using System.Collections.Generic;
using System.Threading;

namespace Transport.Files;

/// <summary>The limits and choices of an output. They are checked together and copied when an output or publication begins.</summary>
public sealed class FileOutputOptions
{
    /// <summary>Gets or sets the number of threads that write.</summary>
    /// <value>
    /// 0 to 64. With 0, each call writes on its caller's thread, as it does if the system gives no thread. The default is null: as many
    /// as pay. It begins with 2, on Windows, where closing a file takes long, with 8. While a file takes 1 ms or more, as on a disk over
    /// a network, their number is doubled up to 32, as long as that makes the output faster.
    /// </value>
    public int? Writers { get; set; }

    /// <summary>Gets or sets the bytes that may wait in memory for a writer. A call that exceeds them waits.</summary>
    /// <remarks>
    /// A small file counts with the memory it takes, at least 512 bytes. An empty queue takes any piece. Besides, each call in progress has
    /// one piece of at most 128 KiB (1 MiB in files beyond 32 MiB).
    /// </remarks>
    /// <value>
    /// 1 MiB to 4 GiB. The default is 8 MiB. With 32 MiB small files took a quarter longer, because less memory stays in the processor's
    /// cache.
    /// </value>
    public long MemoryBudget { get; set; } = 8L << 20;

    /// <summary>Gets or sets how bytes are written to files.</summary>
    /// <value>The default is <see cref="FileIo.Auto"/>. Any other value takes precedence over <c>TRANSPORT_FILE_IO</c>.</value>
    public FileIo Io { get; set; }

    /// <summary>Gets or sets the files that are synced to the disk.</summary>
    /// <value>The default is <see cref="FileSync.None"/>.</value>
    public FileSync Sync { get; set; }

    /// <summary>Gets or sets a value indicating whether <see cref="FileEntry.Modified"/> is used.</summary>
    /// <value>The default is true.</value>
    public bool SetTimes { get; set; } = true;

    /// <summary>Gets or sets the choice for a target that exists already.</summary>
    /// <value>The default is <see cref="ExistingTarget.Refuse"/>.</value>
    public ExistingTarget Existing { get; set; }

    /// <summary>Gets or sets a directory with an earlier state of the tree, most often the one that is about to be replaced.</summary>
    /// <remarks>
    /// A file whose entry names one there (<see cref="FileEntry.Baseline"/>) is compared with it as its bytes come. If nothing differs, it
    /// becomes a further name of it (a hard link): no file is created, none is freed when the earlier state is removed, and no bytes are
    /// written. A file that cannot be taken over is written. Files that already have another name are left alone.
    /// Use this only for directories that are removed, or no longer written to, after the output is complete: both trees share the file.
    /// </remarks>
    /// <value>The default is null: everything is written.</value>
    public string? Baseline { get; set; }

    /// <summary>Gets or sets how long an operation that fails for a moment is retried: busy, sharing violation, text file busy, on
    /// Linux also no descriptor left.</summary>
    /// <remarks>The pauses double from 5 ms up to 640 ms.</remarks>
    /// <value>0 to 5 minutes; 0 never retries. The default is 3 s.</value>
    public TimeSpan RetryFor { get; set; } = TimeSpan.FromSeconds(3);

    /// <summary>
    /// Gets or sets the function that takes each open, write, close, retry, wait in the queue and the publishing, for a trace. It is
    /// called by the thread that did it, at once: it must be quick and safe for any thread. After an exception of it nothing more is
    /// reported; the output goes on.
    /// </summary>
    /// <value>The default is null: nothing is timed.</value>
    public Action<FileSpan>? OnSpan { get; set; }

    /// <summary>Gets or sets the file system, for tests; null for the one of this platform.</summary>
    internal IFileSystem? FileSystem { get; set; }

    /// <summary>Gets or sets the function that starts a writer's thread, for tests that let it fail; null for the system.</summary>
    internal Action<Thread>? StartThread { get; set; }

    /// <summary>Checks all options together and returns a copy.</summary>
    /// <exception cref="ArgumentException">Values that cannot be used; the message names each with what is allowed.</exception>
    internal FileOutputOptions CheckedCopy()
    {
        var check = new OptionsCheck();
        check.Require(Writers is null or (>= 0 and <= 64), nameof(Writers), Writers, "0 to 64");
        check.Bytes(nameof(MemoryBudget), MemoryBudget, 1L << 20, 4L << 30);
        check.Require(Io is >= FileIo.Auto and <= FileIo.Mmap, nameof(Io), Io, "Auto, Stream, Mmap");
        check.Require(Sync is >= FileSync.None and <= FileSync.All, nameof(Sync), Sync, "None, Data, All");
        bool isExisting = Existing is >= ExistingTarget.Refuse and <= ExistingTarget.Replace;
        check.Require(isExisting, nameof(Existing), Existing, "Refuse, RefuseUnlessEmpty, Replace");
        check.Between(nameof(RetryFor), RetryFor, TimeSpan.Zero, TimeSpan.FromMinutes(5));
        check.ThrowIfWrong("options");
        return (FileOutputOptions)MemberwiseClone();
    }
}
