using System;
using System.Collections.Generic;
using System.Globalization;
using System.Linq;
using Transport.Terminal;

namespace Transport.Tool;

/// <summary>A picture of a build as rows of a terminal: one for each node, and one of counts. One thread.</summary>
internal sealed class BuildBoard
{
    /// <summary>How long a stretch of events the rate is of.</summary>
    private static readonly TimeSpan Stretch = TimeSpan.FromSeconds(1);

    private readonly BuildState _state;
    private readonly TimeProvider _clock;
    private readonly Queue<(long Time, long Events)> _past = new();

    public BuildBoard(BuildState state, TimeProvider clock)
    {
        _state = state;
        _clock = clock;
    }

    /// <summary>Returns the rows for so many columns; the row of a node has no more.</summary>
    public IReadOnlyList<IReadOnlyList<Cell>> Rows(int columns)
    {
        BuildPicture picture = _state.Look(_clock.GetUtcNow().UtcTicks);
        int name = picture.Nodes.Count == 0 ? 0 : Math.Min(picture.Nodes.Max(node => CellWidth.Of(node.Name)), columns / 4);
        List<IReadOnlyList<Cell>> rows = [.. picture.Nodes.Select(node => Row(node, name, columns))];
        rows.Add(Total(picture));
        return rows;
    }

    private static IReadOnlyList<Cell> Row(NodePicture node, int name, int columns)
    {
        var title = new Cell(Padded(TerminalText.Line(node.Name), name) + "  ", CellStyle.Name);
        if (node.Project.Length == 0)
        {
            return [title, new Cell("idle", CellStyle.Faint)];
        }

        string time = string.Create(CultureInfo.InvariantCulture, $"  {node.Since.TotalSeconds:0.0} s");
        string what = node.WaitsFor.Count > 0
            ? $" waits for {node.WaitsFor[0]}{(node.WaitsFor.Count > 1 ? $" and {node.WaitsFor.Count - 1} more" : string.Empty)}"
            : string.Concat(new[] { node.Target, node.Task }.Where(part => part.Length > 0).Select(part => " › " + part));
        int left = columns - CellWidth.Of(title.Text) - CellWidth.Of(time);
        string project = CellWidth.Cut(TerminalText.Line(node.Project), left, out int taken);
        return
        [
            title, new Cell(project), new Cell(CellWidth.Cut(TerminalText.Line(what), left - taken, out _), CellStyle.Faint),
            new Cell(time, CellStyle.Faint),
        ];
    }

    private IReadOnlyList<Cell> Total(BuildPicture picture)
    {
        var cells = new List<Cell>
        {
            new(string.Create(CultureInfo.InvariantCulture, $"{picture.Elapsed.TotalSeconds:0.0} s  "), CellStyle.Faint),
            new(FormattableString.Invariant($"{picture.Finished} of {Counted.Of(picture.Finished + picture.Open, "project")} done"),
                CellStyle.Good),
        };
        if (picture.Failed > 0)
        {
            cells.Add(new(string.Create(CultureInfo.InvariantCulture, $", {picture.Failed} failed"), CellStyle.Error));
        }

        if (picture.Errors > 0)
        {
            cells.Add(new(string.Create(CultureInfo.InvariantCulture, $", {Counted.Of(picture.Errors, "error")}"), CellStyle.Error));
        }

        if (picture.Warnings > 0)
        {
            cells.Add(new(string.Create(CultureInfo.InvariantCulture, $", {Counted.Of(picture.Warnings, "warning")}"), CellStyle.Warning));
        }

        cells.Add(new(string.Create(
            CultureInfo.InvariantCulture, $"  {picture.Events:N0} events, {Rate(picture.Events):N0}/s"), CellStyle.Faint));
        return cells;
    }

    private double Rate(long events)
    {
        long now = _clock.GetTimestamp();
        _past.Enqueue((now, events));
        while (_past.Count > 2 && _clock.GetElapsedTime(_past.Peek().Time, now) > Stretch)
        {
            _past.Dequeue();
        }

        (long time, long before) = _past.Peek();
        double seconds = _clock.GetElapsedTime(time, now).TotalSeconds;
        return seconds < 0.05 ? 0 : (events - before) / seconds;
    }

    private static string Padded(string text, int columns) =>
        CellWidth.Cut(text, columns, out int taken) + new string(' ', Math.Max(0, columns - taken));
}
