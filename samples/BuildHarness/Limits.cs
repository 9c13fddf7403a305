using System;
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
using System.Threading;

namespace BuildHarness;

/// <summary>
/// What the system must allow, looked at before anything else: with too few file descriptors or threads, the runtime itself fails at some
/// later point, with a stack trace, an abort or nothing at all.
/// </summary>
/// <remarks>Nothing in here may load an assembly, a culture or the console, because each needs descriptors.</remarks>
internal static class Limits
{
    /// <summary>Measured with two processors: extract needs 62, run 88, build with two nodes 192.</summary>
    public const ulong Descriptors = 128, BuildDescriptors = 256;

    /// <summary>Measured: extract and run need 14 at once, besides those that the runtime starts with.</summary>
    public const int Threads = 24;

    private const int Processes = 6, OpenFiles = 7;   // RLIMIT_NPROC, RLIMIT_NOFILE
    private const int StackBytes = 64 << 10;

    /// <summary>Reports what is not enough.</summary>
    /// <returns>The line for stderr, or null: there is enough.</returns>
    public static string? Shortage(string[] args)
    {
        if (!OperatingSystem.IsLinux())
        {
            return null;
        }

        ulong least = args.Length > 0 && args[0] == "build" ? BuildDescriptors : Descriptors;
        if (Of(OpenFiles) is var files && files < least)
        {
            return "buildharness: only " + Text(files) + " file descriptors are allowed (ulimit -n), and it needs at least " + Text(least)
                + ".";
        }

        return Of(Processes) is var processes && processes != ulong.MaxValue ? ShortageOfThreads(processes) : null;
    }

    /// <summary>The limit holds for all of a user's processes together, so the only way to know is to try.</summary>
    [MethodImpl(MethodImplOptions.NoInlining)]
    private static string? ShortageOfThreads(ulong limit)
    {
        var started = new Thread[Threads];
        int count = 0;
        using var over = new ManualResetEventSlim();
        try
        {
            for (; count < started.Length; count++)
            {
                started[count] = new Thread(() => over.Wait(), StackBytes) { IsBackground = true };
                started[count].Start();
            }

            return null;
        }
        catch (OutOfMemoryException)
        {
            return "buildharness: the system gave it " + Text((ulong)count) + " threads, and it needs " + Text(Threads)
                + ": this user's processes may have " + Text(limit) + " together (ulimit -u), or there is no memory left.";
        }
        finally
        {
            over.Set();
            for (int i = 0; i < count; i++)
            {
                started[i].Join();
            }
        }
    }

    private static ulong Of(int resource) => getrlimit(resource, out Pair limit) == 0 ? limit.Soft : ulong.MaxValue;

    private static string Text(ulong number) => number.ToString((IFormatProvider?)null);

    [DllImport("libc")]
    private static extern int getrlimit(int resource, out Pair limit);

    [StructLayout(LayoutKind.Sequential)]
    private struct Pair
    {
        public ulong Soft, Hard;
    }
}
