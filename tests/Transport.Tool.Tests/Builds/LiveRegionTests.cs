using System;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using System.Text;
using System.Threading;
using NUnit.Framework;
using Transport.Terminal;

namespace Transport.Tool.Tests.Builds;

[FixtureLifeCycle(LifeCycle.InstancePerTestCase)]
internal sealed class LiveRegionTests
{
    private readonly MemoryStream _terminal = new();
    private int _width = 40;
    private string[] _rows = ["one", "two"];

    [Test]
    public void Lines_scroll_by_above_rows_that_are_drawn_in_their_place()
    {
        using (LiveRegion region = Create())
        {
            region.Draw();
            region.Line("a line");
            _rows = ["three"];
            region.Draw();

            Assert.That(Screen(), Is.EqualTo(new[] { "a line", "three" }));
            region.Line("another");
            Assert.That(Screen(), Is.EqualTo(new[] { "a line", "another", "three" }));
        }

        Assert.That(Screen(), Is.EqualTo(new[] { "a line", "another" }), "the region is gone, the lines stay");
    }

    /// <summary>A node's name inside a journal reached the terminal as it was.</summary>
    [Test]
    public void Whatever_stands_in_a_row_or_a_line_is_fit_for_a_terminal()
    {
        using LiveRegion region = Create();
        _rows = ["row\u001b]0;x\u0007\nend"];
        region.Draw();
        region.Line("line\u009b2J");
        Assert.That(Screen(), Is.EqualTo(new[] { "line\\u009b2J", "row\\u001b]0;x\\u0007\\u000aend" }));
    }

    [Test]
    public void A_row_is_cut_at_the_width_that_the_terminal_has_now()
    {
        using LiveRegion region = Create();
        _rows = [new string('x', 100)];
        region.Draw();
        Assert.That(Screen().Single(), Has.Length.EqualTo(39).And.EndsWith("…"));

        _width = 20;
        region.Draw();

        Assert.That(Screen()[^1], Has.Length.EqualTo(19));
    }

    [Test]
    public void A_frame_is_one_write()
    {
        var counting = new CountingStream();
        using var region = new LiveRegion(counting, () => (80, 24), _ => [[new Cell("row")]], hasColours: true, new NoTimer());

        region.Draw();
        region.Line("line");

        Assert.That(counting.Writes, Is.EqualTo(2));
    }

    private LiveRegion Create() => new(_terminal, () => (_width, 24), _ => [.. _rows.Select(row => (IReadOnlyList<Cell>)[new Cell(row)])],
        hasColours: false, new NoTimer());

    /// <summary>What a terminal that never scrolls shows: knows the few sequences that a region writes.</summary>
    private string[] Screen()
    {
        var lines = new List<StringBuilder> { new() };
        int row = 0, column = 0;
        string text = Encoding.UTF8.GetString(_terminal.ToArray());
        for (int i = 0; i < text.Length; i++)
        {
            if (text[i] == '\u001b')
            {
                int end = i + 2;
                while (!char.IsLetter(text[end]))
                {
                    end++;
                }

                string parameter = text[(i + 2)..end];
                switch (text[end])
                {
                    case 'A':
                        row = Math.Max(0, row - int.Parse(parameter, System.Globalization.CultureInfo.InvariantCulture));
                        break;
                    case 'K':
                        lines[row].Length = Math.Min(lines[row].Length, column);
                        break;
                    case 'J':
                        lines[row].Length = Math.Min(lines[row].Length, column);
                        lines.RemoveRange(row + 1, lines.Count - row - 1);
                        break;
                    default:
                        break;
                }

                i = end;
            }
            else if (text[i] == '\r')
            {
                column = 0;
            }
            else if (text[i] == '\n')
            {
                row++;
                if (row == lines.Count)
                {
                    lines.Add(new());
                }
            }
            else
            {
                _ = column < lines[row].Length ? lines[row][column] = text[i] : lines[row].Append(text[i])[column];
                column++;
            }
        }

        return [.. lines.Select(line => line.ToString()).Where(line => line.Length > 0)];
    }

    private sealed class NoTimer : TimeProvider
    {
        public override ITimer CreateTimer(TimerCallback callback, object? state, TimeSpan dueTime, TimeSpan period) =>
            System.CreateTimer(_ => { }, null, Timeout.InfiniteTimeSpan, Timeout.InfiniteTimeSpan);
    }

    private sealed class CountingStream : MemoryStream
    {
        public int Writes { get; private set; }

        public override void Write(byte[] buffer, int offset, int count) => Writes++;

        public override void Write(ReadOnlySpan<byte> buffer) => Writes++;
    }
}
