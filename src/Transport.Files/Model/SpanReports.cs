using System;
using System.Diagnostics;

namespace Transport.Files;

/// <summary>Reports the spans of one thread to <see cref="FileOutputOptions.OnSpan"/>, if there is one. Safe for any thread.</summary>
internal sealed class SpanReports(Action<FileSpan>? report, string thread)
{
    private Action<FileSpan>? _report = report;   // null after it threw; who still has it may call it once more

    /// <summary>Gets a value indicating whether somebody hears them.</summary>
    public bool AreHeard => _report is not null;

    /// <summary>Gets the time of spans; 0 if nobody hears them.</summary>
    public long Now => AreHeard ? Stopwatch.GetTimestamp() : 0;

    /// <summary>Reports a span that ends now.</summary>
    /// <param name="name">Its name.</param>
    /// <param name="from">Its start, from <see cref="Now"/>.</param>
    /// <param name="path">What it is about, or null.</param>
    public void Span(string name, long from, string? path = null)
    {
        try
        {
            _report?.Invoke(new FileSpan { Thread = thread, Name = name, Path = path, Start = from, End = Stopwatch.GetTimestamp() });
        }
        catch (Exception)
        {
            _report = null;   // a trace never fails what it watches
        }
    }
}
