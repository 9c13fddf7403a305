using System;
using System.Collections.Generic;
using System.IO;

namespace Transport.Journal;

/// <summary>A directory by the runtime's own files: Windows. Names need no sync there (NTFS keeps its own journal of them).</summary>
/// <param name="path">As <see cref="StoreChoice.PathOf"/> gives it.</param>
internal sealed class PortableStore(string path) : IJournalStore
{
    public string Path { get; } = path;

    public bool CreateDirectory() => Do("made", Path, () =>
    {
        if (Directory.Exists(Path))
        {
            return false;
        }

        if (!Directory.Exists(System.IO.Path.GetDirectoryName(Path)))
        {
            throw new StoreException(StoreError.Missing, $"\"{Path}\" cannot be made: its parent is not there");
        }

        Directory.CreateDirectory(Path);
        return true;
    });

    /// <summary>Windows has lists of rights in place of owner and mode; they are not looked at.</summary>
    public string? PrivacyFault() => null;

    public IReadOnlyList<StoreEntry> List() => Do("listed", Path, () => Listing.Of(Path));

    public IDisposable? TryLock(string name)
    {
        try
        {
            return Do("locked", At(name), () =>
                new FileStream(At(name), FileMode.OpenOrCreate, FileAccess.ReadWrite, FileShare.None, bufferSize: 1));
        }
        catch (StoreException e) when (e.Error == StoreError.Busy)
        {
            return null;
        }
    }

    public bool IsLocked(string name)
    {
        try
        {
            Do("opened", At(name), () => new FileStream(At(name), FileMode.Open, FileAccess.Read, FileShare.Read, bufferSize: 1)).Dispose();
            return false;
        }
        catch (StoreException e) when (e.Error == StoreError.Busy)
        {
            return true;
        }
        catch (StoreException e) when (e.Error == StoreError.Missing && Directory.Exists(Path))
        {
            return false;
        }
    }

    public IJournalFile Create(string name) => Do("made", At(name), () => new PortableFile(At(name), FileMode.CreateNew, writable: true));

    public IJournalFile Open(string name, bool writable) => Do("opened", At(name), () => Directory.Exists(At(name))
        ? throw new StoreException(StoreError.NotAFile, $"\"{At(name)}\" is no file, and a journal has nothing else")
        : new PortableFile(At(name), FileMode.Open, writable));

    public void Rename(string from, string to) => Do("renamed", At(from), () =>
    {
        string target = At(to);
        File.Delete(target);
        File.Move(At(from), target);
        return true;
    });

    public void Delete(string name) => Do("removed", At(name), () =>
    {
        File.Delete(At(name));
        return true;
    });

    public void MakeFolder(string name) => Do("made", At(name), () => Directory.CreateDirectory(At(name)));

    public void SyncDirectory()
    {
    }

    public void SyncParent()
    {
    }

    public void Dispose()
    {
    }

    /// <summary>Returns what an exception of the runtime means.</summary>
    internal static StoreError ErrorOf(Exception e)
    {
        const int SharingViolation = 0x20, LockViolation = 0x21, HandleDiskFull = 0x27, FileExists = 0x50, DiskFull = 0x70,
            AlreadyExists = 0xB7;
        const int NoSpace = 28, TryAgain = 11, Exists = 17;   // the runtime on Unix: errno
        return e switch
        {
            DirectoryNotFoundException or FileNotFoundException => StoreError.Missing,
            UnauthorizedAccessException => StoreError.Denied,
            _ => (e.HResult & 0xFFFF) switch
            {
                SharingViolation or LockViolation or TryAgain => StoreError.Busy,
                HandleDiskFull or DiskFull or NoSpace => StoreError.Full,
                FileExists or AlreadyExists or Exists => StoreError.Exists,
                _ => StoreError.Broken,
            },
        };
    }

    private static T Do<T>(string done, string path, Func<T> what)
    {
        try
        {
            return what();
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException)
        {
            throw new StoreException(ErrorOf(e), $"\"{path}\" cannot be {done}: {e.Message}", e);
        }
    }

    private string At(string name) => System.IO.Path.Combine(Path, name);
}
