using System;
using System.ComponentModel;

namespace BuildHarness;

/// <summary>How a mistake of this program itself is reported: in one line, and with its stack trace only to who asks for it.</summary>
internal static class Mistakes
{
    private const int TryAgain = 11;   // EAGAIN: fork and clone answer it at the limit
    private const string Variable = "BUILDHARNESS_DEBUG";

    /// <summary>Gets a value indicating whether exceptions that nobody expected end the process with a stack trace.</summary>
    public static bool ShowWhere => Environment.GetEnvironmentVariable(Variable) is "1";

    /// <summary>Of what ended this program; a refused thread or process is the system's doing.</summary>
    public static string Of(Exception e) => e is OutOfMemoryException or Win32Exception { NativeErrorCode: TryAgain }
        ? "the system gave it no more memory, or no more threads or processes; raise their number (ulimit -u), or run less beside it."
        : $"a mistake of this program, {e.GetType().Name}: {e.Message} ({Variable}=1 shows where)";
}
