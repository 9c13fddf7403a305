using System;
using System.Diagnostics;
using System.Globalization;
using Transport.Loads.Events;
using Transport.Loads.Measuring;
using Transport.Loads.Rivals;

namespace Transport.Loads.Workers;

/// <summary>Sends to a receiver that cannot follow, and looks at what waits. Order: how many. One round a process, so that nothing is left
/// over from the last.</summary>
/// <remarks>Answers: wire bytes queued at the end, managed bytes more than before (after a full collection), private memory more than
/// before, sends answered Full, then the distribution of the calls that were not.</remarks>
internal sealed class SlowJob(string address, string budget) : IJob
{
    private const int WarmUp = 2_000;

    private readonly Link _link = WorkerLink.Connect(address, new LinkOptions
    {
        MaxQueuedBytes = long.Parse(budget, CultureInfo.InvariantCulture),
    });
    private readonly EventCatalog _catalog = new();
    private long _next = EventCatalog.FirstId;

    public string Run(string[] order)
    {
        var calls = new long[int.Parse(order[0], CultureInfo.InvariantCulture) - WarmUp];
        for (int i = 0; i < WarmUp; i++)
        {
            Send(_catalog.Make(_next++));
        }

        long queuedBefore = _link.Counters.QueuedBytes;
        long managed = GC.GetTotalMemory(forceFullCollection: true);
        long own = ProcessState.PrivateBytes();
        long full = 0;
        for (int i = 0; i < calls.Length; i++)
        {
            LoadEvent e = _catalog.Make(_next++);
            long start = Stopwatch.GetTimestamp();
            SendResult result = _link.TrySend(LoadEventFormatter.Type, e);
            calls[i] = Stopwatch.GetTimestamp() - start;
            if (result == SendResult.Full)
            {
                full++;
                Send(e);
            }
        }

        managed = GC.GetTotalMemory(forceFullCollection: true) - managed;
        long queued = _link.Counters.QueuedBytes - queuedBefore;
        own = ProcessState.PrivateBytes() - own;
        return string.Create(CultureInfo.InvariantCulture, $"{queued} {managed} {own} {full} {Distribution.Of(calls)}");
    }

    public void Dispose() => _link.CloseAsync(timeout: TimeSpan.FromSeconds(20)).GetAwaiter().GetResult();

    private void Send(LoadEvent e)
    {
        if (_link.Send(LoadEventFormatter.Type, e, TimeSpan.FromSeconds(60)) != SendResult.Queued)
        {
            throw new LoadException("The link took no event for a minute, or has ended.");
        }
    }
}
