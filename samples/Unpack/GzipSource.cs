using System;
using System.Buffers.Binary;
using System.IO;
using System.IO.Compression;
using System.IO.Hashing;
using System.Security.Cryptography;

namespace Unpack;

/// <summary>The content of a gzip file of one or more members (RFC 1952), of which each trailer is checked, the last one too.</summary>
/// <remarks>The runtime checks sum and length of a member only if all of its trailer is there: a file that was cut inside the last one reads
/// as whole. So a member of our own is put behind the file's end. If the last trailer is complete, what is in that member comes out last;
/// if not, its first bytes are taken for the rest of the trailer, and nothing fits. Zeros behind a file of one member are taken, as gzip
/// takes them: tapes pad blocks.</remarks>
internal sealed class GzipSource : ForwardStream
{
    private const int MarkBytes = 16, MostRead = 1 << 16, TrailerBytes = 8;

    private readonly FileStream _file;
    private readonly Crc32 _sum = new();
    private uint _length;   // of what came out, as a trailer has it

    private readonly byte[] _mark = RandomNumberGenerator.GetBytes(MarkBytes);
    private readonly GZipStream _content;
    private readonly byte[] _read = new byte[MarkBytes + MostRead];
    private int _held;   // the bytes at its beginning that came last: the mark, once everything else was read
    private int _given;   // of what is held, once all was read
    private bool _isOver;

    /// <param name="file">The file, at its beginning; owned.</param>
    public GzipSource(FileStream file)
    {
        _file = file;
        var member = new MemoryStream();
        using (var gzip = new GZipStream(member, CompressionLevel.NoCompression, leaveOpen: true))
        {
            gzip.Write(_mark);
        }

        member.Position = 0;
        _content = new GZipStream(new Joined(file, member), CompressionMode.Decompress);
    }

    /// <inheritdoc/>
    /// <exception cref="InvalidDataException">The file is cut, or bytes follow its last member.</exception>
    public override int Read(Span<byte> buffer)
    {
        if (buffer.IsEmpty)
        {
            return 0;
        }

        while (!_isOver)
        {
            // What is held goes out as far as as much has come behind it.
            int came = _content.Read(_read.AsSpan(_held, Math.Min(buffer.Length, MostRead)));
            int ready = Math.Max(0, _held + came - MarkBytes);
            _held += came - ready;
            _read.AsSpan(0, ready).CopyTo(buffer);
            _read.AsSpan(ready, _held).CopyTo(_read);
            _sum.Append(buffer[..ready]);
            _length += (uint)ready;
            if (came == 0)
            {
                _isOver = true;
                CheckEnd();
            }
            else if (ready > 0)
            {
                return ready;
            }
        }

        int rest = Math.Min(_held - _given, buffer.Length);
        _read.AsSpan(_given, rest).CopyTo(buffer);
        _given += rest;
        return rest;
    }

    /// <summary>The mark came last; or nothing but zeros is behind the one member's trailer, and what is held is content.</summary>
    private void CheckEnd()
    {
        if (_read.AsSpan(0, _held).SequenceEqual(_mark))
        {
            _held = 0;
            return;
        }

        _sum.Append(_read.AsSpan(0, _held));
        _length += (uint)_held;
        Span<byte> trailer = stackalloc byte[TrailerBytes];
        BinaryPrimitives.WriteUInt32LittleEndian(trailer, _sum.GetCurrentHashAsUInt32());
        BinaryPrimitives.WriteUInt32LittleEndian(trailer[4..], _length);
        if (!EndsWith(trailer.TrimEnd((byte)0)))
        {
            throw new InvalidDataException("the gzip file is cut, or something that is no gzip member is behind its end");
        }
    }

    /// <summary>Whether the file ends with a trailer, given without the zeros at its end, and zeros.</summary>
    private bool EndsWith(ReadOnlySpan<byte> bytes)
    {
        Span<byte> last = stackalloc byte[1];
        long at = _file.Length;
        do
        {
            _file.Position = --at;
            _file.ReadExactly(last);
        }
        while (last[0] == 0 && at > 0);
        byte[] found = new byte[bytes.Length];
        _file.Position = Math.Max(0, at + 1 - found.Length);
        return _file.Read(found) == found.Length && bytes.SequenceEqual(found) && _file.Length - _file.Position >= TrailerBytes - bytes.Length;
    }

    protected override void Dispose(bool disposing)
    {
        if (disposing)
        {
            _content.Dispose();
        }

        base.Dispose(disposing);
    }

    /// <summary>One stream, and another behind its end.</summary>
    private sealed class Joined(Stream first, Stream second) : ForwardStream
    {
        private bool _isSecond;

        public override int Read(Span<byte> buffer)
        {
            int read = _isSecond ? 0 : first.Read(buffer);
            if (read > 0 || buffer.IsEmpty)
            {
                return read;
            }

            _isSecond = true;
            return second.Read(buffer);
        }

        protected override void Dispose(bool disposing)
        {
            if (disposing)
            {
                first.Dispose();
                second.Dispose();
            }

            base.Dispose(disposing);
        }
    }
}
