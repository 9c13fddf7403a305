using System;
using System.IO;

namespace Transport.Journal;

/// <summary>A file by a stream, for runtimes without positioned reads and writes; one call at a time.</summary>
internal sealed class PortableFile : IJournalFile
{
    private const int BlockBytes = 128 << 10;

    private readonly string _path;
    private readonly FileStream _file;
    private readonly object _gate = new();
    private readonly byte[] _block = new byte[BlockBytes];

    public PortableFile(string path, FileMode mode, bool writable)
    {
        _path = path;
        _file = new FileStream(
            path, mode, writable ? FileAccess.ReadWrite : FileAccess.Read, FileShare.ReadWrite | FileShare.Delete, bufferSize: 1);
    }

    public long Length
    {
        get
        {
            lock (_gate)
            {
                return _file.Length;
            }
        }
    }

    public bool IsDeleted => false;

    public int Read(long offset, Span<byte> into)
    {
        lock (_gate)
        {
            try
            {
                _file.Position = offset;
                int count = _file.Read(_block, 0, Math.Min(into.Length, BlockBytes));
                _block.AsSpan(0, count).CopyTo(into);
                return count;
            }
            catch (Exception e) when (e is IOException or UnauthorizedAccessException)
            {
                throw new StoreException(PortableStore.ErrorOf(e), $"\"{_path}\" cannot be read at {offset}: {e.Message}", e);
            }
        }
    }

    public StoreError Write(long offset, ReadOnlySpan<byte> bytes, out int written)
    {
        written = Math.Min(bytes.Length, BlockBytes);
        int count = written;
        lock (_gate)
        {
            bytes.Slice(0, count).CopyTo(_block);
            StoreError error = Do(() =>
            {
                _file.Position = offset;
                _file.Write(_block, 0, count);
                _file.Flush();
            });
            written = error == StoreError.None ? count : 0;
            return error;
        }
    }

    public StoreError Allocate(long length)
    {
        lock (_gate)
        {
            return Do(() => _file.SetLength(length));
        }
    }

    public StoreError Sync()
    {
        lock (_gate)
        {
            return Do(() => _file.Flush(flushToDisk: true));
        }
    }

    public void Dispose() => _file.Dispose();

    private static StoreError Do(Action what)
    {
        try
        {
            what();
            return StoreError.None;
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException)
        {
            return PortableStore.ErrorOf(e);
        }
    }
}
