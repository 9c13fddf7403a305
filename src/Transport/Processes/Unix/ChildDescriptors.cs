using System;
using System.IO;

namespace Transport;

/// <summary>Pipes and reads on bare descriptors: FileStream over a pipe fails on Mono.</summary>
internal static class ChildDescriptors
{
    /// <summary>
    /// Makes a pipe that no child inherits. Both ends are above 2, so that putting them onto 1 and 2 in a child never overwrites one.
    /// </summary>
    /// <exception cref="IOException">The system has no descriptor left.</exception>
    public static (int Read, int Write) Pipe()
    {
        Errno error = FileDescriptor.TryCreatePipe(out int read, out int write);
        return error == Errno.None ? (read, write) : throw new IOException($"No pipe for a child's output: {error.Describe()}.");
    }

    public static void Close(int fd) => FileDescriptor.Close(fd);

    /// <summary>Waits until one of them is ready.</summary>
    /// <exception cref="IOException">poll(2) failed for another reason than a signal.</exception>
    public static bool Poll(Span<PollFd> fds, int timeoutMs)
    {
        Errno error = FileDescriptor.TryPoll(fds, timeoutMs, out int ready);
        return error == Errno.None ? ready > 0 : throw new IOException($"poll failed: {error.Describe()}.");
    }

    /// <summary>Reads what is there; 0 at the end of the stream, and for a stream that fails.</summary>
    public static int Read(int fd, byte[] buffer) => FileDescriptor.TryRead(fd, buffer, out int count) == Errno.None ? count : 0;

    public static void WriteByte(int fd) => _ = FileDescriptor.TryWriteAll(fd, [1]);
}
