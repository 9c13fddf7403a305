using System;
using System.Collections.Generic;
using System.Globalization;
using System.Linq;
using System.Threading;
using System.Threading.Tasks;
using Spectre.Console;
using Transport;

namespace BuildHarness.Display;

/// <summary>A terminal: lines scroll by above a small table of the nodes, which is drawn anew five times a second. Colours follow
/// NO_COLOR.</summary>
internal sealed class LiveDisplay : IDisplay
{
    /// <summary>A row is one line of the terminal.</summary>
    private const int MostOfActivity = 60;

    private static readonly TimeSpan Interval = TimeSpan.FromMilliseconds(200);
    private readonly Lock _gate = new();
    private readonly IAnsiConsole _console;
    private readonly TimeProvider _clock;
    private readonly SortedDictionary<string, (string Activity, long Since)> _nodes = new(StringComparer.Ordinal);
    private readonly TaskCompletionSource _done = new(TaskCreationOptions.RunContinuationsAsynchronously);
    private readonly ITimer _timer;
    private readonly long _start;
    private LiveDisplayContext? _live;
    private int _finished, _projects;
    private long _events, _eventsBefore, _drawn;
    private bool _isGone;

    public LiveDisplay(IAnsiConsole console, TimeProvider clock)
    {
        _console = console;
        _clock = clock;
        _start = _drawn = clock.GetTimestamp();
        _ = console.Live(new Text(string.Empty)).AutoClear(enabled: true).StartAsync(context =>
        {
            _live = context;
            return _done.Task;
        });
        _timer = clock.CreateTimer(_ => Draw(), state: null, Interval, Interval);
    }

    public string? Fault => null;

    public void Line(string text, LineKind kind = LineKind.Plain) => Block([text], kind);

    public void Block(IReadOnlyList<string> lines, LineKind kind = LineKind.Plain)
    {
        Color colour = kind switch { LineKind.Error => Color.Red, LineKind.Warning => Color.Yellow, LineKind.Good => Color.Green, _ =>
            Color.Default };
        lock (_gate)
        {
            string text = string.Concat(lines.Select(line => TerminalText.Line(line) + Environment.NewLine));
            Show(() => _console.Write(new Text(text, new Style(colour))));
        }
    }

    public void Node(string node, string? activity)
    {
        lock (_gate)
        {
            if (activity is null)
            {
                _nodes.Remove(node);
            }
            else
            {
                _nodes[node] = (TerminalText.Line(activity, MostOfActivity), _clock.GetTimestamp());
            }
        }
    }

    public void Progress(int finished, int projects, long events)
    {
        lock (_gate)
        {
            (_finished, _projects, _events) = (finished, projects, events);
        }
    }

    public void Drain()
    {
    }

    public void Dispose()
    {
        _timer.Dispose();
        lock (_gate)
        {
            Show(() => _live?.UpdateTarget(new Text(string.Empty)));
            _live = null;
            _done.TrySetResult();
        }
    }

    private void Draw()
    {
        lock (_gate)
        {
            if (_live is null)
            {
                return;
            }

            long now = _clock.GetTimestamp();
            double rate = (_events - _eventsBefore) / Math.Max(0.001, _clock.GetElapsedTime(_drawn, now).TotalSeconds);
            (_eventsBefore, _drawn) = (_events, now);
            var grid = new Grid().AddColumn(new GridColumn().NoWrap()).AddColumn(new GridColumn().NoWrap());
            foreach ((string node, (string activity, long since)) in _nodes)
            {
                string seconds = activity.Length == 0 ? string.Empty
                    : string.Create(CultureInfo.InvariantCulture, $"  {_clock.GetElapsedTime(since, now).TotalSeconds:0.0} s");
                grid.AddRow(new Text(node, new Style(Color.Aqua)), new Text(activity.Length == 0 ? "idle" : activity + seconds));
            }

            string total = string.Create(CultureInfo.InvariantCulture, $"{_finished} of {_projects} projects, {_events:N0} events, "
                + $"{rate:N0}/s, {_clock.GetElapsedTime(_start, now).TotalSeconds:0.0} s");
            grid.AddRow(new Text(string.Empty), new Text(total));
            Show(() => _live.UpdateTarget(grid));
        }
    }

    /// <summary>Draws, unless the terminal was closed: that is no fault of the work, which its own signal ends.</summary>
    private void Show(Action draw)
    {
        try
        {
            if (!_isGone)
            {
                draw();
            }
        }
#pragma warning disable CA1031 // drawing must never end the work, whatever the terminal or its library does
        catch (Exception)
#pragma warning restore CA1031
        {
            _isGone = true;
        }
    }
}
