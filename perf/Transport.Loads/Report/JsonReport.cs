using System;
using System.Collections.Generic;
using System.IO;
using System.IO.Compression;
using System.Linq;
using System.Text.Json;
using Transport.Loads.Rivals;

namespace Transport.Loads.Report;

/// <summary>What a run measured, as JSON: <c>{machine, run, broken, scenarios: [{name, metric, unit, a median a column, kind, ratio, low,
/// high, against, target, holds, notMeasured, notSteady, plot, rounds}]}</c>; null if a column does not apply.</summary>
/// <remarks>A row that is compared with something that is no column (one worker, .NET 10) has that as one more property, in its rounds too.
/// <c>low</c> and <c>high</c> are the ends of the 90 % interval of what <c>kind</c> says: the quotient (<c>ratio</c>), the difference or
/// the value. What is computed from the rounds is there for other programs: <see cref="Read"/> computes it again.</remarks>
internal static class JsonReport
{
    /// <summary>Writes them.</summary>
    /// <param name="path">The file; compressed by gzip if its name ends with <c>.gz</c>.</param>
    /// <param name="results">What the run measured.</param>
    public static void Write(string path, Results results)
    {
        RunStamp stamp = results.Stamp;
        using FileStream file = File.Create(path);
        using Stream output = IsCompressed(path) ? new GZipStream(file, CompressionLevel.SmallestSize) : file;
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
        json.WriteNumber("rounds", results.Rounds);
        json.WriteBoolean("quick", results.IsQuick);
        json.WriteEndObject();
        json.WriteStartArray("broken");
        foreach (string fault in results.Broken)
        {
            json.WriteStringValue(fault);
        }

        json.WriteEndArray();
        json.WriteStartArray("scenarios");
        foreach (Row row in results.Rows)
        {
            Write(json, row);
        }

        json.WriteEndArray();
        json.WriteEndObject();
    }

    /// <summary>Reads what <see cref="Write(string, Results)"/> has written.</summary>
    /// <param name="path">The file.</param>
    /// <exception cref="LoadException">It cannot be read, or is something else.</exception>
    public static Results Read(string path)
    {
        try
        {
            using FileStream file = File.OpenRead(path);
            using Stream input = IsCompressed(path) ? new GZipStream(file, CompressionMode.Decompress) : file;
            using var json = JsonDocument.Parse(input);
            JsonElement machine = json.RootElement.GetProperty("machine"), run = json.RootElement.GetProperty("run");
            var stamp = new RunStamp(
                new Machine(machine.GetProperty("cores").GetInt32(), Text(machine, "cpu"), Text(machine, "os"), Text(machine, "runtime")),
                Text(run, "date"), Text(run, "commit"), Text(run, "command"), Text(run, "load"));
            return new Results(stamp, run.GetProperty("rounds").GetInt32(), run.GetProperty("quick").GetBoolean(),
                [.. json.RootElement.GetProperty("scenarios").EnumerateArray().Select(Read)],
                [.. json.RootElement.GetProperty("broken").EnumerateArray().Select(fault => fault.GetString()!)]);
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException or InvalidDataException)
        {
            throw new LoadException($"{path} cannot be read: {e.Message}");
        }
        catch (Exception e) when (e is JsonException or KeyNotFoundException or InvalidOperationException or FormatException
            or ArgumentException)
        {
            throw new LoadException($"{path} is nothing that --json has written: {e.Message}");
        }
    }

    private static Row Read(JsonElement row)
    {
        var rounds = new List<IReadOnlyDictionary<string, double>>();
        foreach (JsonElement round in row.GetProperty("rounds").EnumerateArray())
        {
            rounds.Add(round.EnumerateObject().Where(column => column.Value.ValueKind == JsonValueKind.Number)
                .ToDictionary(column => column.Name, column => column.Value.GetDouble(), StringComparer.Ordinal));
        }

        JsonElement holds = row.GetProperty("holds");
        return new Row(Text(row, "name"), Text(row, "metric"), Text(row, "unit"), rounds, row.GetProperty("against").GetString(),
            Enum.Parse<TargetKind>(Text(row, "kind")))
        {
            TargetText = row.GetProperty("target").GetString(),
            Holds = holds.ValueKind == JsonValueKind.Null ? null : holds.GetBoolean(),
            Why = row.GetProperty("notMeasured").GetString(),
            Place = row.TryGetProperty("plot", out JsonElement plot) ? (Text(plot, "name"), plot.GetProperty("x").GetDouble()) : null,
        };
    }

    private static string Text(JsonElement of, string name) =>
        of.GetProperty(name).GetString() ?? throw new FormatException($"{name} is null");

    private static bool IsCompressed(string path) => path.EndsWith(".gz", StringComparison.Ordinal);

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

        json.WriteString("kind", row.Kind.ToString());
        Write(json, "ratio", row.Kind == TargetKind.Ratio ? row.Compared?.Median : null);
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
        if (row.Place is { } place)
        {
            json.WriteStartObject("plot");
            json.WriteString("name", place.Plot);
            json.WriteNumber("x", place.X);
            json.WriteEndObject();
        }

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
