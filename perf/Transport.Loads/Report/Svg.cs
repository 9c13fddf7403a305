using System;
using System.Collections.Generic;
using System.Globalization;
using System.Linq;
using System.Net;
using System.Text;

namespace Transport.Loads.Report;

/// <summary>One plot: a frame, two axes, dots, lines and words. Both axes may be logarithmic.</summary>
internal sealed class Svg
{
    private const int Width = 720;
    private const int Height = 420;
    private const int Left = 90;
    private const int Right = 20;
    private const int Top = 50;
    private const int Bottom = 60;
    private const int NameHeight = 14;

    private readonly StringBuilder _text = new();
    private readonly Func<double, double> _x;
    private readonly Func<double, double> _y;

    public Svg(string title, string foot, (double From, double To) x, (double From, double To) y, bool logX)
    {
        _x = Scale(x.From, x.To, Left, Width - Right, logX);
        _y = Scale(y.From, y.To, Height - Bottom, Top, log: true);
        _text.Append(CultureInfo.InvariantCulture,
            $"""<svg xmlns="http://www.w3.org/2000/svg" width="{Width}" height="{Height}" font-family="sans-serif" font-size="12">""")
            .AppendLine();
        _text.AppendLine("""<rect width="100%" height="100%" fill="white"/>""");
        Words(Left, 24, title, "start", 15);
        Words(Left, Height - 8, foot, "start", 10);
        _text.Append(CultureInfo.InvariantCulture,
            $"""<rect x="{Left}" y="{Top}" width="{Width - Left - Right}" height="{Height - Top - Bottom}" fill="none" stroke="#999"/>""")
            .AppendLine();
        Ticks(y.From, y.To);
    }

    public void Dot(double x, double y, string colour) =>
        _text.Append(CultureInfo.InvariantCulture,
            $"""<circle cx="{_x(x):f1}" cy="{_y(y):f1}" r="3.5" fill="{colour}" fill-opacity="0.55"/>""").AppendLine();

    public void Line(double x1, double y1, double x2, double y2, string colour) =>
        _text.Append(CultureInfo.InvariantCulture,
            $"""<line x1="{_x(x1):f1}" y1="{_y(y1):f1}" x2="{_x(x2):f1}" y2="{_y(y2):f1}" stroke="{colour}" stroke-width="2"/>""")
            .AppendLine();

    /// <summary>Writes below the x axis.</summary>
    public void Below(double x, string words) => Words(_x(x), Height - Bottom + 18, words, "middle", 12);

    /// <summary>Writes beside a point.</summary>
    public void Beside(double x, double y, string words) => Words(_x(x) + 8, _y(y) - 6, words, "start", 11);

    /// <summary>Names points on their right, in the colour of each: near its height, and none over another.</summary>
    public void Names(double x, IEnumerable<(double Y, string Words, string Colour)> points)
    {
        double last = double.NegativeInfinity;
        foreach ((double y, string words, string colour) in points.OrderByDescending(p => p.Y))
        {
            last = Math.Max(_y(y) + 4, last + NameHeight);
            Words(_x(x) + 10, last, words, "start", 11, colour);
        }
    }

    public override string ToString() => _text + "</svg>\n";

    private static Func<double, double> Scale(double from, double to, double low, double high, bool log)
    {
        double a = log ? Math.Log(from) : from;
        double b = log ? Math.Log(to) : to;
        return v => low + (((log ? Math.Log(v) : v) - a) / (b - a) * (high - low));
    }

    private void Ticks(double from, double to)
    {
        for (double decade = Math.Pow(10, Math.Floor(Math.Log10(from))); decade <= to; decade *= 10)
        {
            foreach (double step in (double[])[1, 2, 5])
            {
                double value = decade * step;
                if (value >= from && value <= to)
                {
                    _text.Append(CultureInfo.InvariantCulture,
                        $"""<line x1="{Left}" x2="{Width - Right}" y1="{_y(value):f1}" y2="{_y(value):f1}" stroke="#e5e5e5"/>""")
                        .AppendLine();
                    Words(Left - 6, _y(value) + 4, Table.Number(value), "end", 11);
                }
            }
        }
    }

    private void Words(double x, double y, string words, string anchor, int size, string? colour = null)
    {
        string fill = colour is null ? string.Empty : $" fill=\"{colour}\"";
        _text.Append(CultureInfo.InvariantCulture,
            $"""<text x="{x:f1}" y="{y:f1}" text-anchor="{anchor}" font-size="{size}"{fill}>{WebUtility.HtmlEncode(words)}</text>""")
            .AppendLine();
    }
}
