using System;
using System.Runtime.InteropServices;
using Mono.Unix.Native;

namespace Transport;

/// <summary>The kernel's epoll and eventfd (Linux, epoll(7) and eventfd(2)), as far as <see cref="SocketPoller"/> needs them.</summary>
internal static class Epoll
{
    public const int Add = 1;
    public const int Modify = 3;
    public const uint Readable = 1;

    /// <summary>After one event the descriptor is known, but wakes nobody until it is modified.</summary>
    public const uint OneShot = 1u << 30;

    public const int Interrupted = 4;   // EINTR
    private const int CloseOnExec = 0x80000;

    /// <summary>Gets where an event's number begins: the C structure is packed on x86, on other machines it is not.</summary>
    private static int NumberAt => RuntimeInformation.ProcessArchitecture is Architecture.X64 or Architecture.X86 ? 4 : 8;

    /// <summary>Gets the bytes of one event.</summary>
    public static int EventSize => NumberAt + sizeof(long);

    public static int Create() => epoll_create1(CloseOnExec);

    public static int CreateBell() => eventfd(0, CloseOnExec);

    /// <summary>Makes the entry that says what to wait for, and by what number to tell of it.</summary>
    public static byte[] Entry(uint events, long number)
    {
        byte[] entry = new byte[EventSize];
        BitConverter.GetBytes(events).CopyTo(entry, 0);
        BitConverter.GetBytes(number).CopyTo(entry, NumberAt);
        return entry;
    }

    public static bool Control(int epoll, int operation, int descriptor, byte[] entry) => epoll_ctl(epoll, operation, descriptor, entry) == 0;

    /// <summary>Waits for ever.</summary>
    /// <returns>How many events came; less than 0 where the call failed, with its cause in <see cref="Marshal.GetLastWin32Error"/>.</returns>
    public static int Wait(int epoll, byte[] events) => epoll_wait(epoll, events, events.Length / EventSize, -1);

    public static long NumberOf(byte[] events, int index) => BitConverter.ToInt64(events, (index * EventSize) + NumberAt);

    public static unsafe void Ring(int bell)
    {
        long one = 1;
        _ = Syscall.write(bell, &one, sizeof(long));
    }

    [DllImport("libc", SetLastError = true)]
    [DefaultDllImportSearchPaths(DllImportSearchPath.SafeDirectories)]
    private static extern int epoll_create1(int flags);

    [DllImport("libc", SetLastError = true)]
    [DefaultDllImportSearchPaths(DllImportSearchPath.SafeDirectories)]
    private static extern int epoll_ctl(int epoll, int operation, int descriptor, byte[] entry);

    [DllImport("libc", SetLastError = true)]
    [DefaultDllImportSearchPaths(DllImportSearchPath.SafeDirectories)]
    private static extern int epoll_wait(int epoll, byte[] events, int most, int milliseconds);

    [DllImport("libc", SetLastError = true)]
    [DefaultDllImportSearchPaths(DllImportSearchPath.SafeDirectories)]
    private static extern int eventfd(uint value, int flags);
}
