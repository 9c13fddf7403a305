using System;

namespace Transport.Files;

/// <summary>A file of an earlier tree on Linux, open for reading.</summary>
/// <remarks>
/// A write to the file meanwhile changes its time; then it is neither taken over nor read. The lock guards the handle against
/// <see cref="Dispose"/> by another thread.
/// </remarks>
/// <param name="tree">The tree it is in.</param>
/// <param name="calls">The system calls.</param>
/// <param name="fd">The file's handle, closed with this.</param>
/// <param name="found">Its status when it was found.</param>
internal sealed class UnixEarlierFile(UnixEarlierTree tree, UnixCalls calls, int fd, UnixStatus found) : IEarlierFile
{
    private readonly object _gate = new();
    private int _fd = fd;

    /// <inheritdoc/>
    public long MatchedBytes { get; private set; }

    /// <inheritdoc/>
    public bool IsFullyMatched => MatchedBytes == found.Size;

    /// <inheritdoc/>
    public bool TryMatch(ReadOnlySpan<byte> bytes, byte[] buffer)
    {
        if (bytes.Length > found.Size - MatchedBytes)
        {
            return false;
        }

        for (int at = 0; at < bytes.Length;)
        {
            int count = Read(MatchedBytes + at, buffer.AsSpan(0, Math.Min(buffer.Length, bytes.Length - at)));
            if (count <= 0 || !bytes.Slice(at, count).SequenceEqual(buffer.AsSpan(0, count)))
            {
                return false;
            }

            at += count;
        }

        MatchedBytes += bytes.Length;
        return true;
    }

    /// <inheritdoc/>
    public int ReadMatched(long offset, Span<byte> buffer)
    {
        int count = Read(offset, buffer.Slice(0, (int)Math.Min(buffer.Length, MatchedBytes - offset)));
        return count > 0 ? count : throw Changed();
    }

    /// <inheritdoc/>
    public void ThrowIfChanged()
    {
        lock (_gate)
        {
            if (!IsAsFound(out _))
            {
                throw Changed();
            }
        }
    }

    /// <summary>Gives the file a further name.</summary>
    /// <param name="directory">The handle of the new name's directory.</param>
    /// <param name="name">The new name.</param>
    /// <param name="sync">Whether the file is synced first.</param>
    /// <returns>False if somebody else keeps the file under another name, or the system cannot link it.</returns>
    /// <exception cref="FileCallException">The file was changed, or could not be synced.</exception>
    public bool TryLink(int directory, string name, bool sync)
    {
        lock (_gate)
        {
            if (!IsAsFound(out UnixStatus now))
            {
                throw Changed();
            }

            if (now.Names != 1)
            {
                return false;
            }

            if (sync && calls.Sync(_fd) is var synced and < 0)
            {
                throw Errno.Exception("sync", -synced);
            }

            if (calls.LinkOpenFile(_fd, directory, name) < 0)
            {
                tree.GiveUp();
                return false;
            }

            if (!IsAsFound(out _))
            {
                _ = calls.Remove(directory, name, isDirectory: false);
                throw Changed();
            }

            return true;
        }
    }

    /// <inheritdoc/>
    public void Dispose()
    {
        lock (_gate)
        {
            if (_fd >= 0)
            {
                _ = calls.Close(_fd);
                _fd = -1;
            }
        }
    }

    private static FileCallException Changed() =>
        new("compare", TransportFault.FileTreeChanged, "the earlier file of that path was changed while it was compared");

    private bool IsAsFound(out UnixStatus now)
    {
        now = default;
        return _fd >= 0
            && calls.Look(_fd, string.Empty, out now) >= 0
            && now.Size == found.Size && now.Modified == found.Modified && now.Mode == found.Mode;
    }

    private int Read(long at, Span<byte> buffer)
    {
        lock (_gate)
        {
            return _fd < 0 ? -1 : calls.Read(_fd, at, buffer);
        }
    }
}
