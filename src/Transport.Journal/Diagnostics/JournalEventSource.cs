using System.Diagnostics.Tracing;

namespace Transport.Journal;

/// <summary>
/// What happens to journals, for any EventSource listener (dotnet-trace, PerfView, EventListener): the source is named
/// "Transport-Journal". Nothing of a packet is ever an argument.
/// </summary>
[EventSource(Name = "Transport-Journal")]
internal sealed class JournalEventSource : EventSource
{
    /// <summary>The one source.</summary>
    public static readonly JournalEventSource Log = new();

    private JournalEventSource()
    {
    }

    [Event(1, Level = EventLevel.Informational, Message = "{0} was opened, back end {1}: {2}")]
    public void Opened(string directory, string backEnd, string reason)
    {
        if (IsEnabled())
        {
            WriteEvent(1, directory, backEnd, reason);
        }
    }

    [Event(2, Level = EventLevel.Warning, Message = "{0}")]
    public void Repaired(string line)
    {
        if (IsEnabled())
        {
            WriteEvent(2, line);
        }
    }

    [Event(3, Level = EventLevel.Error, Message = "{0} takes nothing more ({1}): {2}")]
    public void Failed(string directory, string fault, string message)
    {
        if (IsEnabled())
        {
            WriteEvent(3, directory, fault, message);
        }
    }

    [Event(4, Level = EventLevel.Warning, Message = "{0} has no space for another segment ({1}): {2}")]
    public void NoCapacity(string directory, string fault, string message)
    {
        if (IsEnabled())
        {
            WriteEvent(4, directory, fault, message);
        }
    }
}
