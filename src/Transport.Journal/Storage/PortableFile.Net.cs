using System;
using System.IO;
using Microsoft.Win32.SafeHandles;

namespace Transport.Journal;

/// <summary>A file by the runtime's positioned reads and writes.</summary>
internal sealed class PortableFile(string path, FileMode mode, bool writable) : IJournalFile
{
    private readonly SafeFileHandle _file =
        File.OpenHandle(path, mode, writable ? FileAccess.ReadWrite : FileAccess.Read, FileShare.ReadWrite | FileShare.Delete);

    public long Length => RandomAccess.GetLength(_file);

    public bool IsDeleted => false;

    public int Read(long offset, Span<byte> into)
    {
        try
        {
            return RandomAccess.Read(_file, into, offset);
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException)
        {
            throw new StoreException(PortableStore.ErrorOf(e), $"\"{path}\" cannot be read at {offset}: {e.Message}", e);
        }
    }

    public StoreError Write(long offset, ReadOnlySpan<byte> bytes, out int written)
    {
        written = 0;
        try
        {
            RandomAccess.Write(_file, bytes, offset);
            written = bytes.Length;
            return StoreError.None;
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException)
        {
            return PortableStore.ErrorOf(e);
        }
    }

    public StoreError Allocate(long length)
    {
        try
        {
            // A length alone reserves capacity on NTFS.
            RandomAccess.SetLength(_file, length);
            return StoreError.None;
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException)
        {
            return PortableStore.ErrorOf(e);
        }
    }

    public StoreError Sync()
    {
        try
        {
            RandomAccess.FlushToDisk(_file);
            return StoreError.None;
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException)
        {
            return PortableStore.ErrorOf(e);
        }
    }

    public void Dispose() => _file.Dispose();
}
