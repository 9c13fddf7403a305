using System;

namespace BuildHarness;

/// <summary>How a mistake of this program itself is told: in one line, and with its stack trace only to who asks for it.</summary>
internal static class Mistakes
{
    private const string Variable = "BUILDHARNESS_DEBUG";

    /// <summary>Gets a value indicating whether exceptions that nobody expected end the process with a stack trace.</summary>
    public static bool ShowWhere => Environment.GetEnvironmentVariable(Variable) is "1";

    public static string Of(Exception e) => $"a mistake of this program, {e.GetType().Name}: {e.Message} ({Variable}=1 shows where)";
}
