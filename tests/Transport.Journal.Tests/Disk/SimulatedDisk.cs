using System;
using System.Collections.Generic;
using System.Linq;
using Transport.Journal.Storing;

namespace Transport.Journal.Tests.Disk;

/// <summary>A directory on a disk that forgets: at a cut there is left what was synced, and of the rest a random part. Fails on demand.</summary>
internal sealed class SimulatedDisk(int seed)
{
    private readonly Random _random = new(seed);
    private readonly List<Action<Dictionary<string, SimulatedInode>>> _unsyncedNames = [];
    private Dictionary<string, SimulatedInode> _names = new(StringComparer.Ordinal);
    private Dictionary<string, SimulatedInode> _mediumNames = new(StringComparer.Ordinal);
    private bool _isDirectory;
    private bool _isDirectoryOnMedium;

    /// <summary>Gets the calls that change something, so far.</summary>
    public int Calls { get; private set; }

    /// <summary>Gets or sets the call at which the power is cut; 0: never.</summary>
    public int CutAt { get; set; }

    public bool IsCut { get; private set; }

    /// <summary>Gets or sets the bytes that all files together may have.</summary>
    public long Room { get; set; } = long.MaxValue;

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

    public void MakeDirectory() => _isDirectory = _isDirectoryOnMedium = true;   // with the parent synced, as the contract says

    public void ChangeNames(Action<Dictionary<string, SimulatedInode>> change)
    {
        change(_names);
        _unsyncedNames.Add(change);
    }

    public void SyncNames()
    {
        _mediumNames = new Dictionary<string, SimulatedInode>(_names, StringComparer.Ordinal);
        _unsyncedNames.Clear();
    }

    public bool HasRoomFor(long more) => Room == long.MaxValue || _names.Values.Distinct().Sum(i => i.Length) + more <= Room;

    /// <summary>Puts a file on the medium.</summary>
    public void Put(string name, ReadOnlySpan<byte> bytes)
    {
        var file = new SimulatedInode();
        file.Write(0, bytes);
        file.Sync();
        MakeDirectory();
        ChangeNames(names => names[name] = file);
        SyncNames();
    }

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

            var after = new SimulatedDisk(newSeed) { Room = Room };
            (after._isDirectory, after._isDirectoryOnMedium) = (_isDirectoryOnMedium, _isDirectoryOnMedium);
            foreach (KeyValuePair<string, SimulatedInode> name in _mediumNames)
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
