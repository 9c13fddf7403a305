using System.Runtime.InteropServices;

namespace Transport.Loads.Measuring;

/// <summary>CPU time in microseconds, as Unix reports it.</summary>
internal static class CpuTime
{
    private const int Self = 0;
    private const int Children = -1;

    /// <summary>Gets this process's. Mono's own figure goes in steps of 10 ms.</summary>
    public static double OfThisProcess() => Of(Self);

    /// <summary>Gets that of this process's ended children, and of theirs; 0 if the system is not Linux.</summary>
    public static double OfChildren() => RuntimeInformation.IsOSPlatform(OSPlatform.Linux) ? Of(Children) : 0;

    private static double Of(int who)
    {
        _ = getrusage(who, out Usages usages);
        return ((usages.UserSeconds + usages.KernelSeconds) * 1e6) + usages.UserMicros + usages.KernelMicros;
    }

    [DllImport("libc")]
    private static extern int getrusage(int who, out Usages usages);

    /// <summary>The head of getrusage's answer on 64 bit Unix; 14 more numbers follow.</summary>
    [StructLayout(LayoutKind.Sequential, Size = 144)]
    private struct Usages
    {
        public long UserSeconds;
        public long UserMicros;
        public long KernelSeconds;
        public long KernelMicros;
    }
}
