using System.Runtime.InteropServices;

namespace Transport.Loads.Workers;

/// <summary>The process that started this one; another one's id as soon as that has ended.</summary>
internal static class ParentProcess
{
    /// <summary>Gets its id; always 0 if the system is not Linux.</summary>
    public static int Id() => RuntimeInformation.IsOSPlatform(OSPlatform.Linux) ? getppid() : 0;

    [DllImport("libc")]
    private static extern int getppid();
}
