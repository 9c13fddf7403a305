using System;
using System.Collections.Concurrent;
using System.Globalization;
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
    private readonly TraceFile _file;
    private readonly ChromeTrace _trace;
    private readonly TraceTrack _main;

    private BuildTrace(TraceFile file)
    {
        (_file, _trace) = (file, file.Events);
        _main = _trace.AddTrack("main node", "preparation");
    }

    /// <inheritdoc cref="TraceFile.Fault"/>
    public string? Fault => _file.Fault;

    /// <inheritdoc cref="TraceFile.Create"/>
    public static BuildTrace Create(string path) => new(TraceFile.Create(path));

    /// <summary>Reports what came before the first project: restore and graph.</summary>
    public void Prepared(string what, long from) => _trace.Span(_main, what, _file.At(from), _file.Now, "preparation");

    /// <summary>Reports a project that a node is done with.</summary>
    public void Project(string node, string title, long from, string result) =>
        _trace.Span(Of(node).Projects, title, _file.At(from), _file.Now, "project", ("what", result));

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
            _trace.Span(track, "write", _file.At(sample.From), _file.At(sample.From + took), "link",
                ("what", string.Create(CultureInfo.InvariantCulture, $"{sample.Writes} writes, {sample.Bytes} bytes")));
        }

        _trace.Count(track, "queued at the worker, bytes", _file.Now, sample.QueuedBytes);
        _trace.Count(track, "queued at the main node, bytes", _file.Now, queuedHere);
    }

    public void Dispose() => _file.Dispose();

    private (TraceTrack Projects, TraceTrack Writes) Of(string node) =>
        _nodes.GetOrAdd(node, static (name, trace) => (trace.AddTrack(name, "projects"), trace.AddTrack(name, "link writes")), _trace);
}
