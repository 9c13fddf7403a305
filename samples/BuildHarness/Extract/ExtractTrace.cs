using System;
using System.Collections.Concurrent;
using Transport;
using Transport.Files;
using Transport.Terminal;

namespace BuildHarness.Extract;

/// <summary><c>extract --trace</c>: what each writer did, on one time line. Safe for any thread.</summary>
internal sealed class ExtractTrace(TraceFile file)
{
    private readonly ConcurrentDictionary<string, TraceTrack> _tracks = new(StringComparer.Ordinal);

    public void Add(FileSpan span)
    {
        TraceTrack track = _tracks.GetOrAdd(span.Thread, static (thread, trace) => trace.AddTrack("files", thread), file.Events);
        string? path = span.Path is null ? null : TerminalText.Escape(span.Path);
        if (span.Name == "queued")
        {
            file.Events.Overlapping(track, span.Name, file.At(span.Start), file.At(span.End), path);
        }
        else
        {
            file.Events.Span(track, span.Name, file.At(span.Start), file.At(span.End), "files", ("what", path));
        }
    }
}
