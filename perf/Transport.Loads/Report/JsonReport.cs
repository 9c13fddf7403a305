using System;
using System.Collections.Generic;
using System.IO;
using System.IO.Compression;
using System.Text.Json;
using Transport.Loads.Rivals;

namespace Transport.Loads.Report;

/// <summary>The rows as JSON: <c>{machine, run, scenarios: [{name, metric, unit, a median a column, ratio, against, target, holds,
/// rounds}]}</c>; null if a column does not apply.</summary>
/// <remarks>A row that is compared with something that is no column (one worker, .NET 10) has that as one more property, in its rounds too.
/// <c>low</c> and <c>high</c> are the ends of the 90 % interval of what the target speaks of: of <c>ratio</c> if there is one.</remarks>
internal static class JsonReport
{
    /// <summary>Writes the rows.</summary>
    /// <param name="path">The file; compressed by gzip if its name ends with <c>.gz</c>.</param>
    /// <param name="stamp">When and where it was measured.</param>
    /// <param name="rows">What.</param>
    public static void Write(string path, RunStamp stamp, IReadOnlyList<Row> rows)
    {
        using FileStream file = File.Create(path);
        bool isCompressed = path.EndsWith(".gz", StringComparison.Ordinal);
        using Stream output = isCompressed ? new GZipStream(file, CompressionLevel.SmallestSize) : file;
        using var json = new Utf8JsonWriter(output, new JsonWriterOptions
        {
            Indented = true, Encoder = System.Text.Encodings.Web.JavaScriptEncoder.UnsafeRelaxedJsonEscaping,
        });
        json.WriteStartObject();
        json.WriteStartObject("machine");
        json.WriteNumber("cores", stamp.Machine.Cores);
        json.WriteString("cpu", stamp.Machine.Cpu);
        json.WriteString("os", stamp.Machine.Os);
        json.WriteString("runtime", stamp.Machine.Runtime);
        json.WriteEndObject();
        json.WriteStartObject("run");
        json.WriteString("date", stamp.Date);
        json.WriteString("commit", stamp.Commit);
        json.WriteString("command", stamp.Command);
        json.WriteString("load", stamp.Load);
        json.WriteEndObject();
        json.WriteStartArray("scenarios");
        foreach (Row row in rows)
        {
            Write(json, row);
        }

        json.WriteEndArray();
        json.WriteEndObject();
    }

    private static void Write(Utf8JsonWriter json, Row row)
    {
        string[] columns = Columns(row);
        json.WriteStartObject();
        json.WriteString("name", row.Scenario);
        json.WriteString("metric", row.Metric);
        json.WriteString("unit", row.Unit);
        foreach (string column in columns)
        {
            Write(json, column, row.Median(column));
        }

        Write(json, "ratio", row.Target?.Kind is TargetKind.Difference or TargetKind.Value ? null : row.Compared?.Median);
        Write(json, "low", row.Compared?.Low);
        Write(json, "high", row.Compared?.High);
        json.WriteString("against", row.Against);
        json.WriteString("target", row.TargetText);
        if (row.Holds is { } holds)
        {
            json.WriteBoolean("holds", holds);
        }
        else
        {
            json.WriteNull("holds");
        }

        json.WriteString("notMeasured", row.Why);
        json.WriteString("notSteady", row.NotSteady);
        json.WriteStartArray("rounds");
        foreach (IReadOnlyDictionary<string, double> round in row.Rounds)
        {
            json.WriteStartObject();
            foreach (string column in columns)
            {
                Write(json, column, round.TryGetValue(column, out double value) ? value : null);
            }

            json.WriteEndObject();
        }

        json.WriteEndArray();
        json.WriteEndObject();
    }

    private static string[] Columns(Row row) =>
        row.Against is { } other && Array.IndexOf(Column.Of(row.Scenario), other) < 0 ? [.. Column.Of(row.Scenario), other]
            : Column.Of(row.Scenario);

    private static void Write(Utf8JsonWriter json, string name, double? value)
    {
        if (value is { } number && double.IsFinite(number))
        {
            json.WriteNumber(name, number);
        }
        else
        {
            json.WriteNull(name);
        }
    }
}
