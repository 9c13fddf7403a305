using System;
using Mono.Unix.Native;

namespace Transport.Journal;

/// <summary>A file of a Unix system by its descriptor.</summary>
internal sealed class UnixFile : IJournalFile
{
    private readonly UnixDescriptor _owner;
    private readonly int _descriptor;
    private readonly string _name;
    private readonly bool _isNarrow;

    /// <summary>Initializes a new instance of the <see cref="UnixFile"/> class, which owns the descriptor.</summary>
    /// <param name="descriptor">The descriptor.</param>
    /// <param name="name">Its path, for messages.</param>
    /// <param name="isNarrow">Whether the C library's own calls take offsets of 32 bits.</param>
    public UnixFile(int descriptor, string name, bool isNarrow)
    {
        _isNarrow = isNarrow;
        _descriptor = descriptor;
        _name = name;
        _owner = new UnixDescriptor(descriptor);
    }

    public long Length => Syscall.fstat(Descriptor, out Stat stat) == 0 ? stat.st_size
        : throw StoreErrors.Failed($"\"{_name}\" cannot be looked at", Stdlib.GetLastError());

    /// <summary>Gets the descriptor; never one that was closed and may be somebody else's by now.</summary>
    private int Descriptor => _owner.IsClosed ? throw new ObjectDisposedException(_name) : _descriptor;

    public int Read(long offset, Span<byte> into)
    {
        while (true)
        {
            Errno error = 0;
            long count = _isNarrow ? NarrowCalls.Read(Descriptor, into, offset, out error) : UnixCalls.Read(Descriptor, into, offset);
            error = count >= 0 || _isNarrow ? error : UnixCalls.LastError;   // before anything else is done
            GC.KeepAlive(_owner);
            if (count >= 0)
            {
                return (int)count;
            }

            if (error != Errno.EINTR)
            {
                throw StoreErrors.Failed($"\"{_name}\" cannot be read at {offset}", error);
            }
        }
    }

    public StoreError Write(long offset, ReadOnlySpan<byte> bytes, out int written)
    {
        StoreError error = StoreError.None;
        long count = _isNarrow ? NarrowCalls.Write(Descriptor, bytes, offset, out error) : UnixCalls.Write(Descriptor, bytes, offset);
        error = count >= 0 || _isNarrow ? error : UnixCalls.Failure;   // before anything else is done
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
            error = _isNarrow ? StoreError.Unsupported : UnixCalls.Reserve(Descriptor, length);
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
