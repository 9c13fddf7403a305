using System;
using System.Collections.Generic;
using System.IO;
using Mono.Unix.Native;

namespace Transport.Journal;

/// <summary>A directory of a Unix system, on .NET and on Mono.</summary>
/// <param name="path">As <see cref="StoreChoice.PathOf"/> gives it.</param>
/// <param name="isNarrow">Whether offsets of 64 bits need calls of their own, as in a 32-bit process.</param>
internal sealed class UnixStore(string path, bool isNarrow = false) : IJournalStore
{
    private const FilePermissions FileMode = FilePermissions.S_IRUSR | FilePermissions.S_IWUSR;

    private int _directory = -1;

    public string Path { get; } = path;

    public bool CreateDirectory() => Make(Path);

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
            throw new StoreException(System.IO.File.Exists(Path) ? StoreError.Missing : StoreError.Broken,
                $"\"{Path}\" cannot be listed: {e.Message}", e);
        }
    }

    public IDisposable? TryLock(string name)
    {
        int descriptor = OpenDescriptor(name, OpenFlags.O_RDWR | OpenFlags.O_CREAT, "opened");
        StoreError error = UnixCalls.Lock(descriptor, UnixCalls.LockExclusiveNow);
        if (error == StoreError.None)
        {
            return new UnixFile(descriptor, At(name), isNarrow);
        }

        _ = Syscall.close(descriptor);
        return error == StoreError.Busy ? null : throw new StoreException(error, $"\"{At(name)}\" cannot be locked");
    }

    public bool IsLocked(string name)
    {
        int descriptor;
        try
        {
            descriptor = OpenDescriptor(name, OpenFlags.O_RDONLY, "opened");
        }
        catch (StoreException e) when (e.Error == StoreError.Missing && Directory.Exists(Path))
        {
            return false;
        }

        StoreError error = UnixCalls.Lock(descriptor, UnixCalls.LockSharedNow);   // shared: several may ask at once
        _ = Syscall.close(descriptor);
        return error is StoreError.None or StoreError.Busy ? error == StoreError.Busy
            : throw new StoreException(error, $"\"{At(name)}\" cannot be locked");
    }

    public IJournalFile Create(string name) => OpenFile(name, OpenFlags.O_RDWR | OpenFlags.O_CREAT | OpenFlags.O_EXCL, "made");

    public IJournalFile Open(string name, bool writable) => OpenFile(name, writable ? OpenFlags.O_RDWR : OpenFlags.O_RDONLY, "opened");

    public void Rename(string from, string to)
    {
        string folder = System.IO.Path.GetDirectoryName(At(to)) ?? Path;
        if (Stdlib.rename(At(from), At(to)) != 0)
        {
            throw StoreErrors.Failed($"\"{At(from)}\" cannot be given the name \"{to}\"", Stdlib.GetLastError());
        }

        if (folder != Path)
        {
            SyncFolder(OpenDirectory(folder), folder, close: true);
        }
    }

    public void Delete(string name)
    {
        if (Syscall.unlink(At(name)) != 0 && Stdlib.GetLastError() is var error and not Errno.ENOENT)
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
            _ = Syscall.close(_directory);
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
            _ = Syscall.sync();
            return;
        }

        SyncFolder(descriptor, parent, close: true);
    }

    /// <summary>Makes a directory for its owner alone.</summary>
    /// <returns>False if something has the name already.</returns>
    internal static bool Make(string path)
    {
        if (Syscall.mkdir(path, FilePermissions.S_IRWXU) == 0)
        {
            return true;
        }

        Errno error = Stdlib.GetLastError();
        return error == Errno.EEXIST ? false : throw StoreErrors.Failed($"\"{path}\" cannot be made", error);
    }

    private static void SyncFolder(int descriptor, string path, bool close)
    {
        StoreError error;
        do
        {
            error = UnixCalls.FullSyncOf(descriptor);
        }
        while (error == StoreError.Interrupted);
        if (close)
        {
            _ = Syscall.close(descriptor);
        }

        // Some file systems cannot sync a directory and say so; they keep names by other means.
        if (error is not (StoreError.None or StoreError.Unsupported))
        {
            throw new StoreException(error, $"\"{path}\" cannot be synced");
        }
    }

    private static int OpenDirectory(string path)
    {
        int descriptor = Syscall.open(path, OpenFlags.O_RDONLY | OpenFlags.O_DIRECTORY | OpenFlags.O_CLOEXEC);
        return descriptor >= 0 ? descriptor : throw StoreErrors.Failed($"\"{path}\" cannot be opened", Stdlib.GetLastError());
    }

    private string At(string name) => System.IO.Path.Combine(Path, name);

    private UnixFile OpenFile(string name, OpenFlags flags, string done) => new(OpenDescriptor(name, flags, done), At(name), isNarrow);

    /// <summary>Not to be blocked matters to pipes alone: who opened one to read it would wait for a writer for ever.</summary>
    private int OpenDescriptor(string name, OpenFlags flags, string done)
    {
        int descriptor = Syscall.open(At(name), flags | OpenFlags.O_NOFOLLOW | OpenFlags.O_NONBLOCK | OpenFlags.O_CLOEXEC, FileMode);
        if (descriptor < 0)
        {
            Errno error = Stdlib.GetLastError();
            throw error is Errno.ELOOP or Errno.EISDIR or Errno.ENXIO ? NotAFile(name)
                : StoreErrors.Failed($"\"{At(name)}\" cannot be {done}", error);
        }

        if (Syscall.fstat(descriptor, out Stat stat) == 0 && (stat.st_mode & FilePermissions.S_IFMT) != FilePermissions.S_IFREG)
        {
            _ = Syscall.close(descriptor);
            throw NotAFile(name);
        }

        return descriptor;
    }

    private StoreException NotAFile(string name) =>
        new(StoreError.NotAFile, $"\"{At(name)}\" is no regular file (a directory, a link, a pipe?), and a journal has nothing else");
}
