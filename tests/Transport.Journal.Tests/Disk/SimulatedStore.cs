using System;
using System.Collections.Generic;
using System.Linq;

namespace Transport.Journal.Tests.Disk;

/// <summary>The journal's view of a simulated disk.</summary>
internal sealed class SimulatedStore(SimulatedDisk disk) : IJournalStore
{
    public string Path => "simulated";

    public bool CreateDirectory() => Do("mkdir", string.Empty, () =>
    {
        bool made = !disk.IsDirectory;
        disk.MakeDirectory();
        return made;
    });

    public void MakeFolder(string name) => Do("mkdir", name, () =>
    {
        disk.MakeFolder(name);
        return true;
    });

    public string? PrivacyFault() => null;

    public void SyncParent() => Do("syncparent", string.Empty, () =>
    {
        if (!disk.IsCut)
        {
            disk.SyncParent();
        }

        return true;
    });

    public IReadOnlyList<StoreEntry> List()
    {
        lock (disk.Lock)
        {
            if (!disk.IsDirectory)
            {
                throw new StoreException(StoreError.Missing, "no directory");
            }

            IEnumerable<StoreEntry> files = disk.Names.Where(n => !n.Key.Contains('/')).Select(n => new StoreEntry(n.Key, n.Value.Length));
            return [.. files, .. disk.Folders.Select(f => new StoreEntry(f, -1))];
        }
    }

    public IDisposable? TryLock(string name)
    {
        lock (disk.Lock)
        {
            if (disk.IsLocked)
            {
                disk.RefusedLocks++;
                return null;
            }
        }

        if (!disk.Names.ContainsKey(name))
        {
            Create(name).Dispose();
        }

        disk.IsLocked = true;
        return new Release(disk);
    }

    public bool IsLocked(string name) => disk.IsLocked;

    public IJournalFile Create(string name) => Do("create", name, () =>
    {
        if (disk.Names.ContainsKey(name))
        {
            throw new StoreException(StoreError.Exists, name);
        }

        var made = new SimulatedInode();
        disk.ChangeNames(names => names[name] = made);
        return new SimulatedFile(disk, made, name);
    });

    public IJournalFile Open(string name, bool writable)
    {
        disk.Opening?.Invoke(name);
        lock (disk.Lock)
        {
            return disk.Names.TryGetValue(name, out SimulatedInode? inode) ? new SimulatedFile(disk, inode, name)
                : throw new StoreException(StoreError.Missing, name);
        }
    }

    public void Rename(string from, string to) => Do("rename", from, () =>
    {
        if (!disk.Names.ContainsKey(from))
        {
            throw new StoreException(StoreError.Missing, from);
        }

        if (SimulatedDisk.FolderOf(to) is { } folder && !disk.Folders.Contains(folder))
        {
            throw new StoreException(StoreError.Missing, folder);
        }

        disk.ChangeNames(names =>
        {
            names[to] = names[from];
            names.Remove(from);
        });
        if (SimulatedDisk.FolderOf(to) is not null && !disk.IsCut)
        {
            disk.SyncFolder();
        }

        return true;
    });

    public void Delete(string name) => Do("delete", name, () =>
    {
        disk.ChangeNames(names => names.Remove(name));
        return true;
    });

    public void SyncDirectory() => Do("syncdir", string.Empty, () =>
    {
        if (!disk.IsCut)
        {
            disk.SyncNames();
        }

        return true;
    });

    public void Dispose()
    {
    }

    private T Do<T>(string call, string name, Func<T> what)
    {
        lock (disk.Lock)
        {
            StoreError error = disk.Step(call, name);
            if (error != StoreError.None)
            {
                throw new StoreException(error, $"{call} {name}");
            }

            T result = what();
            disk.EndStep();
            return result;
        }
    }

    private sealed class Release(SimulatedDisk disk) : IDisposable
    {
        public void Dispose() => disk.IsLocked = false;
    }
}
