namespace Transport.Loads.Events;

/// <summary>Where every receiver gives its events: checks each one, whole, and its place in the order.</summary>
internal sealed class EventSink(EventCatalog catalog) : LoadSink
{
    private long _next = EventCatalog.FirstId;

    public void Take(LoadEvent e)
    {
        if (!catalog.IsEvent(e, _next))
        {
            Fail($"Expected event {_next}, got event {e.Id} ({(e.Id == _next ? "changed on its way" : "out of order")}).");
        }

        _next++;
        Came();
    }
}
