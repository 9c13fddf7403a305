using System.Diagnostics.Tracing;

namespace Transport.Logging;

/// <summary>What goes wrong while logging, for any EventSource listener: the source is named "Transport-Logging".</summary>
[EventSource(Name = "Transport-Logging")]
internal sealed class LoggingEventSource : EventSource
{
    /// <summary>The one source.</summary>
    public static readonly LoggingEventSource Log = new();

    private LoggingEventSource()
    {
    }

    [Event(1, Level = EventLevel.Warning, Message = "an event of category {0} was dropped: {1} while it was made or sent")]
    public void LogFailed(string category, string exception)
    {
        if (IsEnabled())
        {
            WriteEvent(1, category, exception);
        }
    }
}
