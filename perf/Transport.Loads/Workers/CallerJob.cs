using System.Diagnostics;
using System.Globalization;
using System.Threading;
using Transport.Loads.Events;
using Transport.Loads.Measuring;
using Transport.Loads.Rivals;

namespace Transport.Loads.Workers;

/// <summary>Times single sends; making the event is not in the time. Order: how many, how many at once, ticks of the clock between two such
/// groups.</summary>
internal sealed class CallerJob(IEventSender sender) : IJob
{
    private readonly EventCatalog _catalog = new();
    private long _next = EventCatalog.FirstId;

    public string Run(string[] order)
    {
        var calls = new long[int.Parse(order[0], CultureInfo.InvariantCulture)];
        int group = int.Parse(order[1], CultureInfo.InvariantCulture);
        long pause = long.Parse(order[2], CultureInfo.InvariantCulture);
        long due = Stopwatch.GetTimestamp();
        for (int i = 0; i < calls.Length; i++)
        {
            LoadEvent e = _catalog.Make(_next++);
            if (pause > 0 && i % group == 0)
            {
                // Spins, as a caller does that is busy with other work: no sleep is that short.
                while (Stopwatch.GetTimestamp() < due)
                {
                    Thread.SpinWait(10);
                }

                due += pause;
            }

            long start = Stopwatch.GetTimestamp();
            sender.Send(e);
            calls[i] = Stopwatch.GetTimestamp() - start;
        }

        sender.Flush();
        return Distribution.Of(calls).ToString();
    }

    public void Dispose() => sender.Dispose();
}
