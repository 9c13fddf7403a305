using System;
using System.Collections.Generic;

namespace Transport.Journal;

/// <summary>
/// One directory of a disk: names and files. What was changed outlives a power cut only once it was synced: names by
/// <see cref="SyncDirectory"/>, contents and lengths by <see cref="IJournalFile.Sync"/>. For one thread at a time, but for
/// <see cref="Open"/>, which any thread may call at any time.
/// </summary>
internal interface IJournalStore : IDisposable
{
    /// <summary>Gets the directory, for people.</summary>
    string Path { get; }

    /// <summary>Makes the directory (0700) if it is missing; false if it was there. It is durable after <see cref="SyncParent"/>.</summary>
    bool CreateDirectory();

    /// <summary>Says why somebody else than this user may read or change what is written here; null: nobody may.</summary>
    string? PrivacyFault();

    /// <summary>Makes the directory's own entry in its parent durable, even if another process made it.</summary>
    void SyncParent();

    /// <summary>Makes a subdirectory (0700) if it is missing. It is durable after <see cref="SyncDirectory"/>.</summary>
    void MakeFolder(string name);

    /// <summary>Lists the files, and subdirectories with a length of -1; throws Missing if there is no directory.</summary>
    IReadOnlyList<StoreEntry> List();

    /// <summary>Takes the writer's lock until disposal; null if somebody else has it.</summary>
    IDisposable? TryLock(string name);

    /// <summary>
    /// Whether somebody has the writer's lock. Changes nothing, and needs no more than to read; false if there is no such file,
    /// Missing if there is no directory.
    /// </summary>
    bool IsLocked(string name);

    /// <summary>Makes a file (0600) that is not there yet, of no length.</summary>
    IJournalFile Create(string name);

    /// <summary>Opens a file; throws NotAFile if anything else has the name, without following or waiting for it.</summary>
    IJournalFile Open(string name, bool writable);

    /// <summary>
    /// Gives a file another name, over whatever had that one; all or nothing. The new name may have one subdirectory in front, which is
    /// there; it is synced then.
    /// </summary>
    void Rename(string from, string to);

    /// <summary>Takes a name away.</summary>
    void Delete(string name);

    /// <summary>Makes all changes of names durable.</summary>
    void SyncDirectory();
}

/// <summary>
/// A name in the directory. A class: lists of it are the runtime's own code, where lists of a struct are compiled in each process.
/// </summary>
internal sealed record StoreEntry(string Name, long Length);
