using System;
using System.Collections.Concurrent;
using System.IO;
using BuildHarness.Display;
using Transport.Files;
using Transport.Terminal;
using Transport;

namespace BuildHarness.Extract;

/// <summary><c>extract --trace</c>: what each writer did, on one time line. Safe for any thread.</summary>
internal sealed class ExtractTrace : IDisposable
{
    private readonly ConcurrentDictionary<string, TraceTrack> _tracks = new(StringComparer.Ordinal);
    private readonly long _start = TimeProvider.System.GetTimestamp();
    private readonly string _path;
    private readonly ChromeTrace _trace;

    private ExtractTrace(string path, ChromeTrace trace) => (_path, _trace) = (path, trace);

    /// <summary>Gets why not all of it could be written, as a sentence; null if it was.</summary>
    public string? Fault => _trace.Failure is { } failed ? WriteFault.Of("--trace", _path, failed) : null;

    /// <exception cref="HarnessException">The file cannot be made.</exception>
    public static ExtractTrace Create(string path)
    {
        try
        {
            return new ExtractTrace(path, ChromeTrace.Create(path));
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException)
        {
            throw new HarnessException(WriteFault.Of("--trace", path, e));
        }
    }

    public void Add(FileSpan span)
    {
        TraceTrack track = _tracks.GetOrAdd(span.Thread, static (thread, trace) => trace.AddTrack("files", thread), _trace);
        string? path = span.Path is null ? null : TerminalText.Escape(span.Path);
        if (span.Name == "queued")
        {
            _trace.Overlapping(track, span.Name, At(span.Start), At(span.End), path);
        }
        else
        {
            _trace.Span(track, span.Name, At(span.Start), At(span.End), "files", ("what", path));
        }
    }

    public void Dispose() => _trace.Dispose();

    private TimeSpan At(long timestamp) => TimeProvider.System.GetElapsedTime(_start, timestamp);
}
