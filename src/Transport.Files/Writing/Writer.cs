using System;

namespace Transport.Files;

/// <summary>One writer: its spans, if somebody hears them, and what it has done and not yet reported.</summary>
/// <remarks>It reports at the end of each batch: a report takes two locks and may wake a caller.</remarks>
internal sealed class Writer
{
    /// <summary>Initializes a new instance of the <see cref="Writer"/> class.</summary>
    /// <param name="report">Who hears of its spans, or null.</param>
    /// <param name="name">Its name.</param>
    public Writer(Action<FileSpan>? report, string name) => Spans = new SpanReports(report, name);

    /// <summary>Initializes a new instance of the <see cref="Writer"/> class that reports as another does.</summary>
    /// <param name="other">The other.</param>
    public Writer(Writer other) => Spans = other.Spans;

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

    /// <summary>Gets its spans.</summary>
    public SpanReports Spans { get; }
}
