using System;

namespace Transport.Journal;

/// <summary>
/// Blocks by io_uring: direct writes, each durable when it is complete (RWF_DSYNC), so that the device has several of them at once.
/// Linux, 64 bit.
/// </summary>
internal sealed unsafe class RingWriter : IBlockWriter
{
    private const ulong WakeTag = ulong.MaxValue;

    private readonly string _directory;
    private readonly Ring _ring;
    private readonly IntPtr _memory;
    private readonly long _memoryBytes;
    private readonly int _event;
    private readonly Errno _eventError;
    private readonly BlockWrite[] _under;
    private int _file = -1;
    private bool _isArmed;
    private bool _isDisposed;

    private RingWriter(string directory, Ring ring, int count, int bufferBytes)
    {
        (_directory, _ring, Count, BufferBytes) = (System.IO.Path.GetFullPath(directory), ring, count, bufferBytes);
        _under = new BlockWrite[count];
        _memoryBytes = ((long)count * bufferBytes) + Block.Bytes;   // the last one: for what is read of the event
        _memory = RingCalls.Memory(_memoryBytes);
        _event = RingCalls.NewEvent();
        _eventError = Libc.ErrorOf(_event);
    }

    public int Count { get; }

    public int BufferBytes { get; }

    /// <summary>
    /// Makes one and tries it in the directory, or its parent if it is not there yet: a write through the ring reports whether kernel,
    /// container and file system let it be.
    /// </summary>
    /// <param name="directory">The journal's directory.</param>
    /// <param name="count">How many blocks may be in flight.</param>
    /// <param name="bufferBytes">The bytes of a buffer.</param>
    /// <param name="reason">Why not, to go on after "because".</param>
    public static RingWriter? TryMake(string directory, int count, int bufferBytes, out string reason)
    {
        if (!Libc.IsLinux || IntPtr.Size < sizeof(long))
        {
            reason = "it is there on 64-bit Linux alone";
            return null;
        }

        if (Ring.TryMake(count + 1, out Errno error) is not { } ring)
        {
            reason = error switch
            {
                Errno.ENOSYS => "this kernel has no io_uring",
                Errno.EPERM or Errno.EACCES => "io_uring is forbidden here (kernel.io_uring_disabled, or a container's filter)",
                _ => $"the kernel makes no ring ({error.Describe()})",
            };
            return null;
        }

        var writer = new RingWriter(directory, ring, count, bufferBytes);
        string? refused = writer._memory == (IntPtr)(-1) ? "there is no memory for it"
            : writer._event < 0 ? $"the kernel makes no event for it ({writer._eventError.Describe()})" : writer.Try();
        reason = refused ?? string.Empty;
        if (refused is null)
        {
            return writer;
        }

        writer.Dispose();
        return null;
    }

    public Span<byte> Buffer(int index) => new((byte*)_memory + ((long)index * BufferBytes), BufferBytes);

    public void Use(string name)
    {
        string path = System.IO.Path.Combine(_directory, name);
        int file = RingCalls.OpenDirect(path);
        if (file < 0)
        {
            Errno error = RingCalls.LastError;   // before anything else is done
            throw StoreErrors.Failed($"\"{path}\" cannot be opened for direct writes", error);
        }

        CloseFile();   // only now: after a failure, writing goes on where it was
        _file = file;
    }

    public StoreError Begin(int index, long offset, int count)
    {
        _under[index] = new BlockWrite(offset, count);
        return Submit(index);
    }

    public bool Wait(out int index, out StoreError error)
    {
        Arm();
        while (true)
        {
            RingResult result = _ring.Take();
            index = (int)result.Tag;
            error = StoreError.None;
            if (result.Tag == WakeTag)
            {
                _isArmed = false;
                return false;
            }

            if (IsOver(index, result.Result, out error))
            {
                return true;
            }
        }
    }

    public void Wake() => RingCalls.Signal(_event);

    public void Dispose()
    {
        if (!_isDisposed)
        {
            _isDisposed = true;
            _ring.Dispose();
            CloseFile();
            if (_memory != (IntPtr)(-1))
            {
                RingCalls.Unmap(_memory, _memoryBytes);
            }

            if (_event >= 0)
            {
                RingCalls.Close(_event);
            }
        }
    }

    /// <summary>
    /// Writes one block to a file without a name. What cannot be tried counts as possible: opening the journal will show it.
    /// </summary>
    private string? Try()
    {
        string at = System.IO.Directory.Exists(_directory) ? _directory : System.IO.Path.GetDirectoryName(_directory) ?? _directory;
        _file = RingCalls.OpenNameless(at);
        if (_file < 0)
        {
            Errno error = RingCalls.LastError;
            return error == Errno.EINVAL ? "this file system takes no direct writes" : null;
        }

        StoreError begun = Begin(0, 0, Block.Bytes);
        StoreError done = begun;
        while (begun == StoreError.None && !Wait(out _, out done))
        {
        }

        CloseFile();
        return done is StoreError.None or StoreError.Full ? null : $"a block cannot be written through a ring here ({done})";
    }

    /// <summary>Reads the event through the ring: so one wait is for both.</summary>
    private void Arm()
    {
        if (!_isArmed)
        {
            StoreError error = _ring.Submit(new RingRequest
            {
                Operation = RingRequest.Read,
                File = _event,
                Address = (ulong)((byte*)_memory + _memoryBytes - Block.Bytes),
                Count = sizeof(ulong),
                Tag = WakeTag,
            });
            _isArmed = error == StoreError.None ? true : throw new StoreException(error, "A ring takes no more requests");
        }
    }

    /// <summary>Whether a write is over; one that was interrupted, or short, is gone on with.</summary>
    private bool IsOver(int index, int result, out StoreError error)
    {
        ref BlockWrite under = ref _under[index];
        error = result >= 0 ? StoreError.None : StoreErrors.Of(ErrorNumbers.FromSystem(-result));
        if (result == -(int)Again || error == StoreError.Interrupted)
        {
            error = StoreError.None;
        }
        else if (result <= 0)
        {
            error = result == 0 ? StoreError.Full : error;
            return true;
        }
        else if (under.Add(result, out error))
        {
            return true;
        }

        error = Submit(index);
        return error != StoreError.None;
    }

    private const int Again = 11;   // EAGAIN

    private StoreError Submit(int index)
    {
        BlockWrite under = _under[index];
        return _ring.Submit(new RingRequest
        {
            Operation = RingRequest.Write,
            File = _file,
            Offset = (ulong)(under.Offset + under.Done),
            Address = (ulong)((byte*)_memory + ((long)index * BufferBytes) + under.Done),
            Count = (uint)(under.Count - under.Done),
            Flags = RingRequest.Durable,
            Tag = (ulong)index,
        });
    }

    private void CloseFile()
    {
        if (_file >= 0)
        {
            RingCalls.Close(_file);
            _file = -1;
        }
    }
}
