using System;
using System.IO;
using System.IO.MemoryMappedFiles;

namespace Transport.Files;

/// <summary>A file written through .NET's stream, or on Windows through mappings, which reserve blocks beyond the end.</summary>
internal sealed class PortableFile : IWritableFile
{
    private const string NoMapping =
        "the mmap writer needs blocks reserved before it maps them, which is done on Linux and Windows only; use stream";

    private readonly PortableCalls _calls;
    private readonly FileStream _stream;
    private readonly bool _isMapped;
    private readonly string _path;
    private long _length;

    private PortableFile(PortableCalls calls, string path, FileStream stream, bool isMapped)
    {
        _calls = calls;
        _path = path;
        _stream = stream;
        _isMapped = isMapped;
    }

    /// <summary>Creates a file exclusively.</summary>
    /// <param name="calls">The calls of .NET.</param>
    /// <param name="path">Its path.</param>
    /// <param name="io">How its bytes are written.</param>
    /// <exception cref="FileCallException"><see cref="TransportFault.BadConfiguration"/>: files are not mapped here.</exception>
    public static PortableFile Create(PortableCalls calls, string path, FileIo io) => io == FileIo.Mmap && !Platform.IsWindows
        ? throw new FileCallException("map", TransportFault.BadConfiguration, NoMapping)
        : new PortableFile(calls, path, calls.CreateFile(path), io == FileIo.Mmap);

    /// <inheritdoc/>
    public void Write(ReadOnlySpan<byte> bytes)
    {
        try
        {
            if (_isMapped && !bytes.IsEmpty)
            {
                using var map = MemoryMappedFile.CreateFromFile(
                    _stream, null, _length + bytes.Length, MemoryMappedFileAccess.ReadWrite, HandleInheritability.None, leaveOpen: true);
                using MemoryMappedViewStream view = map.CreateViewStream(_length, bytes.Length);
                _calls.Write(_path, view, bytes);
            }
            else
            {
                _calls.Write(_path, _stream, bytes);
            }
        }
        catch (Exception failed) when (PortableErrors.IsFromSystem(failed))
        {
            throw PortableErrors.Exception("write", failed);
        }

        _length += bytes.Length;
    }

    /// <inheritdoc/>
    public void Complete(FileTime? modified, bool sync)
    {
        string operation = "sync";
        try
        {
            try
            {
                if (sync)
                {
                    _calls.Sync(_path, _stream);
                }

                operation = "close";
                _calls.Close(_path, _stream);
            }
            finally
            {
                _stream.Dispose();
            }

            operation = "times";
            if (modified is { } time)
            {
                _calls.SetTime(_path, time);
            }
        }
        catch (Exception failed) when (PortableErrors.IsFromSystem(failed))
        {
            throw PortableErrors.Exception(operation, failed);
        }
    }

    /// <inheritdoc/>
    public void Abandon()
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
}
