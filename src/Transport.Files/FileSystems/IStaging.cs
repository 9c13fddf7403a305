using System;
using System.Threading;

namespace Transport.Files;

/// <summary>The private, locked directory beside a target in which the content grows until it is published.</summary>
/// <remarks>For one thread at a time. Disposing releases the lock and all handles; <see cref="Remove"/> comes before.</remarks>
internal interface IStaging : IDisposable
{
    /// <summary>Gets the staging's full path.</summary>
    string Path { get; }

    /// <summary>Gets the number of abandoned stagings that were removed before this one was created.</summary>
    int AbandonedRemoved { get; }

    /// <summary>Opens the tree that an output fills.</summary>
    /// <param name="content">The directory to create in the staging; null for the staging itself, for a single file.</param>
    /// <returns>The tree, which the caller disposes.</returns>
    /// <exception cref="FileCallException"><see cref="TransportFault.FileTreeChanged"/>: the staging was replaced.</exception>
    IOutputTree OpenTree(string? content);

    /// <summary>Gives the content the target's name.</summary>
    /// <remarks>
    /// If the target is free, this is a rename that never replaces anything. If it may be replaced, Unix exchanges the two names in one
    /// step. Portable replaces a file in one step and a directory by two renames. The replaced content waits for <see cref="Remove"/>.
    /// </remarks>
    /// <param name="content">The content's name in the staging.</param>
    /// <param name="sync">What is on the disk before the target gets its name.</param>
    /// <param name="isSynced">Whether the content is synced already.</param>
    /// <exception cref="FileCallException">
    /// Nothing was published. <see cref="TransportFault.FileExists"/>: the target appeared meanwhile and may not be replaced.
    /// <see cref="TransportFault.FileTreeChanged"/>: the staging or its content was replaced. Other faults: there is no content, a sync
    /// failed, or the rename failed.
    /// </exception>
    void Publish(string content, FileSync sync, bool isSynced);

    /// <summary>Syncs the target's name with <see cref="FileSync.All"/>, after it was published.</summary>
    /// <param name="sync">What the caller asked for.</param>
    /// <exception cref="FileCallException">The target exists but may be missing after a power cut.</exception>
    void SyncTargetName(FileSync sync);

    /// <summary>Moves the target into the staging, so that its name is free.</summary>
    /// <param name="content">The name it gets there.</param>
    /// <returns>False if nothing has the target's name.</returns>
    /// <exception cref="FileCallException"><see cref="TransportFault.FilePathRefused"/>: the target is a link, or no directory. Other
    /// faults: it cannot be moved; it is where it was.</exception>
    bool TryTakeAway(string content);

    /// <summary>Moves content out of the staging to the target's name, if that is free; otherwise it stays where it is.</summary>
    /// <param name="content">The content's name.</param>
    void GiveBack(string content);

    /// <summary>Removes the staging, everything in it, and replaced content.</summary>
    /// <param name="writers">How many threads, where more than one can; null: as many as pay.</param>
    /// <param name="cancellationToken">If it is cancelled, what is not removed yet stays.</param>
    /// <returns>The reason if something is left; otherwise null. Never throws a <see cref="FileCallException"/>.</returns>
    /// <exception cref="OperationCanceledException">Cancelled.</exception>
    Exception? Remove(int? writers = null, CancellationToken cancellationToken = default);
}
