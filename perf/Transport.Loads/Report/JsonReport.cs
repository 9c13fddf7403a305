using System.Collections.Generic;
using System.IO;
using System.Text.Json;
using Transport.Loads.Measuring;
using Transport.Loads.Rivals;

namespace Transport.Loads.Report;

/// <summary>The rows as JSON: <c>{machine, scenarios: [{name, metric, unit, a median a column, ratio, against, target, holds, rounds}]}</c>; null where a column does not apply.</summary>
internal static class JsonReport
{
    public static void Write(string path, Machine machine, IReadOnlyList<Row> rows)
    {
        using FileStream file = File.Create(path);
        using var json = new Utf8JsonWriter(file, new JsonWriterOptions { Indented = true, Encoder = System.Text.Encodings.Web.JavaScriptEncoder.UnsafeRelaxedJsonEscaping });
        json.WriteStartObject();
        json.WriteStartObject("machine");
        json.WriteNumber("cores", machine.Cores);
        json.WriteString("cpu", machine.Cpu);
        json.WriteString("os", machine.Os);
        json.WriteString("runtime", machine.Runtime);
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
        json.WriteStartObject();
        json.WriteString("name", row.Scenario);
        json.WriteString("metric", row.Metric);
        json.WriteString("unit", row.Unit);
        foreach (string column in Column.All)
        {
            Write(json, column, row.Median(column));
        }

        Write(json, "ratio", row.Target?.Kind is TargetKind.Difference or TargetKind.Value ? null : row.Compared?.Median);
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

        json.WriteStartArray("rounds");
        foreach (IReadOnlyDictionary<string, double> round in row.Rounds)
        {
            json.WriteStartObject();
            foreach (string column in Column.All)
            {
                Write(json, column, round.TryGetValue(column, out double value) ? value : null);
            }

            json.WriteEndObject();
        }

        json.WriteEndArray();
        json.WriteEndObject();
    }

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
