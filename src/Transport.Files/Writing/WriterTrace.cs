using Transport.Diagnostics;

namespace Transport.Files.Writing;

/// <summary>A writer's track in the trace, or nothing at all where there is no trace.</summary>
internal sealed class WriterTrace(ChromeTrace? trace, string name)
{
    private readonly TraceTrack _track = trace?.AddTrack("files", name) ?? default;

    public bool IsOn => trace is not null;

    public long Now => trace?.Now ?? 0;

    public void Span(string name, long from, string? detail = null) => trace?.Span(_track, name, from, trace.Now, detail);

    public void Waited(long from, string detail) => trace?.Overlapping(_track, "queued", from, trace.Now, detail);

    public void Count(string name, long value) => trace?.Count(_track, name, value);
}
