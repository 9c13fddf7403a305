using System;
using System.Collections.Generic;
using System.Globalization;
using System.Linq;
using System.Net;
using System.Text;

namespace Transport.Rivals.Report;

/// <summary>One bar a peer: the CPU that an event takes on both sides, on a logarithmic scale.</summary>
internal static class RivalsPicture
{
    private const int Width = 720;
    private const int Left = 150;
    private const int Row = 28;
    private const int Top = 44;

    public static string Draw(IReadOnlyList<PeerResult> results)
    {
        PeerResult[] rows = [.. results.Where(r => r.Figures.ContainsKey(Figure.Cpu)).OrderBy(r => r.Figures[Figure.Cpu])];
        double least = rows.Min(r => r.Figures[Figure.Cpu]) / 2;
        double most = rows.Max(r => r.Figures[Figure.Cpu]);
        var svg = new StringBuilder();
        void Add(string format, params object[] values) => svg.AppendFormat(CultureInfo.InvariantCulture, format, values).Append('\n');
        int height = Top + (rows.Length * Row) + 16;
        Add("<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0}\" height=\"{1}\" font-family=\"sans-serif\" font-size=\"13\">",
            Width, height);
        Add("<rect width=\"100%\" height=\"100%\" fill=\"white\"/>");
        Add("<text x=\"12\" y=\"24\" font-size=\"15\">{0}</text>",
            "CPU of a 256 B event, both sides, microseconds (logarithmic; shorter is better)");
        for (int i = 0; i < rows.Length; i++)
        {
            double value = rows[i].Figures[Figure.Cpu];
            double bar = Math.Log(value / least) / Math.Log(most / least) * (Width - Left - 80);
            int y = Top + (i * Row);
            Add("<text x=\"{0}\" y=\"{1}\" text-anchor=\"end\">{2}</text>", Left - 8, y + 17, WebUtility.HtmlEncode(rows[i].Name));
            Add("<rect x=\"{0}\" y=\"{1}\" width=\"{2:f0}\" height=\"20\" fill=\"{3}\"/>", Left, y + 2, bar,
                rows[i].Name == "Transport" ? "#2266aa" : "#b5c4d4");
            Add("<text x=\"{0:f0}\" y=\"{1}\">{2:f2}</text>", Left + bar + 6, y + 17, value);
        }

        return svg + "</svg>\n";
    }
}
