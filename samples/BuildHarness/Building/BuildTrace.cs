using System;
using System.Collections.Concurrent;
using System.Globalization;
using System.IO;
using BuildHarness.Display;
using BuildHarness.Packets;
using Transport;
using Transport.Terminal;

namespace BuildHarness.Building;

/// <summary><c>build --trace</c>: by node its projects, what its end of the link wrote, and what waits at both ends, on one time line. Safe
/// for any thread.</summary>
internal sealed class BuildTrace : IDisposable
{
    private readonly ConcurrentDictionary<string, (TraceTrack Projects, TraceTrack Writes)> _nodes = new(StringComparer.Ordinal);
    private readonly string _path;
    private readonly ChromeTrace _trace;
    private readonly TraceTrack _main;
    private readonly long _start = TimeProvider.System.GetTimestamp();

    private BuildTrace(string path, ChromeTrace trace)
    {
        _path = path;
        _trace = trace;
        _main = trace.AddTrack("main node", "preparation");
    }

    /// <summary>Gets why not all of it could be written, as a sentence; null if it was.</summary>
    public string? Fault => _trace.Failure is { } failed ? WriteFault.Of("--trace", _path, failed) : null;

    /// <exception cref="HarnessException">The file cannot be made.</exception>
    public static BuildTrace Create(string path)
    {
        try
        {
            return new BuildTrace(path, ChromeTrace.Create(path));
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException)
        {
            throw new HarnessException(WriteFault.Of("--trace", path, e));
        }
    }

    /// <summary>Reports what came before the first project: restore and graph.</summary>
    public void Prepared(string what, long from) => _trace.Span(_main, what, At(from), Now, "preparation");

    /// <summary>Reports a project that a node is done with.</summary>
    public void Project(string node, string title, long from, string result) =>
        _trace.Span(Of(node).Projects, title, At(from), Now, "project", ("what", result));

    /// <summary>Reports what a worker's end of its link did; a span is as long as its writes took together, and stands where the sampled
    /// time begins.</summary>
    /// <param name="node">The node.</param>
    /// <param name="sample">What the worker says.</param>
    /// <param name="queuedHere">What waits at the main node's end, in bytes.</param>
    public void Sample(string node, LinkSample sample, long queuedHere)
    {
        TraceTrack track = Of(node).Writes;
        long took = Math.Min(
            sample.WriteMicros * (TimeProvider.System.TimestampFrequency / 1_000_000), Math.Max(0, sample.To - sample.From));
        if (sample.Writes > 0)
        {
            _trace.Span(track, "write", At(sample.From), At(sample.From + took), "link",
                ("what", string.Create(CultureInfo.InvariantCulture, $"{sample.Writes} writes, {sample.Bytes} bytes")));
        }

        _trace.Count(track, "queued at the worker, bytes", Now, sample.QueuedBytes);
        _trace.Count(track, "queued at the main node, bytes", Now, queuedHere);
    }

    public void Dispose() => _trace.Dispose();

    private TimeSpan Now => TimeProvider.System.GetElapsedTime(_start);

    /// <summary>What began before the trace stands at its begin.</summary>
    private TimeSpan At(long timestamp) => TimeSpan.FromTicks(Math.Max(0, TimeProvider.System.GetElapsedTime(_start, timestamp).Ticks));

    private (TraceTrack Projects, TraceTrack Writes) Of(string node) =>
        _nodes.GetOrAdd(node, static (name, trace) => (trace.AddTrack(name, "projects"), trace.AddTrack(name, "link writes")), _trace);
}
