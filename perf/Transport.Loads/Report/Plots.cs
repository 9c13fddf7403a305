using System;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using Transport.Loads.Rivals;

namespace Transport.Loads.Report;

/// <summary>Plots of the rows: every round of every column if columns are compared, and cost over size or workers if rows belong
/// together.</summary>
internal static class Plots
{
    /// <summary>The colours of lines and dots, in their order.</summary>
    public static readonly string[] Colours =
        ["#1b6ca8", "#555555", "#2e8b57", "#c0392b", "#d98c00", "#7d3c98", "#0e7c7b", "#8b5a2b", "#c2185b"];

    /// <summary>Writes them. A plot that cannot be made or written takes none of the others with it.</summary>
    /// <param name="folder">Where they go.</param>
    /// <param name="machine">What was measured on.</param>
    /// <param name="rows">What was measured.</param>
    /// <returns>Which plots are missing, and why.</returns>
    public static IReadOnlyList<string> Write(string folder, Machine machine, IReadOnlyList<Row> rows)
    {
        Directory.CreateDirectory(folder);
        var missing = new List<string>();
        foreach (Row row in rows.Where(r => Used(r).Length > 1))
        {
            Save(missing, folder, row.Name, () => Rounds(row, machine));
        }

        foreach (var plot in rows.Where(r => r.Place is not null).GroupBy(r => (r.Scenario, r.Place!.Value.Plot, r.Unit)))
        {
            Row[] points = [.. plot.OrderBy(r => r.Place!.Value.X)];
            if (points.Length > 1)
            {
                Save(missing, folder, $"{plot.Key.Scenario}: {plot.Key.Plot}", () =>
                    Lines($"{plot.Key.Scenario}: {plot.Key.Plot}, {plot.Key.Unit}", points, machine));
            }
        }

        return missing;
    }

    private static string[] Used(Row row) =>
        [.. Column.Of(row.Scenario).Where(c => row.Rounds.Any(r => r.TryGetValue(c, out double v) && IsOnScale(v)))];

    /// <summary>The scales are logarithmic.</summary>
    private static bool IsOnScale(double? value) => value > 0 && double.IsFinite(value.Value);

    private static Svg Rounds(Row row, Machine machine)
    {
        string[] columns = Used(row);
        double[] all = [.. row.Rounds.SelectMany(r => columns.Where(r.ContainsKey).Select(c => r[c])).Where(v => IsOnScale(v))];
        var svg = new Svg($"{row.Name}, {row.Unit}", $"each dot a round, the line its median; {machine}", (-0.5, columns.Length - 0.5),
            (all.Min() * 0.8, all.Max() * 1.25), logX: false);
        for (int i = 0; i < columns.Length; i++)
        {
            string colour = Colour(Column.Of(row.Scenario), columns[i]);
            double median = row.Median(columns[i])!.Value;
            for (int r = 0; r < row.Rounds.Count; r++)
            {
                if (row.Rounds[r].TryGetValue(columns[i], out double value) && IsOnScale(value))
                {
                    svg.Dot(i - 0.2 + (0.4 * (r + 0.5) / row.Rounds.Count), value, colour);
                }
            }

            if (IsOnScale(median))
            {
                svg.Line(i - 0.25, median, i + 0.25, median, colour);
                svg.Beside(i + 0.22, median, Table.Number(median));
            }

            svg.Below(i, columns[i]);
        }

        return svg;
    }

    private static Svg Lines(string title, Row[] points, Machine machine)
    {
        string[] known = Column.Of(points[0].Scenario);
        string[] columns = [.. known.Where(c => points.All(p => IsOnScale(p.Median(c))))];
        double[] all = [.. points.SelectMany(p => columns.Select(c => p.Median(c)!.Value))];
        double X(int i) => points[i].Place!.Value.X;
        var svg = new Svg(title, $"medians; {machine}", (X(0) * 0.8, X(points.Length - 1) * 1.6), (all.Min() * 0.7, all.Max() * 1.4),
            logX: true);
        for (int i = 0; i < points.Length; i++)
        {
            svg.Below(X(i), Table.Number(X(i)));
            foreach (string column in columns)
            {
                double y = points[i].Median(column)!.Value;
                svg.Dot(X(i), y, Colour(known, column));
                if (i > 0)
                {
                    svg.Line(X(i - 1), points[i - 1].Median(column)!.Value, X(i), y, Colour(known, column));
                }

                svg.Beside(X(i), y, i == points.Length - 1 ? column : Table.Number(y));
            }
        }

        return svg;
    }

    private static string Colour(string[] columns, string column) =>
        Colours[Math.Max(0, Array.IndexOf(columns, column)) % Colours.Length];

    private static void Save(List<string> missing, string folder, string name, Func<Svg> plot)
    {
        string file = string.Concat(name.ToLowerInvariant().Select(c => char.IsAsciiLetterOrDigit(c) ? c : '-'));
        while (file.Contains("--", StringComparison.Ordinal))
        {
            file = file.Replace("--", "-", StringComparison.Ordinal);
        }

        try
        {
            File.WriteAllText(Path.Combine(folder, file.Trim('-') + ".svg"), plot().ToString());
        }
        catch (Exception e)
        {
            // whatever it is, the others are drawn
            missing.Add($"the plot of {name}: {e.GetType().Name}: {e.Message}");
        }
    }
}
