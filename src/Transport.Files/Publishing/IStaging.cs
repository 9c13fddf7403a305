using System;

namespace Transport.Files;

/// <summary>The private directory beside a target in which it grows, held while it lives.</summary>
internal interface IStaging : IDisposable
{
    /// <summary>Gets the staging's full path.</summary>
    string Path { get; }

    /// <summary>Gets the stagings of killed runs that were removed before.</summary>
    int Removed { get; }

    /// <summary>Opens what an output writes into.</summary>
    /// <param name="content">The directory to make in the staging, or null: the staging itself, for a single file.</param>
    OutputTree OpenTree(string? content);

    /// <summary>Makes the content appear at the target.</summary>
    /// <param name="content">Its name in the staging.</param>
    /// <param name="sync">What is synced; files and directories of the content already are where <paramref name="isSynced"/>.</param>
    /// <param name="isSynced">Whether the content is synced.</param>
    void Publish(string content, FileSync sync, bool isSynced);

    /// <summary>Syncs the target's name, where that is asked for, once it is there.</summary>
    void SyncName(FileSync sync);

    /// <summary>Removes the staging with whatever is in it, and lets go of it.</summary>
    /// <returns>Why it is still there, or null.</returns>
    Exception? Remove();
}
