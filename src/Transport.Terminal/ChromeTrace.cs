using System;
using System.Collections.Generic;
using System.IO;
using System.Text.Json;

namespace Transport.Terminal;

/// <summary>One line of a <see cref="ChromeTrace"/>: a group (shown as a process) and a line in it (shown as a thread).</summary>
/// <param name="Group">The group's number.</param>
/// <param name="Line">The line's number, unique in the trace.</param>
public readonly record struct TraceTrack(int Group, int Line);

/// <summary>Writes events by track to a file for chrome://tracing and Perfetto (ui.perfetto.dev).</summary>
/// <remarks>
/// Safe for any thread; events may come in any order. The format is the JSON object form of the Trace Event Format
/// (docs.google.com/document/d/1CvAClvFfyA5R-PhYUmn5OOQtYMH4h6I0nSsKchNAySU), with times in microseconds since the trace began. Both
/// viewers still read a file that a killed process cut short. A trace that fails never fails what it watches: see <see cref="Failure"/>.
/// </remarks>
public sealed class ChromeTrace : IDisposable
{
    private const int FlushAt = 64 << 10;
    private readonly object _gate = new();
    private readonly Stream _output;
    private readonly Utf8JsonWriter _json;
    private readonly long _maxBytes;
    private readonly Dictionary<string, int> _groups = new(StringComparer.Ordinal);
    private int _lines;
    private int _overlapping;
    private bool _ended;

    /// <summary>Initializes a new instance of the <see cref="ChromeTrace"/> class.</summary>
    /// <param name="output">The stream to write to; disposed with the trace.</param>
    /// <param name="maxBytes">The bytes after which events are counted in <see cref="Dropped"/> and not written.</param>
    public ChromeTrace(Stream output, long maxBytes = 512L << 20)
    {
        (_output, _maxBytes, _json) = (output, maxBytes, new Utf8JsonWriter(output));
        _json.WriteStartObject();
        _json.WriteString("displayTimeUnit", "ms");
        _json.WriteStartArray("traceEvents");
    }

    /// <summary>Gets the number of events that came after the file was full, failed or closed.</summary>
    public long Dropped { get; private set; }

    /// <summary>Gets the number of spans that were written.</summary>
    public long Spans { get; private set; }

    /// <summary>Gets the exception of the stream after which nothing is written any more, or null.</summary>
    public Exception? Failure { get; private set; }

    /// <summary>Creates a trace in a file.</summary>
    /// <param name="path">The file's path; an existing file is replaced.</param>
    /// <returns>The trace.</returns>
    /// <exception cref="IOException">The file cannot be created.</exception>
    /// <exception cref="UnauthorizedAccessException">The file may not be created.</exception>
    public static ChromeTrace Create(string path) => new(new FileStream(path, FileMode.Create, FileAccess.Write, FileShare.Read, 4096));

    /// <summary>Adds a track.</summary>
    /// <param name="group">The group it is shown in, such as a node; created with its first track.</param>
    /// <param name="name">Its name, such as a thread's; null for a number.</param>
    /// <returns>The track.</returns>
    public TraceTrack AddTrack(string group, string? name = null)
    {
        lock (_gate)
        {
            if (!_groups.TryGetValue(group, out int number))
            {
                _groups.Add(group, number = _groups.Count + 1);
                Name("process_name", new TraceTrack(number, 0), group);
            }

            var track = new TraceTrack(number, ++_lines);
            if (name is not null)
            {
                Name("thread_name", track, name);
            }

            return track;
        }
    }

    /// <summary>Records a span of time. Spans of one track must lie beside or inside one another.</summary>
    /// <param name="track">The track.</param>
    /// <param name="name">The span's name.</param>
    /// <param name="start">Its start, since the trace began.</param>
    /// <param name="end">Its end, since the trace began.</param>
    /// <param name="category">Its category.</param>
    /// <param name="details">Names and values that are shown when the span is selected; those without a value are left out.</param>
    public void Span(
        TraceTrack track, string name, TimeSpan start, TimeSpan end, string category,
        params ReadOnlySpan<(string Name, string? Value)> details)
    {
        lock (_gate)
        {
            if (Begin("X", name, category, track, start))
            {
                _json.WriteNumber("dur", Micros(end > start ? end - start : TimeSpan.Zero));
                End(details);
                Spans++;
            }
        }
    }

