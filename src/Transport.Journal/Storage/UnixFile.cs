using System;

namespace Transport.Journal;

/// <summary>A file of a Unix system by its descriptor.</summary>
internal sealed unsafe class UnixFile : IJournalFile
{
    private readonly DescriptorHandle _owner;
    private readonly string _name;

    /// <summary>Initializes a new instance of the <see cref="UnixFile"/> class, which owns the descriptor.</summary>
    /// <param name="descriptor">The descriptor.</param>
    /// <param name="name">Its path, for messages.</param>
    public UnixFile(int descriptor, string name)
    {
        _name = name;
        _owner = new DescriptorHandle(descriptor);
    }

    public long Length
    {
        get
        {
            Errno error = FileStatus.Read(Descriptor, out FileStatus status);
            GC.KeepAlive(_owner);
            return error == Errno.None ? status.Size : throw StoreErrors.Failed($"\"{_name}\" cannot be looked at", error);
        }
    }

    public bool IsDeleted
    {
        get
        {
            Errno error = FileStatus.Read(Descriptor, out FileStatus status);
            GC.KeepAlive(_owner);
            return error == Errno.None && status.Links == 0;
        }
    }

    /// <summary>Gets the descriptor; never one that was closed and may be somebody else's by now.</summary>
    private int Descriptor => _owner.IsClosed ? throw new ObjectDisposedException(_name) : _owner.Fd;

    public int Read(long offset, Span<byte> into)
    {
        while (true)
        {
            long count;
            Errno error;
            fixed (byte* at = into)
            {
                count = Libc.ReadAt(Descriptor, at, (UIntPtr)(uint)into.Length, offset);
                error = Libc.ErrorOf(count);   // before anything else is done
            }

            GC.KeepAlive(_owner);
            if (error == Errno.None)
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
        long count;
        Errno error;
        fixed (byte* at = bytes)
        {
            count = Libc.WriteAt(Descriptor, at, (UIntPtr)(uint)bytes.Length, offset);
            error = Libc.ErrorOf(count);   // before anything else is done
        }

        GC.KeepAlive(_owner);
        written = (int)Math.Max(count, 0);
        ByteMoves.Note("3 record: write, copied by the kernel", written, written);
        return StoreErrors.Of(error);
    }

    public StoreError Allocate(long length)
    {
        // Without its length set a file that has only capacity reserved pays for a new length with each sync.
        StoreError error = StoreError.Unsupported;
        if (Libc.IsLinux)
        {
            do
            {
                error = StoreErrors.Of(Libc.ErrorOf(Libc.fallocate(Descriptor, 0, IntPtr.Zero, (IntPtr)length)));
                GC.KeepAlive(_owner);
            }
            while (error == StoreError.Interrupted);
        }

        return error == StoreError.Unsupported ? this.FillWithZeros(length) : error;
    }

    public StoreError Sync()
    {
        Errno error = FileDescriptor.TrySyncData(Descriptor);
        GC.KeepAlive(_owner);
        return StoreErrors.Of(error);
    }

    public void Dispose() => _owner.Dispose();
}
