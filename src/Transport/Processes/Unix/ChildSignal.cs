using System;

namespace Transport;

/// <summary>The signal SIGCHLD. A process that was started while it was ignored, as by some scripts and supervisors, ignores it too, and
/// then the kernel forgets how its children ended.</summary>
internal static unsafe class ChildSignal
{
    private const int Number = 17, NumberMac = 20;
    private const int ActionBytes = 256;   // struct sigaction has 152 with glibc and musl, 16 on macOS; the handler stands first

    private static readonly IntPtr Default = IntPtr.Zero, Ignored = (IntPtr)1;

    /// <summary>Takes the signal's default if it is ignored; a handler stays. Called before each child is started, and by programs first of
    /// all: .NET takes over what it finds, and then reaps every child.</summary>
    public static void Heed()
    {
        int number = Libc.IsMac ? NumberMac : Number;
        byte* action = stackalloc byte[ActionBytes];
        if (Libc.sigaction(number, IntPtr.Zero, action) == 0 && *(IntPtr*)action == Ignored)
        {
            _ = Libc.signal(number, Default);
        }
    }
}
