using System;
using System.Collections.Generic;
using System.Globalization;
using System.Linq;
using Transport.Loads.Measuring;
using Transport.Loads.Rivals;

namespace Transport.Loads.Report;

/// <summary>Whether the rounds of a row belong together: if the first third differs from the last, something changed while it was
/// measured (code that became warm, other work on the machine).</summary>
internal static class Steadiness
{
    /// <summary>How far the thirds may be apart.</summary>
    private const double Most = 1.5;

    /// <summary>Fewer rounds have no thirds worth the name.</summary>
    private const int LeastRounds = 6;

    /// <summary>Less than a byte a packet is nothing, however much of nothing it is.</summary>
    private const double Nothing = 1;

    /// <summary>Says of the columns that the row judges which are not steady.</summary>
    /// <returns>The sentence; null if they are.</returns>
    public static string? Fault(Row row)
    {
        string[] columns = row.Against is { } other ? [Column.Transport, other] : [Column.Transport];
        string[] faults = [.. columns.Select(c => Fault(row, c)).OfType<string>()];
        return faults.Length == 0 ? null : $"not steady: {row.Name}: {string.Join("; ", faults)}";
    }

    private static string? Fault(Row row, string column)
    {
        double[] values = [.. row.Rounds.Where(r => r.ContainsKey(column)).Select(r => r[column])];
        if (values.Length < LeastRounds)
        {
            return null;
        }

        double first = Interval.Of(values.Take(values.Length / 3)).Median, last = Interval.Of(values.TakeLast(values.Length / 3)).Median;
        double low = Math.Min(first, last), high = Math.Max(first, last);
        return high <= low * Most || (row.Unit.StartsWith("B/", StringComparison.Ordinal) && high < Nothing)
            ? null
            : string.Create(CultureInfo.InvariantCulture,
                $"{column} {Table.Number(first)} {row.Unit} in the first third of the rounds, {Table.Number(last)} in the last");
    }
}
