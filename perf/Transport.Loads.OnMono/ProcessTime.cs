using System.Runtime.InteropServices;

namespace Transport.Loads.Measuring;

/// <summary>CPU time of this process in microseconds: Mono's own figure goes in steps of 10 ms.</summary>
internal static class ProcessTime
{
    private const int Self = 0;

    public static double Micros()
    {
        getrusage(Self, out Usages usages);
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
