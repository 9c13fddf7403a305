using System;
using Mono.Unix.Native;

namespace Transport.Journal.Storing;

/// <summary>A file of a Unix system by its descriptor. A 64-bit process; <see cref="StoreChoice"/> sees to that.</summary>
internal sealed class UnixFile : IJournalFile
{
    private readonly UnixDescriptor _owner;
    private readonly int _descriptor;
    private readonly string _name;

    public UnixFile(int descriptor, string name)
    {
        _descriptor = descriptor;
        _name = name;
        _owner = new UnixDescriptor(descriptor);
    }

    public long Length => Syscall.fstat(Descriptor, out Stat stat) == 0 ? stat.st_size : throw StoreErrors.Failed($"\"{_name}\" cannot be looked at", Stdlib.GetLastError());

    /// <summary>Gets the descriptor; never one that was closed and may be somebody else's by now.</summary>
    private int Descriptor => _owner.IsClosed ? throw new ObjectDisposedException(_name) : _descriptor;

    public int Read(long offset, Span<byte> into)
    {
        while (true)
        {
            long count = UnixCalls.Read(Descriptor, into, offset);
            GC.KeepAlive(_owner);
            if (count >= 0)
            {
                return (int)count;
            }

            Errno error = UnixCalls.LastError;
            if (error != Errno.EINTR)
            {
                throw StoreErrors.Failed($"\"{_name}\" cannot be read at {offset}", error);
            }
        }
    }

    public StoreError Write(long offset, ReadOnlySpan<byte> bytes, out int written)
    {
        long count = UnixCalls.Write(Descriptor, bytes, offset);
        StoreError error = count >= 0 ? StoreError.None : UnixCalls.Failure;   // before anything else is done
        GC.KeepAlive(_owner);
        written = (int)Math.Max(count, 0);
        return error;
    }

    public StoreError Allocate(long length)
    {
        // Without its length set a file that has only room reserved pays for a new length with each sync.
        StoreError error;
        do
        {
            error = UnixCalls.Reserve(Descriptor, length);
        }
        while (error == StoreError.Interrupted);
        return error == StoreError.Unsupported ? this.FillWithZeros(length) : error;
    }

    public StoreError Sync()
    {
        StoreError error = UnixCalls.DataSync(Descriptor);
        GC.KeepAlive(_owner);
        return error;
    }

    public void Dispose() => _owner.Dispose();
}
