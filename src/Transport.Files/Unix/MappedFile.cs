using System;

namespace Transport.Files;

/// <summary>
/// A file written through mappings of it. Its blocks are reserved first: on a full disk, touching a page without a block would end the
/// process (SIGBUS).
/// </summary>
/// <param name="calls">The system calls.</param>
/// <param name="fd">The open file.</param>
internal sealed class MappedFile(UnixCalls calls, int fd) : UnixFile(calls, fd)
{
    private const string CannotReserve = "this file system cannot reserve blocks (fallocate), which the mmap writer needs; use stream";
    private long _length;

    /// <inheritdoc/>
    public override void Write(ReadOnlySpan<byte> bytes)
    {
        if (bytes.IsEmpty)
        {
            return;
        }

        int answer = Calls.Reserve(Fd, _length, bytes.Length, keepsSize: false);
        if (answer is -Errno.NotSupported or -Errno.NoCall or -Errno.Invalid)
        {
            throw new FileCallException("map", TransportFault.FileFailed, CannotReserve, -answer);
        }

        if (answer >= 0)
        {
            answer = Calls.CopyToMapping(Fd, _length, bytes);
            ByteMoves.Note("3 file: copied into the mapping", bytes.Length, bytes.Length);
        }

        if (answer < 0)
        {
            throw Errno.Exception("map", -answer);
        }

        _length += bytes.Length;
    }
}
