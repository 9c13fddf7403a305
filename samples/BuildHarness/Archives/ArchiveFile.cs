using System;
using System.IO;
using System.Runtime.CompilerServices;
using Microsoft.Win32.SafeHandles;
using Mono.Unix.Native;

namespace BuildHarness.Archives;

/// <summary>The archive's file, read through one buffer from any place. For one thread.</summary>
internal sealed class ArchiveFile : IDisposable
{
    /// <summary>Why a pipe will not do: a directory at the end is read first, and a member's end may be looked for twice.</summary>
    private const string NoFile = "it is a pipe or device, and an archive is not read in one go; save it as a file first (cat PIPE > FILE)";
    private const int BufferSize = 256 << 10, JumpSize = 4 << 10;

    private readonly SafeFileHandle _handle;
    private readonly byte[] _buffer = new byte[BufferSize];
    private long _start;
    private int _length;

    private ArchiveFile(SafeFileHandle handle, long length)
    {
        _handle = handle;
        Length = length;
    }

    /// <summary>Gets the length when it was opened; what is written behind it later is not looked at.</summary>
    public long Length { get; }

    /// <summary>Gets or sets the place that is read next.</summary>
    public long Position { get; set; }

    /// <exception cref="IOException">It cannot be opened, or is no file whose length is known.</exception>
    /// <exception cref="UnauthorizedAccessException">It may not be read.</exception>
    public static ArchiveFile Open(string path)
    {
        if (Directory.Exists(path))
        {
            throw new IOException("it is a folder");
        }

        // To open a pipe would wait for somebody who writes. It has no length: the library that can report is loaded only then, which takes
        // 10 ms.
        var there = new FileInfo(path);
        if (!OperatingSystem.IsWindows() && there.Exists && (there.Length == 0 || there.LinkTarget is not null) && IsNoFile(path))
        {
            throw new IOException(NoFile);
        }

        SafeFileHandle handle = File.OpenHandle(path, FileMode.Open, FileAccess.Read, FileShare.Read, FileOptions.SequentialScan);
        try
        {
            return new ArchiveFile(handle, RandomAccess.GetLength(handle));
        }
        catch (NotSupportedException e)
        {
            handle.Dispose();
            throw new IOException(NoFile, e);
        }
        catch
        {
            handle.Dispose();
            throw;
        }
    }

    /// <summary>Reads on from <see cref="Position"/>.</summary>
    /// <returns>How many bytes; 0 at the end.</returns>
    public int Read(Span<byte> buffer)
    {
        int count = (int)Math.Min(buffer.Length, Math.Max(0, Length - Position));
        if (count == 0)
        {
            return 0;
        }

        int at = InBuffer();
        if (at < 0 && count >= BufferSize)
        {
            // Large pieces need no buffer between.
            count = RandomAccess.Read(_handle, buffer[..count], Position);
            Position += count;
            return count;
        }

        if (at < 0)
        {
            Fill(1);
            at = InBuffer();
            if (at < 0)
            {
                return 0;
            }
        }

        count = Math.Min(count, _length - at);
        _buffer.AsSpan(at, count).CopyTo(buffer);
        Position += count;
        return count;
    }

    /// <summary>Shows what comes next without reading it.</summary>
    /// <param name="count">At most 256 KiB.</param>
    /// <returns>As many bytes as asked for; fewer only if the file ends. Good until the next call.</returns>
    public ReadOnlySpan<byte> Peek(int count)
    {
        count = (int)Math.Min(count, Math.Max(0, Length - Position));
        int at = InBuffer();
        if (at < 0 || _length - at < count)
        {
            Fill(count);
            at = 0;
        }

        return _buffer.AsSpan(at, Math.Min(count, _length - at));
    }

    public void Dispose() => _handle.Dispose();

    /// <summary>A method of its own, so that who does not call it does not load what it needs.</summary>
    [MethodImpl(MethodImplOptions.NoInlining)]
    private static bool IsNoFile(string path) => Syscall.stat(path, out Stat stat) == 0
        && (stat.st_mode & FilePermissions.S_IFMT) != FilePermissions.S_IFREG;

    private int InBuffer()
    {
        long at = Position - _start;
        return at >= 0 && at < _length ? (int)at : -1;
    }

    /// <summary>Reads at least so many bytes from the position on: a whole buffer if reading goes on, little if it has
    /// jumped.</summary>
    private void Fill(int atLeast)
    {
        bool goesOn = Position >= _start && Position <= _start + _length;
        int wanted = goesOn ? BufferSize : Math.Max(atLeast, JumpSize);
        int at = InBuffer();
        int kept = at < 0 ? 0 : _length - at;
        if (kept > 0)
        {
            _buffer.AsSpan(at, kept).CopyTo(_buffer);
        }

        _start = Position;
        _length = kept;
        while (_length < wanted)
        {
            int left = (int)Math.Min(wanted - _length, Length - _start - _length);
            int read = left <= 0 ? 0 : RandomAccess.Read(_handle, _buffer.AsSpan(_length, left), _start + _length);
            if (read == 0)
            {
                return;
            }

            _length += read;
        }
    }
}
