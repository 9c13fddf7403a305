using System.Globalization;
using Transport.Loads.Events;
using Transport.Loads.Rivals;

namespace Transport.Loads.Workers;

/// <summary>Sends events as fast as they are taken. Order: how many.</summary>
internal sealed class EventsJob(IEventSender sender) : IJob
{
    private readonly EventCatalog _catalog = new();
    private long _next = EventCatalog.FirstId;

    public string Run(string[] order)
    {
        long until = _next + int.Parse(order[0], CultureInfo.InvariantCulture);
        for (; _next < until; _next++)
        {
            sender.Send(_catalog.Make(_next));
        }

        sender.Flush();
        return string.Empty;
    }

    public void Dispose() => sender.Dispose();
}
