using System;
using System.Collections.Generic;
using System.Globalization;
using System.Linq;
using System.Net;
using System.Text;

namespace Transport.Loads.Report;

/// <summary>A picture of a trace: above, how each thread spent its time in each short piece of the run; below, if there are many, its
/// single calls in a few milliseconds of the middle.</summary>
internal sealed class TracePicture
{
    private const int Left = 230;
    private const int Width = 1000;
    private const int Lane = 54;
    private const int Columns = 250;
    private const double ZoomMicros = 4_000;

    /// <summary>From here on single calls are worth a look.</summary>
    private const int ManyCalls = 1_000;

    private static readonly string[] s_colours = ["#1b6ca8", "#2e8b57", "#d98c00", "#c0392b", "#7d3c98", "#555555", "#b5a642"];

    private readonly StringBuilder _body = new();
    private readonly TraceFile _trace;
    private readonly string[] _names;
    private double _y = 40;

    public TracePicture(TraceFile trace, string title)
    {
        _trace = trace;
        _names = [.. trace.Tracks.SelectMany(t => t.Spans).GroupBy(s => s.Name, StringComparer.Ordinal)
            .OrderByDescending(g => g.Sum(s => s.To - s.From)).Select(g => g.Key)];
        Words(Left, 22, title, 15);
        double end = trace.End;
        Heading(FormattableString.Invariant($"the whole run, {end / 1e3:0} ms; height: share of {end / Columns / 1e3:0.0} ms"));
        foreach ((string name, IReadOnlyList<TraceSpan> spans) in trace.Tracks)
        {
            Shares(name, spans, end);
        }

        foreach ((string name, List<(double At, double Value)> values) in trace.Counts)
        {
            Curve(name, values, end);
        }

        if (trace.Tracks.Sum(t => t.Spans.Count) >= ManyCalls)
        {
            double from = Math.Max(0, (end - ZoomMicros) / 2);
            Heading(FormattableString.Invariant($"single calls, {from / 1e3:0.0} to {(from + ZoomMicros) / 1e3:0.0} ms"));
            foreach ((string name, IReadOnlyList<TraceSpan> spans) in trace.Tracks.Where(
                t => t.Spans.Any(s => s.To > from && s.From < from + ZoomMicros)))
            {
                Single(name, spans, from);
            }
        }

        Legend();
    }

    public override string ToString() => string.Create(
        CultureInfo.InvariantCulture,
        $"""<svg xmlns="http://www.w3.org/2000/svg" width="{Left + Width
            + 20}" height="{_y:0}" font-family="sans-serif" font-size="12"><rect width="100%" height="100%" fill="white"/>""") + "\n"
            + _body + "</svg>\n";

    private void Shares(string name, IReadOnlyList<TraceSpan> spans, double end)
    {
        double[,] share = new double[Columns, _names.Length];
        double step = end / Columns;
        foreach (TraceSpan span in spans)
        {
            for (int c = (int)(span.From / step); c < Columns && c * step < span.To; c++)
            {
                share[c, Index(span.Name)] += Math.Max(0, Math.Min(span.To, (c + 1) * step) - Math.Max(span.From, c * step)) / step;
            }
        }

        Track(name);
        for (int c = 0; c < Columns; c++)
        {
            double top = _y + Lane - 6;
            for (int n = 0; n < _names.Length; n++)
            {
                double height = share[c, n] * (Lane - 8);
                if (height >= 0.05)
                {
                    top -= height;
                    Box(Left + (c * (double)Width / Columns), top, (double)Width / Columns, height, Colour(n));
                }
            }
        }

        _y += Lane;
    }

    private void Single(string name, IReadOnlyList<TraceSpan> spans, double from)
    {
        Track(name);
        foreach (TraceSpan span in spans.Where(s => s.To > from && s.From < from + ZoomMicros))
        {
            double x = Math.Max(0, span.From - from) * Width / ZoomMicros;
            double to = Math.Min(ZoomMicros, span.To - from) * Width / ZoomMicros;
            Box(Left + x, _y + 2, Math.Max(0.2, to - x), Lane - 8, Colour(Index(span.Name)));
        }

        _y += Lane;
    }

    private void Curve(string name, List<(double At, double Value)> values, double end)
    {
        double most = Math.Max(1, values.Max(v => v.Value));
        Track($"{name}, up to {Table.Number(values.Max(v => v.Value))}");
        double step = end / Columns;
        var line = new StringBuilder();
        foreach (IGrouping<int, (double At, double Value)> column in values.GroupBy(v => (int)(v.At / step)))
        {
            double x = Left + (column.Key * (double)Width / Columns), y = _y + Lane - 6 - (column.Max(v => v.Value) / most * (Lane - 12));
            line.Append(CultureInfo.InvariantCulture, $"{x:0.#},{y:0.#} ");
        }

        _body.Append(CultureInfo.InvariantCulture, $"""<polyline points="{line}" fill="none" stroke="#333" stroke-width="1.2"/>""")
            .AppendLine();
        _y += Lane;
    }

    private void Heading(string words)
    {
        _y += 20;
        Words(Left, _y - 5, words, 12);
    }

    private void Track(string name)
    {
        Words(4, _y + 12, name, 10);
        _body.Append(CultureInfo.InvariantCulture,
            $"""<rect x="{Left}" y="{_y:0.#}" width="{Width}" height="{Lane - 4}" fill="#f4f4f4"/>""").AppendLine();
    }

    private void Legend()
    {
        _y += 16;
        double x = Left;
        foreach (string name in _names)
        {
            TraceSpan[] spans = [.. _trace.Tracks.SelectMany(t => t.Spans).Where(s => s.Name == name)];
            string words = FormattableString.Invariant($"{name}: {spans.Length:N0}, {spans.Sum(s => s.To - s.From) / 1e3:0.#} ms");
            Box(x, _y - 10, 11, 11, Colour(Index(name)));
            Words(x + 15, _y, words, 11);
            x += 30 + (words.Length * 6.2);
            if (x > Left + Width - 150)
            {
                (x, _y) = (Left, _y + 18);
            }
        }

        _y += 18;
    }

    private int Index(string name) => Array.IndexOf(_names, name);

    private static string Colour(int name) => s_colours[name % s_colours.Length];

    private void Box(double x, double y, double width, double height, string colour) =>
        _body.Append(CultureInfo.InvariantCulture,
            $"""<rect x="{x:0.##}" y="{y:0.##}" width="{width:0.##}" height="{height:0.##}" fill="{colour}"/>""").AppendLine();

    private void Words(double x, double y, string words, int size) =>
        _body.Append(CultureInfo.InvariantCulture,
            $"""<text x="{x:0.#}" y="{y:0.#}" font-size="{size}">{WebUtility.HtmlEncode(words)}</text>""").AppendLine();
}
