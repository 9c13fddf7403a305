using System;

namespace Transport.Journal.Tests.Disk;

/// <summary>An open file of a simulated disk.</summary>
internal sealed class SimulatedFile(SimulatedDisk disk, SimulatedInode inode, string name) : IJournalFile
{
    public long Length
    {
        get
        {
            lock (disk.Lock)
            {
                return disk.LengthOf?.Invoke(inode.Length) ?? inode.Length;
            }
        }
    }

    public bool IsDeleted => false;

    public int Read(long offset, Span<byte> into)
    {
        lock (disk.Lock)
        {
            disk.EndStep();
            return inode.Read(offset, into);
        }
    }

    public StoreError Write(long offset, ReadOnlySpan<byte> bytes, out int written)
    {
        lock (disk.Lock)
        {
            written = 0;
            StoreError error = disk.Step("write", disk.NameOf(inode) ?? name);
            if (error != StoreError.None)
            {
                return error;
            }

            int count = disk.IsCut ? disk.Pick(bytes.Length + 1) : disk.ShortWrites > 0
                ? Math.Min(bytes.Length, 1 + disk.Pick(disk.ShortWrites)) : bytes.Length;
            if (!disk.HasCapacityFor(Math.Max(0, offset + count - inode.Length)))
            {
                return StoreError.Full;
            }

            inode.Write(offset, bytes.Slice(0, count));
            written = count;
            return disk.IsCut ? StoreError.Broken : StoreError.None;
        }
    }

    public StoreError Allocate(long length)
    {
        lock (disk.Lock)
        {
            StoreError error = disk.Step("allocate", name);
            if (error != StoreError.None || !disk.HasCapacityFor(Math.Max(0, length - inode.Length)))
            {
                return error != StoreError.None ? error : StoreError.Full;
            }

            inode.SetLength(Math.Max(length, inode.Length));
            return disk.IsCut ? StoreError.Broken : StoreError.None;
        }
    }

    public StoreError Sync()
    {
        lock (disk.Lock)
        {
            StoreError error = disk.Step("sync", disk.NameOf(inode) ?? name);
            if (error is not (StoreError.None or StoreError.Interrupted) && !disk.IsCut)
            {
                inode.LoseDirty(new Random(disk.Pick(int.MaxValue)));
            }

            if (error != StoreError.None || disk.IsCut)
            {
                return error != StoreError.None ? error : StoreError.Broken;   // cut in the middle of it: what was dirty is there or not
            }

            inode.Sync();
            return StoreError.None;
        }
    }

    public void Dispose()
    {
    }
}
