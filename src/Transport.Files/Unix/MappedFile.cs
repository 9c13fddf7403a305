using System;

namespace Transport.Files;

/// <summary>A file written through mappings of it. Its blocks are reserved before: a page without a block would end the process (SIGBUS) where the disk is full.</summary>
internal sealed class MappedFile(UnixCalls calls, int fd) : StreamFile(calls, fd)
{
    private long _length;

    public override void Write(ReadOnlySpan<byte> bytes)
    {
        if (bytes.IsEmpty)
        {
            return;
        }

        int answer = Calls.Reserve(Fd, _length, bytes.Length, keepsSize: false);
        if (answer is -Errno.NotSupported or -Errno.NoCall or -Errno.Invalid)
        {
            throw new FileCallException("map", TransportFault.FileFailed, "this file system cannot reserve blocks (fallocate), which the mmap writer needs; use stream", -answer);
        }

        if (answer >= 0)
        {
            answer = Calls.CopyToMapping(Fd, _length, bytes);
        }

        if (answer < 0)
        {
            throw Errno.Exception("map", -answer);
        }

        _length += bytes.Length;
    }
}
