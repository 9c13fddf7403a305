using System;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using System.Text;
using System.Threading;

namespace Transport.Tool;

/// <summary>The last rows of a terminal, drawn anew a few times a second; lines scroll by above them. One write a frame, so that nothing
/// flickers, and no row is wider than the terminal, also after that was made narrower. Safe from any thread. Never throws: if the terminal
/// has gone, nothing more is drawn.</summary>
internal sealed class LiveRegion : IDisposable
{
    private const string BeginFrame = "\u001b[?2026h\u001b[?25l\u001b[?7l", EndFrame = "\u001b[?7h\u001b[?25h\u001b[?2026l";
    private const string ClearLine = "\u001b[K", ClearBelow = "\u001b[J", Reset = "\u001b[0m";
    private static readonly TimeSpan Interval = TimeSpan.FromMilliseconds(200);

    private readonly Lock _gate = new();
    private readonly Stream _output;
    private readonly Func<(int Width, int Height)> _size;
    private readonly Func<int, IReadOnlyList<IReadOnlyList<Cell>>> _rows;
    private readonly bool _hasColours;
    private readonly ITimer _timer;
    private int[] _drawn = [];   // all below: under the lock. The widths of the rows that are there
    private bool _isOver;

    /// <summary>Initializes a new instance of the <see cref="LiveRegion"/> class: begins to draw.</summary>
    /// <param name="output">The terminal; not owned.</param>
    /// <param name="size">The terminal's columns and rows now.</param>
    /// <param name="rows">What to show in so many columns; called under the region's lock, on a timer's thread.</param>
    /// <param name="hasColours">Whether rows have colours.</param>
    /// <param name="clock">Times the frames.</param>
    public LiveRegion(Stream output, Func<(int Width, int Height)> size, Func<int, IReadOnlyList<IReadOnlyList<Cell>>> rows,
        bool hasColours, TimeProvider clock)
    {
        _output = output;
        _size = size;
        _rows = rows;
        _hasColours = hasColours;
        _timer = clock.CreateTimer(_ => Draw(), state: null, TimeSpan.Zero, Interval);
    }

    /// <summary>Whether stdout is a terminal that can be drawn on.</summary>
    public static bool IsPossible =>
        !Console.IsOutputRedirected && Environment.GetEnvironmentVariable("TERM") is not ("dumb" or "" or null);

    /// <summary>Creates a region on this process's terminal.</summary>
    /// <param name="rows">As for the constructor.</param>
    public static LiveRegion OnConsole(Func<int, IReadOnlyList<IReadOnlyList<Cell>>> rows) => new(
        Console.OpenStandardOutput(), static () => (Math.Max(20, Console.WindowWidth), Math.Max(5, Console.WindowHeight)), rows,
        string.IsNullOrEmpty(Environment.GetEnvironmentVariable("NO_COLOR")), TimeProvider.System);

    /// <summary>Shows a line above the region, as long as it is.</summary>
    /// <param name="line">The line.</param>
    /// <param name="style">How it looks.</param>
    public void Line(string line, CellStyle style = CellStyle.Plain)
    {
        lock (_gate)
        {
            (int width, int height) = SafeSize();
            var frame = new StringBuilder(BeginFrame);
            EraseTo(frame, width);
            frame.Append("\u001b[?7h");
            Append(frame, new Cell(line, style));
            frame.Append(ClearLine).Append("\r\n\u001b[?7l");
            AppendRows(frame, width, height);
            Write(frame.Append(EndFrame));
        }
    }

    /// <summary>Draws the rows as they are now.</summary>
    public void Draw()
    {
        lock (_gate)
        {
            (int width, int height) = SafeSize();
            var frame = new StringBuilder(BeginFrame);
            EraseTo(frame, width);
            AppendRows(frame, width, height);
            Write(frame.Append(EndFrame));
        }
    }

    /// <summary>Removes the region; lines that were shown stay.</summary>
    public void Dispose()
    {
        _timer.Dispose();
        lock (_gate)
        {
            var frame = new StringBuilder(BeginFrame);
            EraseTo(frame, SafeSize().Width);
            Write(frame.Append(ClearBelow).Append(EndFrame));
            _drawn = [];
            _isOver = true;
        }
    }

    /// <summary>Goes to the region's first row. A terminal that was made narrower has broken rows into several.</summary>
    private void EraseTo(StringBuilder frame, int width)
    {
        int rows = _drawn.Sum(drawn => Math.Max(1, (drawn + width - 1) / width));
        frame.Append('\r');
        if (rows > 0)
        {
            frame.Append("\u001b[").Append(rows).Append('A');
        }
    }

    private void AppendRows(StringBuilder frame, int width, int height)
    {
        IReadOnlyList<IReadOnlyList<Cell>> rows = _isOver ? [] : _rows(width - 1);
        int count = Math.Min(rows.Count, height - 1);
        var drawn = new int[count];
        for (int i = 0; i < count; i++)
        {
            int left = width - 1;
            foreach (Cell cell in rows[i])
            {
                Cell shown = cell.Cut(left, out int taken);
                left -= taken;
                Append(frame, shown);
            }

            drawn[i] = width - 1 - left;
            frame.Append(ClearLine).Append("\r\n");
        }

        frame.Append(ClearBelow);
        _drawn = drawn;
    }

    private void Append(StringBuilder frame, Cell cell)
    {
        string? colour = !_hasColours ? null : cell.Style switch
        {
            CellStyle.Faint => "\u001b[2m",
            CellStyle.Name => "\u001b[36m",
            CellStyle.Good => "\u001b[32m",
            CellStyle.Warning => "\u001b[33m",
            CellStyle.Error => "\u001b[31m",
            _ => null,
        };
        _ = colour is null ? frame.Append(cell.Text) : frame.Append(colour).Append(cell.Text).Append(Reset);
    }

    private (int Width, int Height) SafeSize()
    {
        try
        {
            return _size();
        }
        catch (IOException)
        {
            return (80, 24);
        }
    }

    private void Write(StringBuilder frame)
    {
        if (_isOver)
        {
            return;
        }

        try
        {
            _output.Write(Encoding.UTF8.GetBytes(frame.ToString()));
            _output.Flush();
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException or ObjectDisposedException)
        {
            _isOver = true;   // the terminal was closed: no fault of the work, which its own signal ends
        }
    }
}
