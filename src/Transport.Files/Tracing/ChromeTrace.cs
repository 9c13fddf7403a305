using System;
using System.Collections.Generic;
using System.Globalization;
using System.IO;
using System.Text;

namespace Transport.Files;

/// <summary>Writes events by track to a file for chrome://tracing and Perfetto (ui.perfetto.dev).</summary>
/// <remarks>
/// Safe for any thread; events may come in any order. The format is the JSON object form of the Trace Event Format
/// (docs.google.com/document/d/1CvAClvFfyA5R-PhYUmn5OOQtYMH4h6I0nSsKchNAySU), with times in microseconds since the trace began. An event
/// costs about a microsecond and no lasting allocation. Both viewers still read a file that a killed process cut short.
/// </remarks>
public sealed class ChromeTrace : IDisposable
{
    private const int FlushAt = 64 << 10;
    private readonly object _gate = new();
    private readonly Stream _output;
    private readonly TimeProvider _time;
    private readonly long _start;
    private readonly long _maxBytes;
    private readonly Dictionary<string, int> _groups = new(StringComparer.Ordinal);
    private readonly StringBuilder _text = new(FlushAt + 1024);
    private readonly char[] _chars = new char[FlushAt];
    private readonly byte[] _bytes = new byte[FlushAt * 3];
    private long _written;
    private long _dropped;
    private long _overlapping;
    private int _lines;
    private bool _ended;

    /// <summary>Initializes a new instance of the <see cref="ChromeTrace"/> class.</summary>
    /// <param name="output">The stream to write to; disposed with the trace.</param>
    /// <param name="maxBytes">
    /// The most bytes to write; later events are counted in <see cref="Dropped"/>. At least 1 KiB; the default is 512 MiB.
    /// </param>
    /// <param name="time">The clock; null for the system's.</param>
    /// <exception cref="ArgumentOutOfRangeException"><paramref name="maxBytes"/> is too small.</exception>
    public ChromeTrace(Stream output, long maxBytes = 512L << 20, TimeProvider? time = null)
    {
        _output = output ?? throw new ArgumentNullException(nameof(output));
        _maxBytes = maxBytes >= 1024
            ? maxBytes
            : throw new ArgumentOutOfRangeException(nameof(maxBytes), maxBytes, "A trace has capacity for 1 KiB at least.");
        _time = time ?? TimeProvider.System;
        _start = _time.GetTimestamp();
        _text.Append("{\"displayTimeUnit\":\"ms\",\"traceEvents\":[");
    }

    /// <summary>Gets the current time in the unit of the other members.</summary>
    public long Now => _time.GetTimestamp();

    /// <summary>Gets the number of events that came after the file was full or closed.</summary>
    public long Dropped
    {
        get
        {
            lock (_gate)
            {
                return _dropped;
            }
        }
    }

    /// <summary>Gets the exception of the stream after which nothing is written any more, or null.</summary>
    /// <remarks>A trace that fails never fails what it watches.</remarks>
    public Exception? Failure { get; private set; }

    /// <summary>Creates a trace in a file.</summary>
    /// <param name="path">The file's path; an existing file is replaced.</param>
    /// <returns>The trace.</returns>
    /// <exception cref="IOException">The file cannot be created.</exception>
    /// <exception cref="UnauthorizedAccessException">The file may not be created.</exception>
    public static ChromeTrace Create(string path) => new(new FileStream(path, FileMode.Create, FileAccess.Write, FileShare.Read, 4096));

    /// <summary>Adds a track.</summary>
    /// <param name="group">The group it is shown in, such as a node; created with its first track.</param>
    /// <param name="name">Its name, such as a thread's.</param>
    /// <returns>The track.</returns>
    public TraceTrack AddTrack(string group, string name)
    {
        _ = name ?? throw new ArgumentNullException(nameof(name));
        lock (_gate)
        {
            if (!_groups.TryGetValue(group, out int number))
            {
                _groups.Add(group, number = _groups.Count + 1);
                Name("process_name", new TraceTrack(number, 0), group);
            }

            var track = new TraceTrack(number, ++_lines);
            Name("thread_name", track, name);
            return track;
        }
    }

    /// <summary>Records a span of time. Spans of one track must lie beside or inside one another.</summary>
    /// <param name="track">The track.</param>
    /// <param name="name">The span's name.</param>
    /// <param name="from">Its start, from <see cref="Now"/>.</param>
    /// <param name="to">Its end, from <see cref="Now"/>.</param>
    /// <param name="detail">A detail such as a path, shown when the span is selected; or null.</param>
    public void Span(TraceTrack track, string name, long from, long to, string? detail = null)
    {
        _ = name ?? throw new ArgumentNullException(nameof(name));
        lock (_gate)
        {
            if (Begin('X', name, track, from))
            {
                _text.Append(",\"dur\":");
                Microseconds(to - from);
                End(detail);
            }
        }
    }

