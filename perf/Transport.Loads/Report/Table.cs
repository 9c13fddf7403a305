using System;
using System.Collections.Generic;
using System.Globalization;
using System.IO;
using System.Linq;
using Transport.Loads.Measuring;
using Transport.Loads.Rivals;

namespace Transport.Loads.Report;

/// <summary>The rows as a Markdown table, which is readable as it is and can be committed.</summary>
internal static class Table
{
    public static void Write(TextWriter output, IReadOnlyList<Row> rows)
    {
        foreach (IGrouping<string, Row> alike in rows.GroupBy(r => string.Join(' ', Column.Of(r.Scenario))))
        {
            if (!ReferenceEquals(alike.First(), rows[0]))
            {
                output.WriteLine();   // a table of other columns is one of its own
            }

            WriteAlike(output, [.. alike]);
        }

        string[] faults = [.. rows.Select(r => r.NotSteady).OfType<string>()];
        if (faults.Length > 0)
        {
            output.WriteLine();
            Array.ForEach(faults, f => output.WriteLine("- " + f));
        }
    }

    private static void WriteAlike(TextWriter output, IReadOnlyList<Row> rows)
    {
        string[] heads = ["scenario", "metric", "unit", .. Column.Of(rows[0].Scenario), "ratio (90 %)", "target", "holds"];
        List<string[]> cells = [heads, .. rows.Select(Cells)];
        int[] widths = [.. heads.Select((_, i) => cells.Max(line => line[i].Length))];
        for (int i = 0; i < cells.Count; i++)
        {
            output.WriteLine("| "
                + string.Join(" | ", cells[i].Select((cell, c) => c < 3 ? cell.PadRight(widths[c]) : cell.PadLeft(widths[c]))) + " |");
            if (i == 0)
            {
                output.WriteLine("|" + string.Join('|', widths.Select((w, c) => new string('-', w + 1) + (c < 3 ? "-" : ":"))) + "|");
            }
        }
    }

    /// <summary>A number with three or four figures that matter.</summary>
    public static string Number(double value)
    {
        double size = Math.Abs(value);
        string format = size switch
        {
            >= 1000 => "#,0",
            >= 100 => "0",
            >= 10 => "0.0",
            >= 0.1 => "0.00",
            0 => "0",
            _ => "0.0000",
        };
        return value.ToString(format, CultureInfo.InvariantCulture);
    }

    private static string[] Cells(Row row) =>
    [
        row.Scenario,
        row.Metric,
        row.Unit,
        .. Column.Of(row.Scenario).Select(c => row.Median(c) is { } median ? Number(median) : "-"),
        Compared(row),
        row.TargetText ?? string.Empty,
        row.Holds switch { true => "yes", false => "NO", _ => row.Why is { } why ? $"not measured: {why}" : row.TargetText is null
            ? string.Empty : "not measured" },
    ];

    private static string Compared(Row row)
    {
        if (row.Compared is not { } c)
        {
            return string.Empty;
        }

        string against = row.Against is null ? string.Empty : " " + row.Against;
        if (row.Against is { } other && Array.IndexOf(Column.Of(row.Scenario), other) < 0 && row.Median(other) is { } median)
        {
            against = $" {other} ({Number(median)})";
        }

        string what = row.Kind switch { TargetKind.Difference => "+", TargetKind.Value => "=", _ => "x" };
        return string.Create(CultureInfo.InvariantCulture, $"{what} {Number(c.Median)} [{Number(c.Low)}, {Number(c.High)}]{against}");
    }
}
