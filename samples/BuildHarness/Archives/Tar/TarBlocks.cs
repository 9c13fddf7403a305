using System;
using System.IO;

namespace BuildHarness.Archives.Tar;

/// <summary>Cuts a stream into blocks of 512 bytes and what lies between.</summary>
internal sealed class TarBlocks(Stream stream)
{
    private const int BufferSize = 64 << 10;
    private readonly byte[] _buffer = new byte[BufferSize];
    private int _start, _end;

    /// <summary>Gets how many bytes were taken.</summary>
    public long Taken { get; private set; }

    /// <summary>Takes the next block.</summary>
    /// <returns>512 bytes, good until the next call; fewer if the stream ends.</returns>
    public ReadOnlySpan<byte> Next()
    {
        while (_end - _start < TarHeader.Size && Fill())
        {
        }

        int count = Math.Min(TarHeader.Size, _end - _start);
        ReadOnlySpan<byte> block = _buffer.AsSpan(_start, count);
        _start += count;
        Taken += count;
        return block;
    }

    /// <summary>Takes bytes.</summary>
    /// <returns>How many; 0 if the stream ends.</returns>
    public int Read(Span<byte> buffer)
    {
        if (_start == _end)
        {
            if (buffer.Length >= BufferSize)
            {
                int direct = stream.Read(buffer);
                Taken += direct;
                return direct;
            }

            if (!Fill())
            {
                return 0;
            }
        }

        int count = Math.Min(buffer.Length, _end - _start);
        _buffer.AsSpan(_start, count).CopyTo(buffer);
        _start += count;
        Taken += count;
        return count;
    }

    /// <summary>Takes bytes and forgets them.</summary>
    /// <returns>Whether there were as many.</returns>
    public bool Skip(long count)
    {
        while (count > 0)
        {
            if (_start == _end && !Fill())
            {
                return false;
            }

            int now = (int)Math.Min(count, _end - _start);
            _start += now;
            Taken += now;
            count -= now;
        }

        return true;
    }

    private bool Fill()
    {
        if (_start > 0)
        {
            _buffer.AsSpan(_start, _end - _start).CopyTo(_buffer);
            _end -= _start;
            _start = 0;
        }

        int read = stream.Read(_buffer.AsSpan(_end));
        _end += read;
        return read > 0;
    }
}
