using System;

namespace Transport.Files;

/// <summary>A file of an <see cref="EarlierTree"/> whose bytes are compared with those to be written. It may be disposed by another thread at any time: then nothing in it is the same.</summary>
/// <remarks>Whoever writes to it meanwhile changes its time: it is then neither taken over nor read from.</remarks>
internal sealed class EarlierFile(EarlierTree tree, UnixCalls calls, int fd, UnixStatus found) : IDisposable
{
    private readonly object _gate = new();
    private int _fd = fd;

    /// <summary>Gets how many bytes from its start on are the same.</summary>
    public long Same { get; private set; }

    /// <summary>Gets a value indicating whether all its bytes came.</summary>
    public bool IsWhole => Same == found.Size;

    /// <summary>Compares what comes next.</summary>
    /// <param name="bytes">The bytes.</param>
    /// <param name="buffer">Memory to read into.</param>
    /// <returns>Whether it has the same there; else <see cref="Same"/> stays where it was.</returns>
    public bool GoesOn(ReadOnlySpan<byte> bytes, byte[] buffer)
    {
        if (bytes.Length > found.Size - Same)
        {
            return false;
        }

        for (int at = 0; at < bytes.Length;)
        {
            int count = Read(Same + at, buffer.AsSpan(0, Math.Min(buffer.Length, bytes.Length - at)));
            if (count <= 0 || !bytes.Slice(at, count).SequenceEqual(buffer.AsSpan(0, count)))
            {
                return false;
            }

            at += count;
        }

        Same += bytes.Length;
        return true;
    }

    /// <summary>Reads bytes that were the same.</summary>
    /// <exception cref="FileCallException">They are gone.</exception>
    public int ReadSame(long at, Span<byte> buffer)
    {
        int count = Read(at, buffer.Slice(0, (int)Math.Min(buffer.Length, Same - at)));
        return count > 0 ? count : throw Changed();
    }

    /// <exception cref="FileCallException">Somebody has changed it.</exception>
    public void CheckUnchanged()
    {
        lock (_gate)
        {
            if (!IsAsFound(out _))
            {
                throw Changed();
            }
        }
    }

    /// <summary>Gives it a further name.</summary>
    /// <returns>Whether it has it; else somebody else keeps it under another, or the system cannot do it.</returns>
    /// <exception cref="FileCallException">Somebody has changed it, or it could not be synced.</exception>
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

    private static FileCallException Changed() => new("compare", TransportFault.FileTreeChanged, "the earlier file of that path was changed while it was compared");

    private bool IsAsFound(out UnixStatus now)
    {
        now = default;
        return _fd >= 0 && calls.Look(_fd, string.Empty, out now) >= 0 && now.Size == found.Size && now.Modified == found.Modified && now.Mode == found.Mode;
    }

    private int Read(long at, Span<byte> buffer)
    {
        lock (_gate)
        {
            return _fd < 0 ? -1 : calls.Read(_fd, at, buffer);
        }
    }
}
