using System.Diagnostics.Tracing;

namespace Transport.Journal;

/// <summary>What happens to senders that spill, for any EventSource listener: the source is named "Transport-Spill". Nothing of a packet
/// and no secret is ever an argument.</summary>
[EventSource(Name = "Transport-Spill")]
internal sealed class SpillEventSource : EventSource
{
    /// <summary>The one source.</summary>
    public static readonly SpillEventSource Log = new();

    private SpillEventSource()
    {
    }

    [Event(1, Level = EventLevel.Informational, Message = "{0}: {1}")]
    public void Changed(string what, string message)
    {
        if (IsEnabled())
        {
            WriteEvent(1, what, message);
        }
    }

    [Event(2, Level = EventLevel.Error, Message = "{0} ({1}): {2}")]
    public void Trouble(string what, string fault, string message)
    {
        if (IsEnabled())
        {
            WriteEvent(2, what, fault, message);
        }
    }
}
