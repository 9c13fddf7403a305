using System;
using System.Collections.Generic;

namespace Transport.Journal.Tests.Disk;

/// <summary>A file's contents: as programs see them, and as they are on the medium.</summary>
internal sealed class SimulatedInode
{
    public const int Sector = 512;
    public const int Page = 4096;

    private readonly HashSet<long> _dirty = [];
    private byte[] _seen = [];
    private byte[] _medium = [];

    public long Length { get; private set; }

    public long MediumLength { get; private set; }

    public byte[] Snapshot() => _seen.AsSpan(0, (int)Length).ToArray();

    public int Read(long offset, Span<byte> into)
    {
        int count = (int)Math.Max(0, Math.Min(into.Length, Length - offset));
        if (count > 0)
        {
            _seen.AsSpan((int)offset, count).CopyTo(into);
        }

        return count;
    }

    public void Write(long offset, ReadOnlySpan<byte> bytes)
    {
        SetLength(Math.Max(Length, offset + bytes.Length));
        bytes.CopyTo(_seen.AsSpan((int)offset));
        for (long sector = offset / Sector; sector * Sector < offset + bytes.Length; sector++)
        {
            _dirty.Add(sector);
        }
    }

    public void SetLength(long length)
    {
        if (length > _seen.Length)
        {
            int capacity = (int)Math.Max(length, _seen.Length * 2L);
            Array.Resize(ref _seen, capacity);
            Array.Resize(ref _medium, capacity);
        }

        if (length < Length)
        {
            Array.Clear(_seen, (int)length, (int)(Length - length));
        }

        Length = length;
    }

    public void Sync()
    {
        foreach (long sector in _dirty)
        {
            Persist(sector);
        }

        _dirty.Clear();
        MediumLength = Length;
    }

    /// <summary>Makes a stretch durable, whatever else is not.</summary>
    public void SyncRange(long offset, int count)
    {
        for (long sector = offset / Sector; sector * Sector < offset + count; sector++)
        {
            if (_dirty.Remove(sector))
            {
                Persist(sector);
            }
        }

        MediumLength = Math.Max(MediumLength, Math.Min(Length, offset + count));
    }

    /// <summary>A sync that fails: the system calls the pages clean all the same, though some never reached the medium.</summary>
    public void LoseDirty(Random random)
    {
        foreach (long sector in _dirty)
        {
            if (random.Next(2) == 0)
            {
                Persist(sector);
            }
        }

        _dirty.Clear();
    }

    /// <summary>What is there after a cut: of what was not synced a random part, by sectors or by pages, in no order.</summary>
    public SimulatedInode Cut(Random random)
    {
        long unit = random.Next(2) == 0 ? 1 : Page / Sector;
        double kept = random.Next(5) / 4.0;
        var decided = new Dictionary<long, bool>();
        foreach (long sector in _dirty)
        {
            if (!decided.TryGetValue(sector / unit, out bool keep))
            {
                decided[sector / unit] = keep = random.NextDouble() < kept;
            }

            if (keep)
            {
                Persist(sector);
            }
        }

        long length = random.Next(2) == 0 ? Length : MediumLength;
        var after = new SimulatedInode();
        after.SetLength(length);
        _medium.AsSpan(0, (int)length).CopyTo(after._seen);
        _medium.AsSpan(0, (int)length).CopyTo(after._medium);
        after.MediumLength = length;
        return after;
    }

    private void Persist(long sector)
    {
        int at = (int)(sector * Sector);
        int count = (int)Math.Min(Sector, Length - at);
        if (count > 0)
        {
            _seen.AsSpan(at, count).CopyTo(_medium.AsSpan(at));
        }
    }
}
