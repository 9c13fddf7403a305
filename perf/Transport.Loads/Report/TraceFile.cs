using System;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using System.Text.Json;

namespace Transport.Loads.Report;

/// <summary>A span of a trace.</summary>
/// <param name="Name">What was done.</param>
/// <param name="From">Microseconds from the trace's begin.</param>
/// <param name="To">The end.</param>
internal readonly record struct TraceSpan(string Name, double From, double To);

/// <summary>What a Chrome trace holds: spans by track, and numbers by name.</summary>
internal sealed class TraceFile
{
    private readonly Dictionary<(int Group, int Line), string> _names = [];
    private readonly Dictionary<int, string> _groups = [];
    private readonly Dictionary<(int Group, string Name), List<(double At, double Value)>> _counts = [];

    /// <exception cref="LoadException">It is no trace.</exception>
    public TraceFile(string path)
    {
        var tracks = new SortedDictionary<(int Group, int Line), List<TraceSpan>>();
        try
        {
            using var json = JsonDocument.Parse(File.ReadAllBytes(path));
            if (json.RootElement.ValueKind != JsonValueKind.Object
                || !json.RootElement.TryGetProperty("traceEvents", out JsonElement events) || events.ValueKind != JsonValueKind.Array)
            {
                throw new LoadException($"{path} is no trace that can be read: JSON with an array 'traceEvents' was expected, as --trace "
                    + "of the build harness writes it.");
            }

            foreach (JsonElement e in events.EnumerateArray())
            {
                Take(e, tracks);
            }
        }
        catch (Exception e) when (e is KeyNotFoundException or InvalidOperationException or FormatException)
        {
            throw new LoadException(
                $"{path} is no trace that can be read: an event of it has not the fields that --trace of the build harness writes.");
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException or JsonException)
        {
            throw new LoadException($"{path} is no trace that can be read: {e.Message}");
        }

        // A name says which group it is of only if another group has the same.
        string Full(int group, string name, IEnumerable<string> all) => all.Count(n => n == name) > 1
            ? $"{_groups.GetValueOrDefault(group, "?")} {name}" : name;
        Counts = [.. _counts.Select(c => (Full(c.Key.Group, c.Key.Name, _counts.Keys.Select(k => k.Name)), c.Value))];
        Tracks = [.. tracks.Select(t => (Full(t.Key.Group, _names.GetValueOrDefault(t.Key, "track"), _names.Values),
            (IReadOnlyList<TraceSpan>)[.. t.Value.OrderBy(s => s.From)]))];
    }

    public IReadOnlyList<(string Name, IReadOnlyList<TraceSpan> Spans)> Tracks { get; }

    /// <summary>Gets the numbers that change, by name: when, and from then on what.</summary>
    public IReadOnlyList<(string Name, List<(double At, double Value)> Values)> Counts { get; }

    public double End => Tracks.SelectMany(t => t.Spans).Select(s => s.To).DefaultIfEmpty(1).Max();

    private void Take(JsonElement e, SortedDictionary<(int Group, int Line), List<TraceSpan>> tracks)
    {
        var key = (e.GetProperty("pid").GetInt32(), e.GetProperty("tid").GetInt32());
        string name = e.GetProperty("name").GetString()!;
        double from = e.TryGetProperty("ts", out JsonElement at) ? at.GetDouble() : 0;
        switch (e.GetProperty("ph").GetString())
        {
            case "M" when name == "thread_name":
                _names[key] = e.GetProperty("args").GetProperty("name").GetString()!;
                break;
            case "M" when name == "process_name":
                _groups[key.Item1] = e.GetProperty("args").GetProperty("name").GetString()!;
                break;
            case "X":
                if (!tracks.TryGetValue(key, out List<TraceSpan>? spans))
                {
                    tracks.Add(key, spans = []);
                }

                spans.Add(new TraceSpan(name, from, from + e.GetProperty("dur").GetDouble()));
                break;
            case "C":
                if (!_counts.TryGetValue((key.Item1, name), out List<(double At, double Value)>? values))
                {
                    _counts.Add((key.Item1, name), values = []);
                }

                values.Add((from, e.GetProperty("args").GetProperty("value").GetDouble()));
                break;
        }
    }
}
