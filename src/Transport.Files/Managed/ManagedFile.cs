using System;
using System.IO;
using System.IO.MemoryMappedFiles;

namespace Transport.Files;

/// <summary>A file written through .NET's own stream, or through mappings of it on Windows, where a mapping beyond the end reserves its blocks.</summary>
internal sealed class ManagedFile : OpenFile
{
    private readonly FileStream _stream;
    private readonly bool _isMapped;
    private readonly string _path;
    private long _length;

    private ManagedFile(string path, FileStream stream, bool isMapped)
    {
        _path = path;
        _stream = stream;
        _isMapped = isMapped;
    }

    public static ManagedFile Create(string path, FileIo io)
    {
        if (io == FileIo.Mmap && !Platform.IsWindows)
        {
            throw new FileCallException("map", TransportFault.BadOptions, "the mmap writer needs blocks reserved before it maps them, which is done on Linux and Windows only; use stream");
        }

        return new ManagedFile(path, new FileStream(path, FileMode.CreateNew, FileAccess.ReadWrite, FileShare.None, 1), io == FileIo.Mmap);
    }

    public override unsafe void Write(ReadOnlySpan<byte> bytes)
    {
        if (_isMapped && !bytes.IsEmpty)
        {
            using var map = MemoryMappedFile.CreateFromFile(_stream, null, _length + bytes.Length, MemoryMappedFileAccess.ReadWrite, HandleInheritability.None, leaveOpen: true);
            using MemoryMappedViewStream view = map.CreateViewStream(_length, bytes.Length);
            WriteTo(view, bytes);
        }
        else
        {
            WriteTo(_stream, bytes);
        }

        _length += bytes.Length;
    }

    public override void Finish(FileTime? modified, bool sync)
    {
        if (sync)
        {
            _stream.Flush(true);
        }

        _stream.Dispose();
        if (modified is { } time)
        {
            File.SetLastWriteTimeUtc(_path, time.ToDateTimeOffset().UtcDateTime);
        }
    }

    public override void Abandon()
    {
        try
        {
            _stream.Dispose();
        }
        catch (IOException)
        {
            // The output has failed already; this file goes with it.
        }
    }

    private static unsafe void WriteTo(Stream stream, ReadOnlySpan<byte> bytes)
    {
        fixed (byte* first = bytes)
        {
            using var source = new UnmanagedMemoryStream(first, bytes.Length);
            source.CopyTo(stream);
        }
    }
}
