using System;
using System.Runtime.InteropServices;

namespace Transport;

/// <summary>Signal numbers to names. Linux's table is that of x86, ARM, RISC-V and most others (signal(7)); macOS has its own.</summary>
internal static class SignalNames
{
    private static readonly string[] Linux =
    [
        "HUP", "INT", "QUIT", "ILL", "TRAP", "ABRT", "BUS", "FPE", "KILL", "USR1", "SEGV", "USR2", "PIPE", "ALRM", "TERM", "STKFLT",
        "CHLD", "CONT", "STOP", "TSTP", "TTIN", "TTOU", "URG", "XCPU", "XFSZ", "VTALRM", "PROF", "WINCH", "IO", "PWR", "SYS",
    ];

    private static readonly string[] Mac =
    [
        "HUP", "INT", "QUIT", "ILL", "TRAP", "ABRT", "EMT", "FPE", "KILL", "BUS", "SEGV", "SYS", "PIPE", "ALRM", "TERM", "URG",
        "STOP", "TSTP", "CONT", "CHLD", "TTIN", "TTOU", "IO", "XCPU", "XFSZ", "VTALRM", "PROF", "WINCH", "INFO", "USR1", "USR2",
    ];

    public static string Of(int signal) => Of(signal, RuntimeInformation.IsOSPlatform(OSPlatform.OSX));

    public static string Of(int signal, bool mac)
    {
        string[] names = mac ? Mac : Linux;
        return signal >= 1 && signal <= names.Length ? "SIG" + names[signal - 1]
            : !mac && signal is >= 34 and <= 64 ? FormattableString.Invariant($"SIGRTMIN+{signal - 34}")
            : FormattableString.Invariant($"signal {signal}");
    }
}
