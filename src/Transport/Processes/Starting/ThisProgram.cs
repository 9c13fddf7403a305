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

    /// <summary>Returns the file and the arguments by which this program is started again.</summary>
    /// <param name="arguments">The program's own arguments.</param>
    /// <exception cref="InvalidOperationException">The system does not report where this program stands.</exception>
    public static (string File, string[] Arguments) Again(string[] arguments)
    {
        string self = Path
            ?? throw new InvalidOperationException("The system does not report where this program stands: name it yourself.");
        return !IsRuntime(self) ? (self, arguments)
            : (self, [System.IO.Path.GetFullPath(Environment.GetCommandLineArgs()[0]), .. arguments]);
    }

    /// <summary>Returns whether a file is a runtime that runs programs, and no program itself.</summary>
    /// <param name="file">The file.</param>
    public static bool IsRuntime(string file) => System.IO.Path.GetFileNameWithoutExtension(file) is { } name
        && (name.Equals("dotnet", StringComparison.OrdinalIgnoreCase) || name.Equals("mono", StringComparison.OrdinalIgnoreCase)
            || name.StartsWith("mono-sgen", StringComparison.OrdinalIgnoreCase));
}
