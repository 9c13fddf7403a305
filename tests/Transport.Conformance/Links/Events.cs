using System.Collections.Concurrent;
using System.Collections.Generic;
using System.Diagnostics.Tracing;
using System.Linq;

namespace Transport.Conformance.Links;

/// <summary>Every event of the library, with all that it says.</summary>
internal sealed class Events : EventListener
{
    private readonly ConcurrentQueue<string> _texts = new();

    public IEnumerable<string> Texts => _texts;

    protected override void OnEventSourceCreated(EventSource eventSource)
    {
        if (eventSource.Name == "Transport-Link")
        {
            EnableEvents(eventSource, EventLevel.Verbose);
        }
    }

    protected override void OnEventWritten(EventWrittenEventArgs eventData) =>
        _texts?.Enqueue(string.Join(" ", (eventData.Payload ?? (IEnumerable<object?>)[]).Select(p => p?.ToString())));
}
