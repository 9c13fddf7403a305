using System;
using System.ComponentModel;
using System.Diagnostics;
using System.Globalization;
using System.IO;

namespace Transport;

/// <summary>How much memory a worker's process takes.</summary>
internal static class WorkerMemory
{
    /// <summary>Returns the bytes of its resident set (on Linux from /proc/PID/statm, whose second number counts pages); null if the system
    /// does not say, or the process has exited.</summary>
    public static long? Of(int processId)
    {
        try
        {
            if (!Libc.IsLinux)
            {
                using Process process = Process.GetProcessById(processId);
                return process.WorkingSet64;
            }

            // Not by Process: once it was used, .NET waits for children itself.
            string[] pages = File.ReadAllText(FormattableString.Invariant($"/proc/{processId}/statm")).Split(' ');
            return pages.Length > 1 && long.TryParse(pages[1], NumberStyles.None, CultureInfo.InvariantCulture, out long resident)
                ? resident * Environment.SystemPageSize : null;
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException or ArgumentException or InvalidOperationException
            or NotSupportedException or Win32Exception)
        {
            return null;
        }
    }
}
