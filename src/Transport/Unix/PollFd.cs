using System.Runtime.InteropServices;

namespace Transport;

/// <summary>struct pollfd of poll(2). A negative descriptor is skipped.</summary>
[StructLayout(LayoutKind.Sequential)]
internal struct PollFd
{
    public const short Input = 1, Output = 4, Error = 8, HangUp = 16;   // POLLIN, POLLOUT, POLLERR, POLLHUP

    public int Fd;
    public short Events;
    public short Revents;

    public readonly bool IsReady => Fd >= 0 && Revents != 0;
}
