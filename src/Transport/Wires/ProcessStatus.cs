using System;
using System.Diagnostics;
using System.Globalization;
using System.IO;

namespace Transport;

/// <summary>What Linux reports about another process in <c>/proc/PID/stat</c> (proc_pid_stat(5)); elsewhere nothing is known.</summary>
internal static class ProcessStatus
{
    /// <summary>More generations than any wrapper has; a chain of ids that are used anew must not be followed forever.</summary>
    private const int MaxGenerations = 64;

    /// <summary>Checks whether a process is stopped: by SIGSTOP or its kin (state T), not by a debugger (state t).</summary>
    public static bool IsStopped(int process) => Read(process) is { State: 'T' };

    /// <summary>Checks whether a process has exited, though its parent may not have asked for its status yet.</summary>
    public static bool HasExited(int process)
    {
        if (SocketPath.IsLinux)
        {
            return Read(process) is null or { State: 'Z' or 'X' };
        }

        try
        {
            using Process other = Process.GetProcessById(process);
            return other.HasExited;
        }
        catch (Exception e) when (e is ArgumentException or InvalidOperationException or System.ComponentModel.Win32Exception)
        {
            return e is not System.ComponentModel.Win32Exception;
        }
    }

    /// <summary>Checks whether a process is another one, or one that it has started, directly or through others.</summary>
    /// <param name="process">The process.</param>
    /// <param name="ancestor">The other.</param>
    public static bool IsOrDescendsFrom(int process, int ancestor)
    {
        for (int generation = 0; generation < MaxGenerations && process > 1; generation++)
        {
            if (process == ancestor)
            {
                return true;
            }

            process = Read(process)?.Parent ?? 0;
        }

        return false;
    }

    private static (char State, int Parent)? Read(int process)
    {
        if (!SocketPath.IsLinux)
        {
            return null;
        }

        try
        {
            // The name in parentheses may hold anything, parentheses too; state and parent follow the last one.
            string stat = File.ReadAllText(string.Format(CultureInfo.InvariantCulture, "/proc/{0}/stat", process));
            string[] fields = stat.Substring(stat.LastIndexOf(')') + 1).Split([' '], 3, StringSplitOptions.RemoveEmptyEntries);
            return fields.Length == 3 && int.TryParse(fields[1], NumberStyles.None, CultureInfo.InvariantCulture, out int parent)
                ? (fields[0][0], parent)
                : null;
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException)
        {
            return null;   // it has ended
        }
    }
}
