using System;
using System.Collections.Generic;
using System.Threading;

namespace Transport.Files;

/// <summary>Every limit and wish of an output, in one place. Checked together and copied when an output or publication begins; changing it later changes nothing.</summary>
public sealed class FileOutputOptions
{
    /// <summary>Gets or sets how many threads write.</summary>
    /// <value>0 to 64. 0: each call writes on its caller's thread, as it does where the system gives no thread. Null, the default: 2 on Linux and macOS, 8 on Windows, where closing a file takes long.</value>
    public int? Writers { get; set; }

    /// <summary>Gets or sets the bytes that may wait in memory for a writer; a call that finds no room waits. A small file counts with the memory it takes, at least 512 bytes. An empty queue takes any piece. Besides, each call in progress has one piece of at most 128 KiB (1 MiB in files beyond 32 MiB).</summary>
    /// <value>1 MiB to 4 GiB; the default is 8 MiB: with 32, small files took a quarter longer, since memory that is used anew all the time stays in the processor's cache and no collector has to copy it.</value>
    public long MemoryBudget { get; set; } = 8L << 20;

    /// <summary>Gets or sets how bytes get into files.</summary>
    /// <value>The default is <see cref="FileIo.Auto"/>. Anything else has precedence over <c>TRANSPORT_FILE_IO</c>.</value>
    public FileIo Io { get; set; }

    /// <summary>Gets or sets what is synced to the disk.</summary>
    /// <value>The default is <see cref="FileSync.None"/>.</value>
    public FileSync Sync { get; set; }

    /// <summary>Gets or sets whether <see cref="FileEntry.Modified"/> is used.</summary>
    /// <value>The default is true.</value>
    public bool SetTimes { get; set; } = true;

    /// <summary>Gets or sets what publishing does where the target is there already.</summary>
    /// <value>The default is <see cref="ExistingTarget.Refuse"/>.</value>
    public ExistingTarget Existing { get; set; }

    /// <summary>Gets or sets a directory with an earlier state of what is written, most often the one that is about to be replaced. A file whose entry names one there (<see cref="FileEntry.Earlier"/>) is compared with it as its bytes come, and takes it over by a further name (a hard link) where nothing differs: no file is made then, none is freed when the earlier state is removed, and its bytes are not written.</summary>
    /// <value>The default is null: everything is written. Files that have another name already are left alone. Only for directories that are removed, or that nobody writes in, once the output is complete: files that both have are one. What cannot be taken over is written.</value>
    public string? Earlier { get; set; }

    /// <summary>Gets or sets how long one operation that fails for a moment (busy, sharing violation, text file busy) is tried again, with pauses from 5 ms that double up to 640 ms.</summary>
    /// <value>0 to 5 min; 0: never. The default is 3 s.</value>
    public TimeSpan RetryFor { get; set; } = TimeSpan.FromSeconds(3);

    /// <summary>Gets or sets where opens, writes, closes, renames, retries and waits are written down by thread.</summary>
    /// <value>The default is null: nowhere, at no cost. The output does not dispose it.</value>
    public ChromeTrace? Trace { get; set; }

    /// <summary>Gets or sets the system's calls, for tests that let one fail; null: the system's.</summary>
    internal UnixCalls? Calls { get; set; }

    /// <summary>Gets or sets the calls by path of other systems, which tests use on Linux too; null: those that suit the system.</summary>
    internal ManagedCalls? Managed { get; set; }

    /// <summary>Gets or sets what starts a writer's thread, for tests that let it fail; null: the system.</summary>
    internal Action<Thread>? StartThread { get; set; }

    internal FileOutputOptions CheckedCopy()
    {
        var wrong = new List<string>();
        Check(wrong, Writers is null or (>= 0 and <= 64), nameof(Writers), Writers, "0 to 64");
        Check(wrong, MemoryBudget is >= 1L << 20 and <= 4L << 30, nameof(MemoryBudget), MemoryBudget, "1 MiB to 4 GiB");
        Check(wrong, Io is >= FileIo.Auto and <= FileIo.Mmap, nameof(Io), Io, "Auto, Stream, Mmap");
        Check(wrong, Sync is >= FileSync.None and <= FileSync.All, nameof(Sync), Sync, "None, Data, All");
        Check(wrong, Existing is >= ExistingTarget.Refuse and <= ExistingTarget.Replace, nameof(Existing), Existing, "Refuse, RefuseUnlessEmpty, Replace");
        Check(wrong, RetryFor >= TimeSpan.Zero && RetryFor <= TimeSpan.FromMinutes(5), nameof(RetryFor), RetryFor, "0 to 5 min");
        return wrong.Count == 0 ? (FileOutputOptions)MemberwiseClone() : throw new TransportException(TransportFault.BadOptions, string.Join("; ", wrong));
    }

    private static void Check(List<string> wrong, bool good, string name, object? value, string allowed)
    {
        if (!good)
        {
            wrong.Add($"{name} = {value}, allowed {allowed}");
        }
    }
}
