using System;
using System.Diagnostics;

namespace Transport;

/// <summary>What this process was started from.</summary>
internal static class ThisProgram
{
    /// <summary>Gets the file that the system runs; null if it does not report that.</summary>
    public static string? Path
    {
        get
        {
            using var self = Process.GetCurrentProcess();
            return self.MainModule?.FileName;
        }
    }

    /// <summary>Returns whether a file is a runtime that runs programs, and no program itself.</summary>
    /// <param name="file">The file.</param>
    public static bool IsRuntime(string file) => System.IO.Path.GetFileNameWithoutExtension(file) is { } name
        && (name.Equals("dotnet", StringComparison.OrdinalIgnoreCase) || name.Equals("mono", StringComparison.OrdinalIgnoreCase)
            || name.StartsWith("mono-sgen", StringComparison.OrdinalIgnoreCase));
}
