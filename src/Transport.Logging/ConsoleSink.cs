using System;
using System.Collections.Generic;
using System.Globalization;
using System.IO;
using System.Text;
using Microsoft.Extensions.Logging;

namespace Transport.Logging;

/// <summary>The main node's view of many workers: writes their events, output and progress as whole lines, each with the node it came
/// from.</summary>
/// <remarks>
/// Lines are <c>NODE LEVEL CATEGORY: MESSAGE</c>, <c>NODE out: TEXT</c>, <c>NODE err: TEXT</c> and <c>NODE progress ID: DONE/TOTAL
/// TEXT</c>; each further line of a message or exception gets the same prefix. Control characters but tab are shown as <c>\u001b</c>, so
/// that no worker can move the reader's cursor or forge a line, and long lines are cut (<see cref="MaxLineLength"/>). Safe from any thread:
/// one lock, one write to the underlying writer for each packet. The
/// writer stays the caller's: the sink neither flushes nor closes it, but for <see cref="Flush"/>.
/// </remarks>
public sealed class ConsoleSink
{
    // A line that arrives in pieces is joined up to here, so that a worker that never ends its line cannot fill the main node's memory.
    internal const int MaxJoined = 1 << 20;

    private readonly object _gate = new();
    private readonly TextWriter _writer;
    private readonly StringBuilder _text = new();
    private readonly LinePrefixer _lines;
    private readonly Dictionary<(string Node, OutputStream Stream), StringBuilder> _open = new();
    private char[] _copy = new char[1024];

    /// <summary>Initializes a new instance of the <see cref="ConsoleSink"/> class.</summary>
    /// <param name="writer">Where to write, for example <c>Console.Out</c>. Its <c>NewLine</c> ends each line. Nobody else should write to
    /// it meanwhile.</param>
    public ConsoleSink(TextWriter writer)
    {
        _writer = writer ?? throw new ArgumentNullException(nameof(writer));
        _lines = new LinePrefixer(_text, writer.NewLine);
    }

    /// <summary>
    /// Gets the number of characters of a line that are written: of a longer one the beginning and the end, with how many were cut. Default
    /// 4,096; <see cref="int.MaxValue"/> for a file that is to have all.
    /// </summary>
    public int MaxLineLength
    {
        get => _lines.MaxLength;
        init => _lines.MaxLength = value > 0 ? value : throw new ArgumentOutOfRangeException(nameof(value), value, "At least 1.");
    }

    /// <summary>Gets the exception of the writer (a full disk, a closed pipe), or null. From then on nothing more is written; the links go
    /// on.</summary>
    public Exception? Error { get; private set; }

    /// <summary>Lets a router's LogEvent, Output and Progress packets be written here.</summary>
    /// <param name="router">A router of any number of links, none of which has started; each line has the name of its packet's
    /// node.</param>
    /// <returns>The same router.</returns>
    public PacketRouter AddTo(PacketRouter router)
    {
        if (router is null)
        {
            throw new ArgumentNullException(nameof(router));
        }

        return router
            .On<LogEvent>((e, context) => Write(context.Node, e))
            .On<OutputPacket>((o, context) => Write(context.Node, o))
            .On<ProgressPacket>((p, context) => Write(context.Node, p));
    }

    /// <summary>Writes an event, its exception's lines after those of its message.</summary>
    /// <param name="node">The node it came from.</param>
    /// <param name="packet">The event.</param>
    public void Write(string node, LogEvent packet)
    {
        if (packet is null)
        {
            throw new ArgumentNullException(nameof(packet));
        }

        lock (_gate)
        {
            _lines.Begin(node, NameOf(packet.Level), packet.Category);
            _lines.Add(packet.Message);
            if (packet.Exception is { Length: > 0 } exception)
            {
                _lines.Add(exception);
            }

            WriteOutLocked();
        }
    }

    /// <summary>
    /// Writes a line of output. Pieces of one line are joined up to a million characters; what is longer is written in several lines, each
    /// cut at <see cref="MaxLineLength"/>.
    /// </summary>
    /// <param name="node">The node it came from.</param>
    /// <param name="packet">The line, or a piece of it.</param>
    public void Write(string node, OutputPacket packet)
    {
        if (packet is null)
        {
            throw new ArgumentNullException(nameof(packet));
        }

        lock (_gate)
        {
            WriteOutputLocked(node, packet.Stream, packet.Text, packet.IsPartial);
        }
    }

