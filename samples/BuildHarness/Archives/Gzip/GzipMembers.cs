using System;
using System.Buffers.Binary;
using System.IO;
using System.IO.Compression;

namespace BuildHarness.Archives.Gzip;

/// <summary>
/// What a gzip file holds. Every member's trailer is read and compared, and nothing may be behind the last one: the runtime's GZipStream
/// (10.0) ends without a word at what is no further member, and takes a file that is cut off anywhere for one that has ended.
/// </summary>
/// <remarks>
/// Where a member ends only inflating shows, and see <see cref="InflateSource"/>: the guess is that it is the file's last. If the data
/// ends before, it ended somewhere in the last piece that was handed over; so that member is inflated once more up to that piece, and on
/// from there byte by byte. A file of one member, which nearly all are, costs nothing more.
/// </remarks>
internal sealed class GzipMembers : ForwardStream
{
    private const int Trailer = 8;

    private readonly ArchiveFile _file;
    private readonly ArchiveLimits _limits;
    private readonly Budget _budget;
    private readonly byte[] _scratch = new byte[16 << 10];
    private DeflateStream? _inflater;
    private InflateSource? _input;
    private long _start, _length;
    private int _members;
    private uint _crc;
    private bool _ended;

    public GzipMembers(ArchiveFile file, ArchiveLimits limits, Budget budget)
    {
        _file = file;
        _limits = limits;
        _budget = budget;
        file.Position = 0;
        Open();
    }

    /// <exception cref="ArchiveException">A member is damaged, or something else follows.</exception>
    public override int Read(Span<byte> buffer)
    {
        while (!_ended && !buffer.IsEmpty)
        {
            int read = Inflate(_inflater!, buffer);
            if (read > 0)
            {
                _crc = Crc32.Append(_crc, buffer[..read]);
                _length += read;
                _budget.Count(read);
                return read;
            }

            EndMember();
        }

        return 0;
    }

    protected override void Dispose(bool disposing)
    {
        if (disposing)
        {
            _inflater?.Dispose();
        }

        base.Dispose(disposing);
    }

    private int Inflate(DeflateStream inflater, Span<byte> buffer)
    {
        try
        {
            return inflater.Read(buffer);
        }
        catch (InvalidDataException)
        {
            throw Wrong("is damaged: its compressed data makes no sense");
        }
    }

    private void Open()
    {
        if (++_members > _limits.Entries)
        {
            throw new ArchiveException(
                entry: null, FormattableString.Invariant($"the gzip file has more than {_limits.Entries} members (--limit-entries)"));
        }

        GzipHeader.Read(_file, _limits.HeaderBytes);
        _start = _file.Position;
        _length = 0;
        _crc = 0;
        long last = _file.Length - Trailer;
        (_input, _inflater) = Inflater(last - 1, last);
    }

    private (InflateSource Input, DeflateStream Inflater) Inflater(long single, long end)
    {
        var input = new InflateSource(_file, _start, single, end);
        return (input, new DeflateStream(input, CompressionMode.Decompress));
    }

    private void EndMember()
    {
        _inflater!.Dispose();
        if (_input!.AskedBeyond)
        {
            throw Wrong("is cut off");
        }

        long end = _input.Handed - _input.LastPiece == 1 ? _input.Handed : FindEnd(_input.LastPiece, _input.Handed);
        _file.Position = end;
        ReadOnlySpan<byte> trailer = _file.Peek(Trailer);
        if (trailer.Length < Trailer)
        {
            throw Wrong("is cut off in its trailer");
        }

        if (BinaryPrimitives.ReadUInt32LittleEndian(trailer) != _crc
            || BinaryPrimitives.ReadUInt32LittleEndian(trailer[4..]) != (uint)_length)
        {
            throw Wrong(BinaryPrimitives.ReadUInt32LittleEndian(trailer) != _crc ? "has a wrong check sum"
                : "has not the length that its trailer says");
        }

        _file.Position += Trailer;
        _ended = _file.Position == _file.Length;
        if (!_ended)
        {
            Open();
        }
    }

    private long FindEnd(long from, long to)
    {
        (InflateSource input, DeflateStream inflater) = Inflater(from, to);
        using (inflater)
        {
            while (Inflate(inflater, _scratch) > 0)
            {
            }
        }

        return input.AskedBeyond ? throw Wrong("changed while it was read") : input.Handed;
    }

    private ArchiveException Wrong(string what) => new(entry: null, FormattableString.Invariant(
        $"the gzip member {(_members == 1 ? "at its beginning" : FormattableString.Invariant($"number {_members}"))} {what}"));
}
