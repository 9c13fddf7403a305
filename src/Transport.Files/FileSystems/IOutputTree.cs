using System;

namespace Transport.Files;

/// <summary>A directory that an output fills. Each member creates one entry and never follows a link. Safe for any thread.</summary>
/// <remarks>
/// Missing parent directories are created with mode 0755. If a directory on the way was replaced or moved since it was created, members
/// throw <see cref="FileCallException"/> with <see cref="TransportFault.FileTreeChanged"/>. If a link is in the way, the fault is
/// <see cref="TransportFault.FilePathRefused"/>.
/// </remarks>
internal interface IOutputTree : IDisposable
{
    /// <summary>Gets the number of directories that were created.</summary>
    long DirectoriesCreated { get; }

    /// <summary>Creates a file exclusively and opens it for writing.</summary>
    /// <param name="parent">The directory it is in.</param>
    /// <param name="name">Its name, checked by <see cref="FolderTable"/>.</param>
    /// <param name="mode">Its permissions, 0 to 0777; the system subtracts the umask.</param>
    /// <param name="io">How its bytes are written; never <see cref="FileIo.Auto"/>.</param>
    /// <returns>The open file, which the caller completes or abandons.</returns>
    /// <exception cref="FileCallException">
    /// <see cref="TransportFault.FileExists"/>: an entry has that name. <see cref="TransportFault.FileDiskFull"/>: no space is left.
    /// <see cref="TransportFault.BadConfiguration"/>: this system has no mapped writer.
    /// </exception>
    IWritableFile CreateFile(Folder parent, string name, int mode, FileIo io);

    /// <summary>Creates a directory if it is missing.</summary>
    /// <param name="folder">The directory.</param>
    /// <exception cref="FileCallException">
    /// <see cref="TransportFault.FileExists"/>: in a tree of a staging, something else has that name.
    /// </exception>
    void CreateDirectory(Folder folder);

    /// <summary>Creates a symbolic link. Its target is stored as given and never resolved.</summary>
    /// <param name="parent">The directory it is in.</param>
    /// <param name="name">Its name.</param>
    /// <param name="target">The text it holds.</param>
    /// <param name="modified">The link's own time, or null; set on Unix only.</param>
    /// <exception cref="FileCallException"><see cref="TransportFault.FileExists"/>: an entry has that name.</exception>
    void CreateSymbolicLink(Folder parent, string name, string target, FileTime? modified);

    /// <summary>Creates a further name of an existing file or symbolic link of this tree.</summary>
    /// <param name="parent">The directory of the new name.</param>
    /// <param name="name">The new name.</param>
    /// <param name="fromParent">The directory of the existing entry.</param>
    /// <param name="fromName">The existing entry's name.</param>
    /// <exception cref="FileCallException">The existing entry is missing, or this implementation has no hard links.</exception>
    void CreateHardLink(Folder parent, string name, Folder fromParent, string fromName);

    /// <summary>Gives an unchanged file of an earlier tree a further name here.</summary>
    /// <param name="parent">The directory of the new name.</param>
    /// <param name="name">The new name.</param>
    /// <param name="file">The file, from the same file system's <see cref="IFileSystem.TryOpenEarlier"/>.</param>
    /// <param name="sync">Whether the file is synced before it is linked.</param>
    /// <returns>False if the file cannot be linked, and must be written instead.</returns>
    /// <exception cref="FileCallException"><see cref="TransportFault.FileTreeChanged"/>: the file changed since it was found.</exception>
    bool TryTakeOver(Folder parent, string name, IEarlierFile file, bool sync);

    /// <summary>Sets a directory's mode and time and syncs it, after its last entry. Does nothing for a directory nobody needed.</summary>
    /// <param name="folder">The directory.</param>
    /// <param name="modified">Its time, or null.</param>
    /// <param name="sync">Whether it is synced.</param>
    /// <exception cref="FileCallException">
    /// <see cref="TransportFault.FileTreeChanged"/>: its name no longer leads to the directory that was filled.
    /// </exception>
    void CompleteDirectory(Folder folder, FileTime? modified, bool sync);

    /// <summary>Closes what is open for speed alone, and keeps nothing so from now on: the output has failed, perhaps for want of
    /// it.</summary>
    void LetGo();
}
