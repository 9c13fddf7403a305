using System;
using System.ComponentModel;
using System.Diagnostics;
using System.IO;
using System.Linq;

namespace Transport.Loads.Scratch;

/// <summary>File systems that are mounted in a folder.</summary>
internal static class Mounts
{
    private const string Table = "/proc/self/mounts";

    /// <summary>Runs a program of the system to its end.</summary>
    /// <returns>Whether it is there and succeeded.</returns>
    public static bool Tool(string program, params string[] arguments)
    {
        try
        {
            using Process tool = Process.Start(new ProcessStartInfo(program, arguments)
            {
                UseShellExecute = false, RedirectStandardError = true, RedirectStandardOutput = true,
            })!;
            tool.StandardError.ReadToEnd();
            tool.WaitForExit();
            return tool.ExitCode == 0;
        }
        catch (Win32Exception)
        {
            return false;
        }
    }

    /// <summary>Unmounts whatever is mounted in a folder; what is still in use goes when it is not any more.</summary>
    /// <returns>Whether nothing is mounted there now.</returns>
    public static bool TryUnmountAllIn(string folder)
    {
        foreach (string point in In(folder).Reverse())   // what was mounted last may stand in what was mounted before
        {
            if (!Tool("umount", point))
            {
                Tool("umount", "-l", point);
            }
        }

        return In(folder).Length == 0;
    }

    private static string[] In(string folder) => File.Exists(Table)
        ? [.. File.ReadLines(Table).Select(l => Plain(l.Split(' ')[1]))
            .Where(p => p == folder || p.StartsWith(folder + "/", StringComparison.Ordinal))]
        : [];

    /// <summary>The kernel writes blanks, tabs, line feeds and backslashes as octal numbers.</summary>
    private static string Plain(string point) => point
        .Replace("\\040", " ", StringComparison.Ordinal)
        .Replace("\\011", "\t", StringComparison.Ordinal)
        .Replace("\\012", "\n", StringComparison.Ordinal)
        .Replace("\\134", "\\", StringComparison.Ordinal);
}
