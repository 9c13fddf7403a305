using System;
using System.IO;
using Transport.Terminal;

namespace BuildHarness;

/// <summary>The file of a <c>--trace</c>: its events, their times, and why it could not be written. Safe for any thread.</summary>
internal sealed class TraceFile : IDisposable
{
    private readonly long _start = TimeProvider.System.GetTimestamp();
    private readonly string _path;

    private TraceFile(string path, ChromeTrace events) => (_path, Events) = (path, events);

    public ChromeTrace Events { get; }

    /// <summary>Gets why not all of it could be written, as a sentence; null if it was.</summary>
    public string? Fault => Events.Failure is { } failed ? WriteFault.Of("--trace", _path, failed) : null;

    public TimeSpan Now => TimeProvider.System.GetElapsedTime(_start);

    /// <exception cref="HarnessException">The file cannot be made.</exception>
    public static TraceFile Create(string path)
    {
        try
        {
            return new TraceFile(path, ChromeTrace.Create(path));
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException)
        {
            throw new HarnessException(WriteFault.Of("--trace", path, e));
        }
    }

    /// <summary>Returns the time of a timestamp. What began before the trace stands at its begin.</summary>
    public TimeSpan At(long timestamp) => TimeSpan.FromTicks(Math.Max(0, TimeProvider.System.GetElapsedTime(_start, timestamp).Ticks));

    public void Dispose() => Events.Dispose();
}
