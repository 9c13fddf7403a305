using System;
using System.Globalization;
using System.IO;
using System.Text;
using System.Threading;
using Transport.Files;
using Transport;

namespace BuildHarness.Extract;

/// <summary>One line on a terminal that is written over five times a second: how far an output is. Elsewhere nothing.</summary>
internal sealed class LiveLine : IDisposable
{
    private const string Clear = "\r\u001b[K";
    private static readonly TimeSpan Interval = TimeSpan.FromMilliseconds(200);
    private readonly Lock _gate = new();
    private readonly Stream _terminal;
    private readonly Func<int> _width;
    private readonly FileOutput _output;
    private readonly TimeProvider _clock;
    private readonly long _start;
    private readonly ITimer _timer;
    private bool _shown, _ended;

    /// <param name="terminal">Where to draw; writing to it never waits long.</param>
    /// <param name="width">How many columns it has.</param>
    /// <param name="output">What to report of.</param>
    /// <param name="clock">Times it.</param>
    public LiveLine(Stream terminal, Func<int> width, FileOutput output, TimeProvider clock)
    {
        _terminal = terminal;
        _width = width;
        _output = output;
        _clock = clock;
        _start = clock.GetTimestamp();
        _timer = clock.CreateTimer(_ => Draw(), state: null, Interval, Interval);
    }

    /// <summary>Takes the line away.</summary>
    public void Dispose()
    {
        _timer.Dispose();
        lock (_gate)
        {
            if (_shown)
            {
                Write(Clear);
            }

            _ended = true;
        }
    }

    /// <summary>The line as it stands on a terminal of so many columns: the end of a path says more than its beginning.</summary>
    public static string Text(FileProgress progress, TimeSpan elapsed, int width)
    {
        string numbers = string.Create(
            CultureInfo.InvariantCulture, $"{progress.Files:N0} files, {progress.Bytes:N0} bytes, {elapsed.TotalSeconds:0.0} s  ");
        string path = TerminalText.Escape(progress.Current);
        int capacity = Math.Max(0, width - 1 - numbers.Length);
        if (path.Length > capacity)
        {
            int from = path.Length - Math.Max(0, capacity - 1);
            path = capacity == 0 ? string.Empty : "…" + path[(from < path.Length && char.IsLowSurrogate(path[from]) ? from + 1 : from)..];
        }

        return numbers.Length + path.Length < width ? numbers + path : numbers[..Math.Max(0, Math.Min(numbers.Length, width - 1))];
    }

    private void Draw()
    {
        lock (_gate)
        {
            if (!_ended)
            {
                _shown = true;
                Write(Clear + Text(_output.Progress, _clock.GetElapsedTime(_start), _width()));
            }
        }
    }

    private void Write(string text) => _terminal.Write(Encoding.UTF8.GetBytes(text));
}
