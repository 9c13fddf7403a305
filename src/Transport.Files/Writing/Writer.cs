namespace Transport.Files;

/// <summary>One writer: its track in the trace, if there is one, and what it has done and not yet reported.</summary>
/// <remarks>It reports at the end of each batch: a report takes two locks and may wake a caller.</remarks>
internal sealed class Writer
{
    private readonly ChromeTrace? _trace;
    private readonly TraceTrack _track;

    /// <summary>Initializes a new instance of the <see cref="Writer"/> class.</summary>
    /// <param name="trace">The trace, or null.</param>
    /// <param name="name">The track's name.</param>
    public Writer(ChromeTrace? trace, string name)
    {
        _trace = trace;
        _track = trace?.AddTrack("files", name) ?? default;
    }

    /// <summary>Initializes a new instance of the <see cref="Writer"/> class that uses another's track.</summary>
    /// <param name="other">The other.</param>
    public Writer(Writer other)
    {
        _trace = other._trace;
        _track = other._track;
    }

    /// <summary>Gets or sets the bytes of the memory budget that it freed.</summary>
    public long Freed { get; set; }

    /// <summary>Gets or sets the number of entries that ended.</summary>
    public long Ended { get; set; }

    /// <summary>Gets or sets the number of files that are complete.</summary>
    public long Files { get; set; }

    /// <summary>Gets or sets the number of links.</summary>
    public long Links { get; set; }

    /// <summary>Gets or sets the number of bytes written.</summary>
    public long Bytes { get; set; }

    /// <summary>Gets or sets the directory of the jobs at hand; guarded by the pool's lock.</summary>
    public Folder? Folder { get; set; }

    /// <summary>Gets a value indicating whether there is a trace.</summary>
    public bool IsTraced => _trace is not null;

    /// <summary>Gets the trace's time; 0 without a trace.</summary>
    public long Now => _trace?.Now ?? 0;

    /// <summary>Records a span that ends now.</summary>
    /// <param name="name">Its name.</param>
    /// <param name="from">Its start.</param>
    /// <param name="detail">What it is about, or null.</param>
    public void Span(string name, long from, string? detail = null) => _trace?.Span(_track, name, from, _trace.Now, detail);

    /// <summary>Records the wait of a queued job.</summary>
    /// <param name="from">Its start.</param>
    /// <param name="detail">The job's path.</param>
    public void Waited(long from, string detail) => _trace?.Overlapping(_track, "queued", from, _trace.Now, detail);

    /// <summary>Records a number.</summary>
    /// <param name="name">Its name.</param>
    /// <param name="value">The number.</param>
    public void Count(string name, long value) => _trace?.Count(_track, name, value);
}
