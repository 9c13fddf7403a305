using System;
using System.IO;
using System.IO.Compression;

namespace BuildHarness.Archives.Zip;

/// <summary>An entry's data, stored or deflated: its length and check sum are right if it has ended, and the compressed data ends where
/// it should.</summary>
internal sealed class ZipContent(ArchiveFile file, Budget budget) : IDisposable
{
    private readonly byte[] _rest = new byte[16 << 10];
    private CentralHeader? _entry;
    private InflateSource? _input;
    private DeflateStream? _inflater;
    private long _start, _given;
    private uint _crc;
    private bool _ended;

    /// <summary>Begins with the data at the file's position.</summary>
    public void Start(CentralHeader entry)
    {
        _entry = entry;
        _start = file.Position;
        _given = 0;
        _crc = 0;
        _ended = false;
        if (entry.Method == ZipRules.Deflated)
        {
            long end = _start + entry.Compressed;
            _input = new InflateSource(file, _start, end - 1, end);
            _inflater = new DeflateStream(_input, CompressionMode.Decompress);
        }
    }

    public int Read(Span<byte> buffer)
    {
        if (_ended || buffer.IsEmpty)
        {
            return 0;
        }

        int read = _inflater is null ? ReadStored(buffer) : Inflate(buffer);
        _given += read;
        if (_given > _entry!.Uncompressed)
        {
            throw Refuse(FormattableString.Invariant($"it has more than the {_entry.Uncompressed} bytes that its header says"));
        }

        if (read > 0)
        {
            _crc = Crc32.Append(_crc, buffer[..read]);
            budget.Count(read, _entry.Name);
            return read;
        }

        CheckEnd();
        return 0;
    }

    /// <summary>Reads what is left, and puts the file's position behind the data.</summary>
    public void End()
    {
        while (Read(_rest) > 0)
        {
        }

        file.Position = _start + _entry!.Compressed;
    }

    public void Dispose() => _inflater?.Dispose();

    private int ReadStored(Span<byte> buffer)
    {
        int count = (int)Math.Min(buffer.Length, _entry!.Compressed - _given);
        file.Position = _start + _given;
        int read = count == 0 ? 0 : file.Read(buffer[..count]);
        return read > 0 || count == 0 ? read : throw Refuse("the archive ends in the middle of it");
    }

    private int Inflate(Span<byte> buffer)
    {
        try
        {
            return _inflater!.Read(buffer);
        }
        catch (InvalidDataException)
        {
            throw Refuse("its compressed data makes no sense");
        }
    }

    private void CheckEnd()
    {
        _ended = true;
        _inflater?.Dispose();
        _inflater = null;
        string? fault = _input switch
        {
            { AskedBeyond: true } => "its compressed data is cut off",
            { } input when input.Handed != _start + _entry!.Compressed => "something is behind its compressed data",
            _ => _given != _entry!.Uncompressed
                ? FormattableString.Invariant($"it has {_given} bytes, not the {_entry.Uncompressed} that its header says")
                : _crc != _entry.Crc ? "its check sum is wrong"
                : null,
        };
        _input = null;
        if (fault is not null)
        {
            throw Refuse(fault);
        }
    }

    private ArchiveException Refuse(string reason) => new(_entry!.Name, reason);
}
