using System;
using System.Collections.Generic;
using System.IO;

namespace Transport.Journal;

/// <summary>A directory of a Unix system, on .NET and on Mono.</summary>
/// <param name="path">As <see cref="StoreChoice.PathOf"/> gives it.</param>
internal sealed class UnixStore(string path) : IJournalStore
{
    private int _directory = -1;

    public string Path { get; } = path;

    public bool CreateDirectory() => Make(Path);

    public string? PrivacyFault() => FolderPrivacy.FaultOf(Path);

    public void SyncParent() => SyncParentOf(Path);

    public void MakeFolder(string name) => _ = Make(At(name));

    public IReadOnlyList<StoreEntry> List()
    {
        try
        {
            return Listing.Of(Path);
        }
        catch (DirectoryNotFoundException e)
        {
            throw new StoreException(StoreError.Missing, $"\"{Path}\" is no directory", e);
        }
        catch (UnauthorizedAccessException e)
        {
            throw new StoreException(StoreError.Denied, $"\"{Path}\" cannot be listed: access is refused", e);
        }
        catch (IOException e)
        {
            StoreError error = System.IO.File.Exists(Path) ? StoreError.Missing : StoreErrors.Of(e);
            throw new StoreException(error, $"\"{Path}\" cannot be listed: {e.Message}", e);
        }
    }

    public IDisposable? TryLock(string name)
    {
        int descriptor = OpenDescriptor(name, OpenFlags.ReadWrite | OpenFlags.Create, "opened");
        StoreError error = StoreErrors.Of(FileDescriptor.TryLock(descriptor, Libc.LockExclusive | Libc.LockAtOnce));
        if (error == StoreError.None)
        {
            return new UnixFile(descriptor, At(name));
        }

        FileDescriptor.Close(descriptor);
        return error == StoreError.Busy ? null : throw new StoreException(error, $"\"{At(name)}\" cannot be locked");
    }

    public bool IsLocked(string name)
    {
        int descriptor;
        try
        {
            descriptor = OpenDescriptor(name, OpenFlags.ReadOnly, "opened");
        }
        catch (StoreException e) when (e.Error == StoreError.Missing && Directory.Exists(Path))
        {
            return false;
        }

        // Shared: several may ask at once.
        StoreError error = StoreErrors.Of(FileDescriptor.TryLock(descriptor, Libc.LockShared | Libc.LockAtOnce));
        FileDescriptor.Close(descriptor);
        return error is StoreError.None or StoreError.Busy ? error == StoreError.Busy
            : throw new StoreException(error, $"\"{At(name)}\" cannot be locked");
    }

    public IJournalFile Create(string name) => OpenFile(name, OpenFlags.ReadWrite | OpenFlags.Create | OpenFlags.Exclusive, "made");

    public IJournalFile Open(string name, bool writable) => OpenFile(name, writable ? OpenFlags.ReadWrite : OpenFlags.ReadOnly, "opened");

    public void Rename(string from, string to)
    {
        string folder = System.IO.Path.GetDirectoryName(At(to)) ?? Path;
        Errno error = FilePath.TryRename(At(from), At(to));
        if (error != Errno.None)
        {
            throw StoreErrors.Failed($"\"{At(from)}\" cannot be given the name \"{to}\"", error);
        }

        if (folder != Path)
        {
            SyncFolder(OpenDirectory(folder), folder, close: true);
        }
    }

    public void Delete(string name)
    {
        Errno error = FilePath.TryUnlink(At(name));
        if (error is not (Errno.None or Errno.ENOENT))
        {
            throw StoreErrors.Failed($"\"{At(name)}\" cannot be removed", error);
        }
    }

    public void SyncDirectory()
    {
        if (_directory < 0)
        {
            _directory = OpenDirectory(Path);
        }

        SyncFolder(_directory, Path, close: false);
    }

    public void Dispose()
    {
        if (_directory >= 0)
        {
            FileDescriptor.Close(_directory);
            _directory = -1;
        }
    }

    /// <summary>Makes a directory's entry in its parent durable.</summary>
    internal static void SyncParentOf(string path)
    {
        string parent = System.IO.Path.GetDirectoryName(path) ?? path;
        int descriptor;
        try
        {
            descriptor = OpenDirectory(parent);
        }
        catch (StoreException e) when (e.Error == StoreError.Denied)
        {
            // One may use a directory whose parent one must not read; only the whole system can be synced then.
            Libc.sync();
            return;
        }

        SyncFolder(descriptor, parent, close: true);
    }

    /// <summary>Makes a directory for its owner alone.</summary>
    /// <returns>False if something has the name already.</returns>
    internal static bool Make(string path)
    {
        Errno error = FilePath.TryCreateDirectory(path, FilePath.OwnerOnlyDirectory);
        return error is Errno.None or Errno.EEXIST ? error == Errno.None : throw StoreErrors.Failed($"\"{path}\" cannot be made", error);
    }

    private static void SyncFolder(int descriptor, string path, bool close)
    {
        StoreError error = StoreErrors.Of(FileDescriptor.TrySync(descriptor));
        if (close)
        {
            FileDescriptor.Close(descriptor);
        }

        // Some file systems cannot sync a directory and say so; they keep names by other means.
        if (error is not (StoreError.None or StoreError.Unsupported))
        {
            throw new StoreException(error, $"\"{path}\" cannot be synced");
        }
    }

    private static int OpenDirectory(string path)
    {
        Errno error = FileDescriptor.TryOpen(path, OpenFlags.ReadOnly | OpenFlags.Directory, mode: 0, out int descriptor);
        return error == Errno.None ? descriptor : throw StoreErrors.Failed($"\"{path}\" cannot be opened", error);
    }

    private string At(string name) => System.IO.Path.Combine(Path, name);

    private UnixFile OpenFile(string name, int flags, string done) => new(OpenDescriptor(name, flags, done), At(name));

    /// <summary>Not to be blocked matters to pipes alone: who opened one to read it would wait for a writer forever.</summary>
    private int OpenDescriptor(string name, int flags, string done)
    {
        Errno error = FileDescriptor.TryOpen(
            At(name), flags | OpenFlags.NoFollow | OpenFlags.NonBlocking, FilePath.OwnerOnly, out int descriptor);
        if (error != Errno.None)
        {
            throw error is Errno.ELOOP or Errno.EISDIR or Errno.ENXIO ? NotAFile(name)
                : StoreErrors.Failed($"\"{At(name)}\" cannot be {done}", error);
        }

        if (FileStatus.Read(descriptor, out FileStatus status) == Errno.None && status.Kind != FileKind.Regular)
        {
            FileDescriptor.Close(descriptor);
            throw NotAFile(name);
        }

        return descriptor;
    }

    private StoreException NotAFile(string name) =>
        new(StoreError.NotAFile, $"\"{At(name)}\" is no regular file (a directory, a link, a pipe?), and a journal has nothing else");
}
