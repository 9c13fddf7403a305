using System;

namespace Transport.Files;

/// <summary>A file written by write(2).</summary>
internal class StreamFile(UnixCalls calls, int fd) : OpenFile
{
    private const int Piece = 128 << 10, LargePiece = 1 << 20;
    private const int LargeFrom = 10 << 20, ReserveFrom = 64 << 20;

    /// <summary>Gets the open file.</summary>
    protected int Fd { get; } = fd;

    protected UnixCalls Calls { get; } = calls;

    public override void Write(ReadOnlySpan<byte> bytes)
    {
        if (bytes.Length >= ReserveFrom && Calls.Reserve(Fd, 0, bytes.Length, keepsSize: true) == -Errno.NoSpace)
        {
            throw Errno.Exception("write", Errno.NoSpace); // told before a hundred megabytes are written; other answers mean that it cannot be asked here
        }

        int piece = bytes.Length >= LargeFrom ? LargePiece : Piece;
        while (!bytes.IsEmpty)
        {
            int written = Calls.Write(Fd, bytes.Length > piece ? bytes.Slice(0, piece) : bytes);
            bytes = written > 0 ? bytes.Slice(written) : throw Errno.Exception("write", written == 0 ? Errno.NoSpace : -written);
        }
    }

    public override void Finish(FileTime? modified, bool sync)
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

    public override void Abandon() => _ = Calls.Close(Fd);
}
