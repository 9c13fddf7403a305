using System;
using System.Collections.Generic;
using System.Linq;

namespace Transport.Journal.Tests.Disk;

/// <summary>
/// A directory on a disk that forgets: at a cut there is left what was synced, and of the rest a random part. That goes for contents, for
/// names, and for the entries of directories, its own one included. Fails on demand.
/// </summary>
internal sealed class SimulatedDisk(int seed)
{
    private readonly Random _random = new(seed);
    private readonly List<Action<Dictionary<string, SimulatedInode>>> _unsyncedNames = [];
    private Dictionary<string, SimulatedInode> _names = new(StringComparer.Ordinal);
    private Dictionary<string, SimulatedInode> _mediumNames = new(StringComparer.Ordinal);
    private readonly HashSet<string> _folders = new(StringComparer.Ordinal);
    private readonly HashSet<string> _mediumFolders = new(StringComparer.Ordinal);
    private bool _isDirectory;
    private bool _isDirectoryOnMedium;

    /// <summary>Gets the calls that change something, so far.</summary>
    public int Calls { get; private set; }

    /// <summary>Gets or sets the call at which the power is cut; 0: never.</summary>
    public int CutAt { get; set; }

    public bool IsCut { get; private set; }

    /// <summary>Gets or sets the bytes that all files together may have.</summary>
    public long Capacity { get; set; } = long.MaxValue;

    /// <summary>Gets or sets what a call comes to: by its name and file; None lets it be done.</summary>
    public Func<string, string, StoreError>? Inject { get; set; }

    /// <summary>Gets or sets what is called before a file is opened, by its name; on the thread that opens it.</summary>
    public Action<string>? Opening { get; set; }

    /// <summary>Gets or sets what an open file says of its length; null: how long it is.</summary>
    public Func<long, long>? LengthOf { get; set; }

    /// <summary>Gets or sets the most bytes that one write takes; 0: all.</summary>
    public int ShortWrites { get; set; }

    /// <summary>Gets or sets a value indicating whether somebody holds the writer's lock.</summary>
    public bool IsLocked { get; set; }

    /// <summary>Gets or sets how often the lock was not to be had.</summary>
    public int RefusedLocks { get; set; }

    public object Lock { get; } = new();

    public bool IsDirectory => _isDirectory;

    public IReadOnlyDictionary<string, SimulatedInode> Names => _names;

    public IReadOnlyCollection<string> Folders => _folders;

    public IJournalStore Store() => new SimulatedStore(this);

    /// <summary>Counts a call that changes something. Without power every call fails.</summary>
    public StoreError Step(string call, string file)
    {
        if (IsCut)
        {
            return StoreError.Broken;
        }

        Calls++;
        if (Calls == CutAt)
        {
            IsCut = true;
        }

        return IsCut ? StoreError.None : Inject?.Invoke(call, file) ?? StoreError.None;
    }

    /// <summary>Throws, once the call's own effects are there, if it was the one at which the power was cut.</summary>
    public void EndStep()
    {
        if (IsCut)
        {
            throw new StoreException(StoreError.Broken, "the power is cut");
        }
    }

    /// <summary>Makes the journal's directory. A cut may forget it until <see cref="SyncParent"/>.</summary>
    public void MakeDirectory() => _isDirectory = true;

    public void SyncParent() => _isDirectoryOnMedium = _isDirectory;

    /// <summary>Makes a subdirectory. A cut may forget it, and all files in it, until <see cref="SyncNames"/>.</summary>
    public void MakeFolder(string name) => _folders.Add(name);

    public void ChangeNames(Action<Dictionary<string, SimulatedInode>> change)
    {
        change(_names);
        _unsyncedNames.Add(change);
    }

    public void SyncNames()
    {
        _mediumNames = new Dictionary<string, SimulatedInode>(_names, StringComparer.Ordinal);
        _unsyncedNames.Clear();
        _mediumFolders.UnionWith(_folders);
    }

    /// <summary>Syncs a subdirectory. Its own entry in the journal's directory is not synced by that.</summary>
    public void SyncFolder()
    {
        _mediumNames = new Dictionary<string, SimulatedInode>(_names, StringComparer.Ordinal);
        _unsyncedNames.Clear();
    }

    public bool HasCapacityFor(long more) => Capacity == long.MaxValue || _names.Values.Distinct().Sum(i => i.Length) + more <= Capacity;

    /// <summary>Puts a file on the medium.</summary>
    public void Put(string name, ReadOnlySpan<byte> bytes)
    {
        var file = new SimulatedInode();
        file.Write(0, bytes);
        file.Sync();
        MakeDirectory();
        SyncParent();
        if (FolderOf(name) is { } folder)
        {
            MakeFolder(folder);
        }

        ChangeNames(names => names[name] = file);
        SyncNames();
    }

    /// <summary>Returns the name that a file has now, or null.</summary>
    public string? NameOf(SimulatedInode file) => _names.FirstOrDefault(n => n.Value == file).Key;

    /// <summary>Returns the subdirectory in a name, or null.</summary>
    public static string? FolderOf(string name) => name.IndexOf('/') is var at and > 0 ? name.Substring(0, at) : null;

    public int Pick(int below) => _random.Next(below);

    /// <summary>The disk when the power is back: names up to a random one of those not synced, contents as they got there.</summary>
    public SimulatedDisk Restart(int newSeed)
    {
        lock (Lock)
        {
            int kept = _random.Next(2) == 0 ? 0 : _random.Next(_unsyncedNames.Count + 1);
            foreach (Action<Dictionary<string, SimulatedInode>> change in _unsyncedNames.Take(kept))
            {
                change(_mediumNames);
            }

            var after = new SimulatedDisk(newSeed) { Capacity = Capacity };
            if (!_isDirectoryOnMedium && (!_isDirectory || _random.Next(2) == 0))
            {
                return after;
            }

            after.MakeDirectory();
            after.SyncParent();
            foreach (string folder in _folders.Where(f => _mediumFolders.Contains(f) || _random.Next(2) == 0))
            {
                after.MakeFolder(folder);
            }

            foreach (KeyValuePair<string, SimulatedInode> name in _mediumNames.Where(n => FolderOf(n.Key) is not { } at
                || after._folders.Contains(at)))
            {
                after._names[name.Key] = name.Value.Cut(_random);
            }

            after.SyncNames();
            return after;
        }
    }

    /// <summary>The disk after the process was killed: the system and its page cache live on.</summary>
    public void Kill() => IsLocked = false;
}