    /// <summary>Records a span of time that may overlap others of its track, such as a wait in a queue.</summary>
    /// <param name="track">The track.</param>
    /// <param name="name">The span's name.</param>
    /// <param name="start">Its start, since the trace began.</param>
    /// <param name="end">Its end, since the trace began.</param>
    /// <param name="detail">A detail, or null.</param>
    public void Overlapping(TraceTrack track, string name, TimeSpan start, TimeSpan end, string? detail)
    {
        lock (_gate)
        {
            int id = ++_overlapping;
            if (Begin("b", name, "wait", track, start))
            {
                _json.WriteNumber("id", id);
                End([("what", detail)]);
            }

            if (Begin("e", name, "wait", track, end))
            {
                _json.WriteNumber("id", id);
                End([]);
            }
        }
    }

    /// <summary>Records an arrow from one track to another.</summary>
    /// <param name="id">Its number, unique among arrows.</param>
    /// <param name="name">Its name.</param>
    /// <param name="from">Where it begins.</param>
    /// <param name="to">Where it ends.</param>
    /// <param name="at">When, since the trace began.</param>
    public void Arrow(int id, string name, TraceTrack from, TraceTrack to, TimeSpan at)
    {
        lock (_gate)
        {
            foreach ((string phase, TraceTrack track) in new[] { ("s", from), ("f", to) })
            {
                if (Begin(phase, name, "link", track, at))
                {
                    _json.WriteString("bp", "e");
                    _json.WriteNumber("id", id);
                    End([]);
                }
            }
        }
    }

    /// <summary>Records a number that changes, drawn as a curve over the group of the track.</summary>
    /// <param name="track">Any track of the group.</param>
    /// <param name="name">The number's name.</param>
    /// <param name="at">Since when it has the value, since the trace began.</param>
    /// <param name="value">Its value.</param>
    public void Count(TraceTrack track, string name, TimeSpan at, long value)
    {
        lock (_gate)
        {
            if (Begin("C", name, "count", track, at))
            {
                _json.WriteStartObject("args");
                _json.WriteNumber("value", value);
                _json.WriteEndObject();
                End([]);
            }
        }
    }

    /// <summary>Writes the remaining events and closes the file. Later events are dropped and counted.</summary>
    public void Dispose()
    {
        lock (_gate)
        {
            if (!_ended)
            {
                _json.WriteEndArray();
                _json.WriteStartObject("otherData");
                _json.WriteNumber("dropped", Dropped);
                _json.WriteEndObject();
                _json.WriteEndObject();
                Guarded(_json.Flush);
                _ended = true;
            }

            Guarded(_output.Dispose);
        }
    }

    private static decimal Micros(TimeSpan time) => time.Ticks / (decimal)TimeSpan.TicksPerMicrosecond;

    private void Name(string kind, TraceTrack track, string name)
    {
        if (Begin("M", kind, "name", track, TimeSpan.Zero))
        {
            End([("name", name)]);
        }
    }

    private bool Begin(string phase, string name, string category, TraceTrack track, TimeSpan at)
    {
        if (_json.BytesPending > FlushAt && !_ended)
        {
            Guarded(_json.Flush);
        }

        if (_ended || _json.BytesCommitted + _json.BytesPending > _maxBytes)
        {
            Dropped++;
            return false;
        }

        _json.WriteStartObject();
        _json.WriteString("ph", phase);
        _json.WriteString("name", name);
        _json.WriteString("cat", category);
        _json.WriteNumber("pid", track.Group);
        _json.WriteNumber("tid", track.Line);
        _json.WriteNumber("ts", Micros(at));
        return true;
    }

    private void End(ReadOnlySpan<(string Name, string? Value)> details)
    {
        bool isOpen = false;
        foreach ((string name, string? value) in details)
        {
            if (value is not null)
            {
                if (!isOpen)
                {
                    _json.WriteStartObject("args");
                    isOpen = true;
                }

                _json.WriteString(name, value);
            }
        }

        if (isOpen)
        {
            _json.WriteEndObject();
        }

        _json.WriteEndObject();
    }

    private void Guarded(Action write)
    {
        try
        {
            write();
        }
        catch (Exception failed) when (failed is IOException or UnauthorizedAccessException or NotSupportedException
            or ObjectDisposedException)
        {
            Failure ??= failed;
            _ended = true;
        }
    }
}
