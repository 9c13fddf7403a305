using System;
using System.Collections.Generic;

namespace Transport.Journal;

/// <summary>Files that are ready for segments to come: new ones, and those of dropped segments. Changed by who changes the directory, one
/// at a time; counted by anybody.</summary>
/// <param name="store">Where they are.</param>
/// <param name="fillsWithZeros">Whether a new one is filled: a direct write to what only has capacity takes twice as long.</param>
internal sealed class SpareFiles(IJournalStore store, bool fillsWithZeros)
{
    private const int Most = 2;

    /// <summary>The shortest segment that a nearly full disk gets.</summary>
    public const long LeastLength = 64 << 10;

    private readonly object _lock = new();   // over the fields below, but for _lastNumber
    private readonly Queue<SpareFile> _kept = new();
    private long _bytes;
    private long _made;
    private long _recycled;
    private int _lastNumber;

    /// <summary>Gets how many were made new.</summary>
    public long Made
    {
        get
        {
            lock (_lock)
            {
                return _made;
            }
        }
    }

    /// <summary>Gets how many files of dropped segments were used again.</summary>
    public long Recycled
    {
        get
        {
            lock (_lock)
            {
                return _recycled;
            }
        }
    }

    /// <summary>Gets the bytes of those that are kept.</summary>
    public long Bytes
    {
        get
        {
            lock (_lock)
            {
                return _bytes;
            }
        }
    }

    /// <summary>Gets how many are kept.</summary>
    public int Count
    {
        get
        {
            lock (_lock)
            {
                return _kept.Count;
            }
        }
    }

    /// <summary>Gets a value indicating whether another one may be kept.</summary>
    public bool HasPlace => Count < Most;

    /// <summary>Makes one; it has its capacity, and is synced.</summary>
    /// <exception cref="StoreException">The system; nothing is left of it.</exception>
    public SpareFile Make(long length)
    {
        var spare = new SpareFile(NextName(), length, IsUsed: false);
        try
        {
            using IJournalFile file = store.Create(spare.Name);
            SegmentDirectory.Check(fillsWithZeros ? file.FillWithZeros(length) : file.Allocate(length), spare.Name, "given its size");
            SegmentDirectory.Check(file.SyncAll(), spare.Name, "synced");
            lock (_lock)
            {
                _made++;
            }

            return spare;
        }
        catch
        {
            Forget(spare);
            throw;
        }
    }

    /// <summary>Makes a file of a length; on a disk that has no space for it, of as many halves as there is space for.</summary>
    /// <param name="length">The length.</param>
    /// <param name="needed">What the segment must have at least.</param>
    /// <exception cref="StoreException">The system; there is not even space for the smallest.</exception>
    public SpareFile MakeFitting(long length, long needed)
    {
        if (TryMake(length, out StoreException? full) is { } whole)
        {
            return whole;
        }

        ForgetAll();   // none has the length, and each has space

        // The smallest first: as long as the disk is full this is tried again and again, and costs one attempt more.
        long least = Math.Max(needed, Math.Min(LeastLength, length));
        SpareFile made = (least < length ? TryMake(least, out full) : null) ?? throw NoSpace(full!, least);
        try
        {
            for (long half = Halved(length); half > least; half = Halved(half))
            {
                if (TryMake(half, out _) is { } larger)
                {
                    Forget(made);
                    return larger;
                }
            }
        }
        catch (StoreException)
        {
            Forget(made);
            throw;
        }

        return made;
    }

    /// <summary>Takes the oldest, if it has the length.</summary>
    public SpareFile? Take(long length)
    {
        lock (_lock)
        {
            if (_kept.Count == 0 || _kept.Peek().Length != length)
            {
                return null;
            }

            SpareFile spare = Dequeue();
            _recycled += spare.IsUsed ? 1 : 0;
            return spare;
        }
    }

    public void Keep(SpareFile spare)
    {
        lock (_lock)
        {
            _kept.Enqueue(spare);
            _bytes += spare.Length;
        }
    }

    /// <summary>Takes the name of a dropped segment away, and keeps its file. The directory is to be synced before it is used.</summary>
    public void KeepUsed(string name, long length)
    {
        var spare = new SpareFile(NextName(), length, IsUsed: true);
        store.Rename(name, spare.Name);
        Keep(spare);
    }

    public void ForgetOldest()
    {
        SpareFile oldest;
        lock (_lock)
        {
            oldest = Dequeue();
        }

        Forget(oldest);
    }

    public void ForgetAll()
    {
        while (Count > 0)
        {
            ForgetOldest();
        }
    }

    /// <summary>Deletes one that was taken or made.</summary>
    public void Forget(SpareFile spare)
    {
        try
        {
            store.Delete(spare.Name);
        }
        catch (StoreException)
        {
            // The next open removes it.
        }
    }

    /// <returns>The file; null if the disk has no space for it.</returns>
    private SpareFile? TryMake(long length, out StoreException? full)
    {
        try
        {
            full = null;
            return Make(length);
        }
        catch (StoreException e) when (e.Error == StoreError.Full)
        {
            full = e;
            return null;
        }
    }

    private StoreException NoSpace(StoreException full, long needed) => new(
        StoreError.Full,
        FormattableString.Invariant($"The disk of \"{store.Path}\" has no space for another segment: it needs {needed} bytes, ")
            + (FreeSpace.Of(store.Path) is { } free ? FormattableString.Invariant($"{free} are free") : "how many are free is not known"),
        full);

    private static long Halved(long length) => length / 2 & ~(SegmentHeader.Size - 1L);

    private SpareFile Dequeue()
    {
        SpareFile spare = _kept.Dequeue();
        _bytes -= spare.Length;
        return spare;
    }

    private string NextName() => FileNames.Spare + ++_lastNumber;
}

/// <summary>A file for a segment to come.</summary>
/// <param name="Name">Its name.</param>
/// <param name="Length">Its bytes.</param>
/// <param name="IsUsed">Whether it was a segment.</param>
internal sealed record SpareFile(string Name, long Length, bool IsUsed);
