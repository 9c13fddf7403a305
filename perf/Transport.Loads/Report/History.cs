using System;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using System.Text.Encodings.Web;
using System.Text.Json;

namespace Transport.Loads.Report;

/// <summary>The gate's quotients, landing by landing, and one plot of them.</summary>
internal sealed class History
{
    private const double Margin = 1.3;

    private static readonly JsonSerializerOptions s_format = new()
    {
        WriteIndented = true, PropertyNamingPolicy = JsonNamingPolicy.CamelCase, Encoder = JavaScriptEncoder.UnsafeRelaxedJsonEscaping,
    };

    private readonly string _path;
    private readonly List<Landing> _landings;

    /// <summary>Initializes a new instance of the <see cref="History"/> class.</summary>
    /// <param name="path">The file; none yet: an empty history.</param>
    /// <exception cref="LoadException">It cannot be read.</exception>
    public History(string path)
    {
        _path = path;
        try
        {
            _landings = File.Exists(path) ? JsonSerializer.Deserialize<List<Landing>>(File.ReadAllText(path), s_format)! : [];
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException or JsonException)
        {
            throw new LoadException($"{path} cannot be read: {e.Message.ReplaceLineEndings(" ")}");
        }
    }

    /// <summary>Adds a landing behind the others.</summary>
    /// <param name="measured">When, from which commit, on which machine.</param>
    /// <param name="rows">The gate's quotients.</param>
    public void Add(string measured, IReadOnlyDictionary<string, double> rows)
    {
        _landings.Add(new Landing(measured, rows));
        File.WriteAllText(_path, JsonSerializer.Serialize(_landings, s_format) + "\n");
    }

    /// <summary>Draws the course of each row that the last landing has, beside its first value.</summary>
    public Svg Draw()
    {
        (string Row, (int At, double Value)[] Course, string Colour)[] rows = [.. _landings[^1].Rows.Keys
            .Select((row, i) => (row, CourseOf(row), Plots.Colours[i % Plots.Colours.Length]))];
        double most = rows.SelectMany(r => r.Course).Max(p => Math.Max(p.Value, 1 / p.Value)) * Margin;
        int last = _landings.Count - 1;
        var svg = new Svg("The gate's quotients, landing by landing, beside the first",
            $"{_landings[last].Measured.Split(',')[0]}, {last + 1} landings; every row: history.json",
            (-0.3, Math.Max(1, last) * 1.8), (1 / most, most), logX: false);
        for (int i = 0; i < _landings.Count; i++)
        {
            svg.Below(i, _landings[i].Measured.Split(',')[0]);
        }

        foreach ((string _, (int At, double Value)[] course, string colour) in rows)
        {
            for (int i = 1; i < course.Length; i++)
            {
                svg.Line(course[i - 1].At, course[i - 1].Value, course[i].At, course[i].Value, colour);
            }

            svg.Dot(course[^1].At, course[^1].Value, colour);
        }

        svg.Names(last, rows.Select(r => (r.Course[^1].Value, r.Row, r.Colour)));
        return svg;
    }

    private (int At, double Value)[] CourseOf(string row)
    {
        (int At, double Value)[] all = [.. _landings.Select((l, i) => (At: i, Value: l.Rows.GetValueOrDefault(row)))
            .Where(p => p.Value > 0)];
        return Array.ConvertAll(all, p => (p.At, p.Value / all[0].Value));
    }

    private sealed record Landing(string Measured, IReadOnlyDictionary<string, double> Rows);
}
