using System.Collections.Generic;
using System.Linq;

namespace Transport.Loads.Report;

/// <summary>What the targets come to, in sentences and as an exit code.</summary>
internal static class Verdict
{
    /// <summary>Reports how many hold, then each that does not, each that was not measured, each scenario that broke.</summary>
    public static IEnumerable<string> Lines(IReadOnlyList<Row> rows, IReadOnlyList<string> broken, bool quick = false)
    {
        Row[] judged = [.. rows.Where(r => r.Holds is not null)];
        yield return $"{judged.Count(r => r.Holds == true)} of {judged.Length} targets "
            + $"hold{(quick ? ", with the wide limits of --quick: no statement about speed" : string.Empty)}.";
        foreach (Row row in judged.Where(r => r.Holds == false))
        {
            yield return $"does not hold: {row.Name} ({row.TargetText})";
        }

        foreach (Row row in rows.Where(r => r.TargetText is not null && r.Holds is null))
        {
            yield return $"not measured: {row.Name} ({row.Why ?? "no value"})";
        }

        foreach (string fault in broken)
        {
            yield return "FAILED: " + fault;
        }
    }

    /// <summary>Gives the exit code: 1 if a scenario broke, and under --check if a target does not hold. What could not be measured
    /// is no fault.</summary>
    public static int ExitCode(bool check, IReadOnlyList<Row> rows, IReadOnlyList<string> broken) =>
        broken.Count > 0 || (check && rows.Any(r => r.Holds == false)) ? 1 : 0;
}
