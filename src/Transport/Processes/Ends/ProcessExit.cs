using System;

namespace Transport;

/// <summary>How a process ended, as the system's own wait status says it: <c>exit 137</c> and a kill by SIGKILL are two things.
/// Immutable.</summary>
public sealed class ProcessExit
{
    private ProcessExit(int? exitCode, int? signal, bool coreDumped, bool? outOfMemoryKill)
    {
        ExitCode = exitCode;
        Signal = signal;
        CoreDumped = coreDumped;
        OutOfMemoryKill = outOfMemoryKill;
    }

    /// <summary>Gets the exit code (0 to 255 on Unix); null if a signal ended the process or the status is unknown.</summary>
    public int? ExitCode { get; }

    /// <summary>Gets the number of the signal that ended the process, or null. Numbers differ between systems: show
    /// <see cref="SignalName"/>.</summary>
    public int? Signal { get; }

    /// <summary>Gets the name of the signal that ended the process, such as SIGKILL, or null.</summary>
    public string? SignalName => Signal is int signal ? SignalNames.Of(signal) : null;

    /// <summary>Gets a value indicating whether the system wrote a core dump.</summary>
    public bool CoreDumped { get; }

    /// <summary>
    /// Gets a value indicating whether the kernel killed the process because memory was short; null if that cannot be known. It kills
    /// with SIGKILL, as others do; the difference is what the process's control group counts (Linux: <c>oom_kill</c> of
    /// <c>memory.events</c>, or of version 1's <c>memory.oom_control</c>).
    /// </summary>
    /// <remarks>
    /// True: since a look some seconds before the end (or, in a process without a link, since its start) the group has counted a kill that
    /// is no other child's end. False: it has not, or the process did not die of SIGKILL, or this side sent it. Null: SIGKILL if the
    /// group does not say: no control groups, their files hidden, or version 1 with no kill counted if the process was last seen. If
    /// somebody else's process of the same group is killed for memory in the seconds before another SIGKILL, the two are taken for one.
    /// </remarks>
    public bool? OutOfMemoryKill { get; }

    /// <summary>Gets a value indicating whether the process ended by itself with exit code 0.</summary>
    public bool IsSuccess => ExitCode == 0;

    /// <summary>Gets the exit code a shell would give: the process's own, or 128 plus the signal; 255 if the status is
    /// unknown.</summary>
    public int ShellExitCode => ExitCode ?? (Signal is int signal ? 128 + signal : 255);

    /// <summary>Gets the end of a process whose status nobody kept: SIGCHLD is ignored in this process, so the system threw it
    /// away.</summary>
    internal static ProcessExit Unknown { get; } = new(null, null, false, null);

    /// <summary>Returns <c>exit 3</c>, <c>killed SIGSEGV</c> or <c>status unknown</c>.</summary>
    /// <returns>The text.</returns>
    public override string ToString() => ExitCode is int code ? FormattableString.Invariant($"exit {code}")
        : Signal is not null ? "killed " + SignalName
        : "status unknown";

    internal static ProcessExit Exited(int code) => new(code, null, false, false);

    /// <summary>Reads what <c>waitpid</c> gave: the low 7 bits are the signal, bit 7 the core dump, the next 8 bits the exit code (wait(2),
    /// all Unix systems alike).</summary>
    internal static ProcessExit FromWaitStatus(int status)
    {
        int signal = status & 0x7f;
        return signal == 0 ? Exited((status >> 8) & 0xff) : new ProcessExit(null, signal, (status & 0x80) != 0, false);
    }

    internal ProcessExit WithMemoryKill(bool? verdict) => new(ExitCode, Signal, CoreDumped, verdict);
}