    /// <summary>Records a span of time that may overlap others of its kind, such as a wait in a queue.</summary>
    /// <param name="track">The track.</param>
    /// <param name="name">The span's name.</param>
    /// <param name="from">Its start, from <see cref="Now"/>.</param>
    /// <param name="to">Its end, from <see cref="Now"/>.</param>
    /// <param name="detail">A detail, or null.</param>
    public void Overlapping(TraceTrack track, string name, long from, long to, string? detail = null)
    {
        _ = name ?? throw new ArgumentNullException(nameof(name));
        lock (_gate)
        {
            long id = ++_overlapping;
            if (Begin('b', name, track, from))
            {
                _text.Append(",\"id\":").Append(id);
                End(detail);
            }

            if (Begin('e', name, track, to))
            {
                _text.Append(",\"id\":").Append(id);
                End(null);
            }
        }
    }

    /// <summary>Records a moment.</summary>
    /// <param name="track">The track.</param>
    /// <param name="name">The moment's name.</param>
    /// <param name="detail">A detail, or null.</param>
    public void Mark(TraceTrack track, string name, string? detail = null)
    {
        _ = name ?? throw new ArgumentNullException(nameof(name));
        lock (_gate)
        {
            if (Begin('i', name, track, Now))
            {
                _text.Append(",\"s\":\"t\"");
                End(detail);
            }
        }
    }

    /// <summary>Records a number that changes, drawn as a curve over the group of the track.</summary>
    /// <param name="track">Any track of the group.</param>
    /// <param name="name">The number's name.</param>
    /// <param name="value">Its value from now on.</param>
    public void Count(TraceTrack track, string name, long value)
    {
        _ = name ?? throw new ArgumentNullException(nameof(name));
        lock (_gate)
        {
            if (Begin('C', name, track, Now))
            {
                _text.Append(",\"args\":{\"value\":").Append(value).Append("}}");
            }
        }
    }

    /// <summary>Writes the remaining events and closes the file. Later events are dropped and counted.</summary>
    public void Dispose()
    {
        lock (_gate)
        {
            if (_ended)
            {
                return;
            }

            _text.Append("\n],\"otherData\":{\"dropped\":").Append(_dropped).Append("}}\n");
            Flush();
            _ended = true;
            Guarded(_output.Dispose);
        }
    }

    private void Name(string what, TraceTrack track, string name)
    {
        if (Begin('M', what, track, _start))
        {
            _text.Append(",\"args\":{\"name\":");
            Quote(name);
            _text.Append("}}");
        }
    }

    private bool Begin(char phase, string name, TraceTrack track, long at)
    {
        if (_ended || _written + _text.Length > _maxBytes)
        {
            _dropped++;
            return false;
        }

        if (_text.Length >= FlushAt - 1024)
        {
            Flush();
        }

        _text.Append(_written == 0 && _text[_text.Length - 1] == '[' ? "\n" : ",\n");
        _text.Append("{\"ph\":\"").Append(phase).Append("\",\"name\":");
        Quote(name);
        _text.Append(",\"cat\":\"t\",\"pid\":").Append(track.Group).Append(",\"tid\":").Append(track.Line).Append(",\"ts\":");
        Microseconds(at - _start);
        return true;
    }

    private void End(string? detail)
    {
        if (detail is not null)
        {
            _text.Append(",\"args\":{\"what\":");
            Quote(detail);
            _text.Append('}');
        }

        _text.Append('}');
    }

    /// <summary>Appends a time with three decimals, because a short system call takes less than a microsecond.</summary>
    private void Microseconds(long ticks)
    {
        long nanoseconds = (long)(ticks * (1e9 / _time.TimestampFrequency));
        long whole = Math.DivRem(Math.Max(nanoseconds, 0), 1000, out long rest);
        _text.Append(whole).Append('.');
        _text.Append((char)('0' + (rest / 100))).Append((char)('0' + (rest / 10 % 10))).Append((char)('0' + (rest % 10)));
    }

    private void Quote(string text)
    {
        const int Longest = 4096;
        _text.Append('"');
        for (int i = 0; i < Math.Min(text.Length, Longest); i++)
        {
            char c = text[i];
            if (c is '"' or '\\')
            {
                _text.Append('\\').Append(c);
            }
            else if (c < ' ' || char.IsSurrogate(c) || c == '\u007f')
            {
                _text.Append("\\u").Append(((int)c).ToString("x4", CultureInfo.InvariantCulture));
            }
            else
            {
                _text.Append(c);
            }
        }

        _text.Append('"');
    }

    private void Flush()
    {
        for (int at = 0; at < _text.Length && !_ended;)
        {
            int count = Math.Min(_chars.Length, _text.Length - at);
            _text.CopyTo(at, _chars, 0, count);
            int bytes = Encoding.UTF8.GetBytes(_chars, 0, count, _bytes, 0);
            Guarded(() => _output.Write(_bytes, 0, bytes));
            _written += bytes;
            at += count;
        }

        _text.Clear();
    }

    private static bool IsFromOutput(Exception failed) =>
        failed is IOException or UnauthorizedAccessException or NotSupportedException or ObjectDisposedException;

    private void Guarded(Action write)
    {
        try
        {
            write();
        }
        catch (Exception failed) when (IsFromOutput(failed))
        {
            Failure ??= failed;
            _ended = true;
        }
    }
}
