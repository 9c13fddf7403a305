using System.Runtime.InteropServices;

namespace Transport.Loads.Measuring;

/// <summary>CPU time of this process's ended children, and of theirs.</summary>
internal static class ChildTime
{
    private const int Children = -1;

    /// <summary>Gets it in microseconds; 0 where the system does not tell (Windows).</summary>
    public static double Micros()
    {
        if (!System.OperatingSystem.IsLinux())
        {
            return 0;
        }

        _ = getrusage(Children, out Usages usages);
        return ((usages.UserSeconds + usages.KernelSeconds) * 1e6) + usages.UserMicros + usages.KernelMicros;
    }

    [DllImport("libc")]
    private static extern int getrusage(int who, out Usages usages);

    /// <summary>The head of getrusage's answer on 64 bit Linux; 14 more numbers follow.</summary>
    [StructLayout(LayoutKind.Sequential, Size = 144)]
    private struct Usages
    {
        public long UserSeconds;
        public long UserMicros;
        public long KernelSeconds;
        public long KernelMicros;
    }
}
