using System;
using System.Collections.Generic;
using System.Linq;
using System.Threading;

namespace Transport.Journal.Tests.Disk;

/// <summary>Blocks of a simulated disk: what is begun is over in any order, and at a cut of what is under way any part is there.</summary>
internal sealed class SimulatedBlocks(SimulatedDisk disk, int count) : IBlockWriter
{
    private readonly byte[][] _buffers = [.. Enumerable.Range(0, count).Select(_ => new byte[32 << 10])];
    private readonly List<(int Index, long Offset, int Count)> _under = [];
    private readonly object _gate = new();
    private string _name = string.Empty;
    private bool _isWoken;

    public int Count => count;

    public int BufferBytes => _buffers[0].Length;

    /// <summary>Gets the most that were under way at once.</summary>
    public int Most { get; private set; }

    /// <summary>Gets or sets a value indicating whether nothing ends before as many are under way as there may be; then it is
    /// false.</summary>
    public bool IsLazy { get; set; }

    public bool IsDisposed { get; private set; }

    public Span<byte> Buffer(int index) => _buffers[index];

    public void Use(string name)
    {
        lock (disk.Lock)
        {
            StoreError error = disk.Inject?.Invoke("use", name) ?? StoreError.None;
            _name = error == StoreError.None ? name : throw new StoreException(error, $"use {name}");
        }
    }

    public StoreError Begin(int index, long offset, int bytes)
    {
        lock (_gate)
        {
            if (offset % Block.Bytes != 0 || bytes % Block.Bytes != 0 || _under.Any(u => u.Index == index))
            {
                throw new InvalidOperationException($"{bytes} bytes at {offset} from buffer {index}");
            }

            _under.Add((index, offset, bytes));
            Most = Math.Max(Most, _under.Count);
            IsLazy &= _under.Count < count;
            return StoreError.None;
        }
    }

    public bool Wait(out int index, out StoreError error)
    {
        (int Index, long Offset, int Count) one;
        lock (_gate)
        {
            while (!_isWoken && (_under.Count == 0 || IsLazy))
            {
                Monitor.Wait(_gate);
            }

            (index, error) = (0, StoreError.None);
            if (_isWoken)
            {
                _isWoken = false;
                return false;
            }

            if (disk.Inject?.Invoke("wait", _name) is { } fault and not StoreError.None)
            {
                throw new StoreException(fault, "wait");
            }

            int picked = disk.Pick(_under.Count);
            one = _under[picked];
            _under.RemoveAt(picked);
        }

        index = one.Index;
        error = Complete(one);
        return true;
    }

    public void Wake()
    {
        lock (_gate)
        {
            _isWoken = true;
            Monitor.PulseAll(_gate);
        }
    }

    public void Dispose() => IsDisposed = true;

    private StoreError Complete((int Index, long Offset, int Count) one)
    {
        lock (disk.Lock)
        {
            bool wasCut = disk.IsCut;
            StoreError error = disk.Step("blocks", _name);
            if (error != StoreError.None && !(disk.IsCut && !wasCut))
            {
                return error;
            }

            SimulatedInode inode = disk.Names[_name];
            inode.Write(one.Offset, _buffers[one.Index].AsSpan(0, one.Count));
            if (!disk.IsCut)
            {
                inode.SyncRange(one.Offset, one.Count);
                return StoreError.None;
            }

            // The power goes: of everything that is under way some sectors are there, of this one too.
            lock (_gate)
            {
                _under.ForEach(u => inode.Write(u.Offset, _buffers[u.Index].AsSpan(0, u.Count)));
            }

            return StoreError.Broken;
        }
    }
}
