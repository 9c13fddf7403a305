using System;
using System.Collections.Generic;
using System.Globalization;
using System.Linq;
using BuildHarness.Display;
using Transport;
using Transport.Terminal;

namespace BuildHarness.Building;

/// <summary>How a worker's end is shown: one line that says who, how and on what, and indented ones with the rest of its
/// exit report.</summary>
internal static class ExitBlock
{
    private const int MostRows = 5;
    private const string Indent = "    ", LastPackets = "last packets: ";

    /// <summary>Says who ended and how.</summary>
    /// <returns>For example <c>n2 (pid 4711) was killed SIGABRT, stack overflow</c>.</returns>
    public static string Who(WorkerExit end)
    {
        string how = end.Cause.StartsWith("killed ", StringComparison.Ordinal) ? "was " + end.Cause
            : end.Cause.StartsWith("exit ", StringComparison.Ordinal) ? "ended with " + end.Cause
            : "ended (" + end.Cause + ")";
        string more = end.FatalError is null && end.Explanation is { } known ? $" ({known})" : string.Empty;
        return string.Create(CultureInfo.InvariantCulture, $"{end.Node} (pid {end.ProcessId}) {how}{more}");
    }

    /// <summary>Gives the lines for a person: of the last packets only the last rows, the rest stands in the summary.</summary>
    /// <param name="end">The end.</param>
    /// <param name="first">The first line.</param>
    public static IReadOnlyList<string> Of(WorkerExit end, string first)
    {
        IReadOnlyList<string> all = Whole(end, first);
        int more = all.Count(IsPackets) - MostRows;
        if (more <= 0)
        {
            return all;
        }

        var shown = new List<string>();
        foreach (string line in all)
        {
            if (!IsPackets(line) || more-- <= 0)
            {
                shown.Add(line);
            }
            else if (more == 0)
            {
                shown.Add($"{Indent}{LastPackets}before these {Counted.Of(all.Count(IsPackets) - MostRows, "row")} more: --summary FILE "
                    + "has them");
            }
        }

        return shown;
    }

    /// <summary>Gives all lines, for the log.</summary>
    public static IReadOnlyList<string> Whole(WorkerExit end, string first) =>
        [TerminalText.Escape(first), .. end.Details().Select(line => Indent + TerminalText.Escape(line))];

    private static bool IsPackets(string line) => line.StartsWith(Indent + LastPackets, StringComparison.Ordinal);
}
