namespace Transport.Files;

/// <summary>One writer: its track in the trace (or nothing at all where there is none), and the memory that it has freed and not yet told of.</summary>
internal sealed class Writer
{
    private readonly ChromeTrace? _trace;
    private readonly TraceTrack _track;

    public Writer(ChromeTrace? trace, string name)
    {
        _trace = trace;
        _track = trace?.AddTrack("files", name) ?? default;
    }

    /// <summary>Initializes a new instance of the <see cref="Writer"/> class that shows on another's track.</summary>
    public Writer(Writer other)
    {
        _trace = other._trace;
        _track = other._track;
    }

    /// <summary>Gets or sets the bytes freed. Told together: each telling takes a lock, and may wake a caller.</summary>
    public long Freed { get; set; }

    /// <summary>Gets or sets the directory of the jobs at hand; under the pool's lock.</summary>
    public Folder? Folder { get; set; }

    /// <summary>Gets a value indicating whether there is a trace.</summary>
    public bool IsTraced => _trace is not null;

    public long Now => _trace?.Now ?? 0;

    public void Span(string name, long from, string? detail = null) => _trace?.Span(_track, name, from, _trace.Now, detail);

    public void Waited(long from, string detail) => _trace?.Overlapping(_track, "queued", from, _trace.Now, detail);

    public void Count(string name, long value) => _trace?.Count(_track, name, value);
}
