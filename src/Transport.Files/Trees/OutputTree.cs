using System;

namespace Transport.Files;

/// <summary>Where an output goes: a directory, and what can be made below it. Safe for any thread; each member makes one thing, and never follows a link.</summary>
/// <remarks>Members throw <see cref="FileCallException"/> with the system's reason; what fails for a moment is tried again inside.</remarks>
internal abstract class OutputTree : IDisposable
{
    /// <summary>Makes a file that was not there, with its directories.</summary>
    /// <param name="parent">Its directory.</param>
    /// <param name="name">Its name.</param>
    /// <param name="mode">0 to 0777; the umask is taken off.</param>
    /// <param name="io">Never <see cref="FileIo.Auto"/>.</param>
    /// <returns>The file, open for writing.</returns>
    public abstract OpenFile CreateFile(Folder parent, string name, int mode, FileIo io);

    /// <summary>Makes a directory where it is missing, with those above it.</summary>
    public abstract void MakeFolder(Folder folder);

    /// <summary>Makes a symbolic link; its target is not looked at.</summary>
    public abstract void MakeSymbolicLink(Folder parent, string name, string target, FileTime? modified);

    /// <summary>Makes a further name of a file (or symbolic link) that is there.</summary>
    public abstract void MakeHardLink(Folder parent, string name, Folder fromParent, string fromName);

    /// <summary>Gives a file of an earlier tree a further name here.</summary>
    /// <returns>False where that cannot be: it must be written.</returns>
    public virtual bool TryTakeOver(Folder parent, string name, EarlierFile file, bool sync) => false;

    /// <summary>Gives a directory its mode and time, and syncs it, after everything in it is done. Says when it is not the one that was filled.</summary>
    public abstract void FinishFolder(Folder folder, FileTime? modified, bool sync);

    /// <summary>Gets how many directories were made.</summary>
    public abstract long FoldersMade { get; }

    public abstract void Dispose();
}