    /// <summary>Writes a line that a worker process wrote to its stdout or stderr (<see cref="ProcessStartOptions.Output"/>).</summary>
    /// <param name="line">The line, or a piece of it; pieces are joined like those of <see cref="OutputPacket"/> packets. That of a process
    /// which is no worker stands under <c>output</c>.</param>
    public void Write(OutputLine line)
    {
        lock (_gate)
        {
            OutputStream stream = line.IsError ? OutputStream.Error : OutputStream.Out;
            WriteOutputLocked(line.Node ?? "output", stream, line.Text ?? string.Empty, line.IsPartial);
        }
    }

    /// <summary>Writes how far a piece of work has come.</summary>
    /// <param name="node">The node it came from.</param>
    /// <param name="packet">The progress.</param>
    public void Write(string node, ProgressPacket packet)
    {
        if (packet is null)
        {
            throw new ArgumentNullException(nameof(packet));
        }

        lock (_gate)
        {
            _lines.Begin(node, "progress", packet.Id.ToString(CultureInfo.InvariantCulture));
            string done = packet.Done.ToString(CultureInfo.InvariantCulture);
            string total = packet.Total is { } all ? "/" + all.ToString(CultureInfo.InvariantCulture) : string.Empty;
            _lines.Add(packet.Text.Length == 0 ? done + total : $"{done}{total} {packet.Text}");
            WriteOutLocked();
        }
    }

    /// <summary>Writes what is left of a node's unfinished lines. Call it when the node's link has ended.</summary>
    /// <param name="node">The node.</param>
    public void Complete(string node)
    {
        lock (_gate)
        {
            for (OutputStream stream = OutputStream.Out; stream <= OutputStream.Error; stream++)
            {
                if (_open.TryGetValue((node, stream), out StringBuilder? open))
                {
                    _open.Remove((node, stream));
                    WriteLineLocked(node, stream, open.ToString());
                }
            }
        }
    }

    /// <summary>Flushes the writer.</summary>
    public void Flush()
    {
        lock (_gate)
        {
            Try(static sink => sink._writer.Flush());
        }
    }

    private static string NameOf(LogLevel level) => level switch
    {
        LogLevel.Trace => "Trace",
        LogLevel.Debug => "Debug",
        LogLevel.Information => "Information",
        LogLevel.Warning => "Warning",
        LogLevel.Error => "Error",
        _ => "Critical",
    };

    private void WriteOutputLocked(string node, OutputStream stream, string text, bool partial)
    {
        bool joined = _open.TryGetValue((node, stream), out StringBuilder? open);
        if (partial || joined)
        {
            open ??= _open[(node, stream)] = new StringBuilder();
            open.Append(text);
            if (partial && open.Length < MaxJoined)
            {
                return;
            }

            _open.Remove((node, stream));
        }

        WriteLineLocked(node, stream, open?.ToString() ?? text);
    }

    private void WriteLineLocked(string node, OutputStream stream, string text)
    {
        _lines.Begin(node, stream == OutputStream.Error ? "err" : "out", null);
        _lines.Add(text);
        WriteOutLocked();
    }

    private void WriteOutLocked()
    {
        // One call for all lines: a console's writer is shared with others, and each call to it is a system call.
        if (_copy.Length < _text.Length)
        {
            _copy = new char[_text.Capacity];
        }

        Try(static sink =>
        {
            int length = sink._text.Length;
            sink._text.CopyTo(0, sink._copy, 0, length);
            sink._writer.Write(sink._copy, 0, length);
        });
        _text.Clear();
        if (_text.Capacity > MaxJoined)
        {
            // One event of many megabytes should not be paid forever.
            _text.Capacity = 1024;
            _copy = new char[1024];
        }
    }

    private void Try(Action<ConsoleSink> write)
    {
        if (Error is not null)
        {
            return;
        }

        try
        {
            write(this);
        }
        catch (Exception e) when (e is IOException or ObjectDisposedException or UnauthorizedAccessException)
        {
            // A sink that cannot write must not end the links whose packets it shows.
            Error = e;
        }
    }
}
