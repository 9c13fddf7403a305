using System;
using System.Collections.Generic;
using System.Globalization;
using System.Linq;
using BuildHarness.Display;
using Transport.Nodes;

namespace BuildHarness.Building;

/// <summary>How a worker's end is shown: one line that says who, how and on what, and indented ones with the rest of its certificate.</summary>
internal static class DeathBlock
{
    /// <summary>Says who ended and how.</summary>
    /// <returns>For example <c>n2 (pid 4711) was killed SIGABRT (stack overflow)</c>.</returns>
    public static string Who(DeathCertificate end)
    {
        string how = end.Cause.StartsWith("killed ", StringComparison.Ordinal) ? "was " + end.Cause
            : end.Cause.StartsWith("exit ", StringComparison.Ordinal) ? "ended with " + end.Cause
            : "ended (" + end.Cause + ")";
        string more = end.Explanation is { } known ? $" ({known})" : string.Empty;
        return string.Create(CultureInfo.InvariantCulture, $"{end.Node} (pid {end.ProcessId}) {how}{more}");
    }

    /// <param name="end">The end.</param>
    /// <param name="first">The first line.</param>
    public static IReadOnlyList<string> Of(DeathCertificate end, string first) =>
        [OneLine.Escape(first), .. end.Details().Select(line => "    " + OneLine.Escape(line))];
}
