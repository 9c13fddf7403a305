using System;

namespace Transport.Files;

/// <summary>A file written by write(2).</summary>
/// <param name="calls">The system calls.</param>
/// <param name="fd">The open file.</param>
internal class UnixFile(UnixCalls calls, int fd) : IWritableFile
{
    private const int Piece = 128 << 10, LargePiece = 1 << 20;
    private const int LargeFrom = 10 << 20, ReserveFrom = 64 << 20;

    /// <summary>Gets the open file.</summary>
    protected int Fd { get; } = fd;

    /// <summary>Gets the system calls.</summary>
    protected UnixCalls Calls { get; } = calls;

    /// <inheritdoc/>
    public virtual void Write(ReadOnlySpan<byte> bytes)
    {
        // Fail before a hundred megabytes are written. Any other answer means that this file system cannot reserve.
        if (bytes.Length >= ReserveFrom && Calls.Reserve(Fd, 0, bytes.Length, keepsSize: true) == -Errno.NoSpace)
        {
            throw Errno.Exception("write", Errno.NoSpace);
        }

        int piece = bytes.Length >= LargeFrom ? LargePiece : Piece;
        while (!bytes.IsEmpty)
        {
            int written = Calls.Write(Fd, bytes.Length > piece ? bytes.Slice(0, piece) : bytes);
            ByteMoves.Note("2 file: write, copied by the kernel", written, written);
            bytes = written > 0 ? bytes.Slice(written) : throw Errno.Exception("write", written == 0 ? Errno.NoSpace : -written);
        }
    }

    /// <inheritdoc/>
    public void Complete(FileTime? modified, bool sync)
    {
        int answer = modified is { } time ? Calls.SetTime(Fd, time) : 0;
        string operation = "times";
        if (answer >= 0 && sync)
        {
            answer = Calls.Sync(Fd);
            operation = "sync";
        }

        int closed = Calls.Close(Fd);
        if (answer >= 0 && closed < 0 && closed != -Errno.Interrupted)
        {
            answer = closed;
            operation = "close";
        }

        if (answer < 0)
        {
            throw Errno.Exception(operation, -answer);
        }
    }

    /// <inheritdoc/>
    public void Abandon() => _ = Calls.Close(Fd);
}
