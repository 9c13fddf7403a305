using System;
using System.Globalization;
using System.IO;
using System.Linq;
using System.Runtime.InteropServices;

namespace Transport.Chaos;

/// <summary>What .NET does not do to a process.</summary>
internal static partial class Native
{
    public const int Kill = 9, Segmentation = 11, Terminate = 15, Continue = 18, Stop = 19;

    private const int ReadAndWrite = 2;

    public static void Signal(int process, int signal) => _ = kill(process, signal);

    /// <summary>Reads where nothing is mapped, in code that is not the runtime's: SIGSEGV.</summary>
    public static void Fault() => _ = strlen(8);

    /// <summary>Gives a file a second name.</summary>
    /// <exception cref="IOException">The system could not.</exception>
    public static void Link(string from, string to)
    {
        if (link(from, to) != 0)
        {
            throw new IOException($"link {from} {to}: {Marshal.GetLastPInvokeErrorMessage()}");
        }
    }

    /// <summary>Ends this process without any farewell.</summary>
    public static void Leave(int code) => _exit(code);

    /// <summary>Shuts down every socket of this process; what is no connected socket stays as it is.</summary>
    public static void ShutDownSockets()
    {
        foreach (string path in Directory.GetFileSystemEntries("/proc/self/fd"))
        {
            _ = shutdown(int.Parse(Path.GetFileName(path), CultureInfo.InvariantCulture), ReadAndWrite);
        }
    }

    /// <summary>Counts this process's sockets, pipes and handles of processes; not its files, which the runtime opens as it needs
    /// them.</summary>
    public static int Descriptors() => Directory.GetFileSystemEntries("/proc/self/fd").Count(path =>
        new FileInfo(path).LinkTarget is { } target && (target.StartsWith("socket:", StringComparison.Ordinal)
            || target.StartsWith("pipe:", StringComparison.Ordinal) || target.Contains("pidfd", StringComparison.Ordinal)));

    [LibraryImport("libc")]
    private static partial int kill(int process, int signal);

    [LibraryImport("libc")]
    private static partial nint strlen(nint text);

    [LibraryImport("libc", SetLastError = true, StringMarshalling = StringMarshalling.Utf8)]
    private static partial int link(string from, string to);

    [LibraryImport("libc")]
    private static partial void _exit(int code);

    [LibraryImport("libc")]
    private static partial int shutdown(int socket, int how);
}
