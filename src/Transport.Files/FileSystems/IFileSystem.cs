namespace Transport.Files;

/// <summary>The operations on a file system that writing and publishing need.</summary>
/// <remarks>
/// There are two implementations: <c>Unix</c> works with directory handles on 64-bit Linux, <c>Portable</c> with paths on every other
/// system. Everything above this seam uses the interfaces of this folder alone, and one conformance suite tests both. Unless a member says
/// otherwise, a failed operation throws <see cref="FileCallException"/> with the reason the system gave. Operations that fail for a moment
/// are retried inside. All members are safe for any thread.
/// </remarks>
internal interface IFileSystem
{
    /// <summary>Opens an existing directory to write below it. Links in its own path are followed.</summary>
    /// <param name="directory">The directory's path, without a NUL.</param>
    /// <param name="retries">Counts the retries of all operations in the tree.</param>
    /// <returns>The tree, which the caller disposes.</returns>
    /// <exception cref="FileCallException">The directory does not exist or cannot be opened.</exception>
    IOutputTree OpenTree(string directory, Retries retries);

    /// <summary>Creates a private staging directory beside a target and locks it for the life of this process.</summary>
    /// <remarks>
    /// First removes the stagings of this target that killed runs abandoned. A staging counts as abandoned if its name, owner and mode are
    /// right and no process holds its lock; everything else stays, and links are never followed.
    /// </remarks>
    /// <param name="parent">The target's parent directory.</param>
    /// <param name="name">The target's name in it.</param>
    /// <param name="existing">What publishing may replace.</param>
    /// <param name="retries">Counts the retries of all operations in the staging.</param>
    /// <returns>The staging, which the caller disposes.</returns>
    /// <exception cref="FileCallException">
    /// <see cref="TransportFault.FileExists"/>: the target exists, and <paramref name="existing"/> does not allow that. Other faults: the
    /// parent cannot be opened, or the staging cannot be created.
    /// </exception>
    IStaging CreateStaging(string parent, string name, ExistingTarget existing, Retries retries);

    /// <summary>Opens a tree from which an output may take files over.</summary>
    /// <param name="directory">The tree's root.</param>
    /// <returns>
    /// The tree, which the caller disposes; null if it does not exist, cannot be read, or this file system cannot take files over. Then
    /// every file is written.
    /// </returns>
    IEarlierTree? TryOpenEarlier(string directory);
}
