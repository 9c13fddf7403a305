using System;
using System.Globalization;
using System.Linq;
using System.Threading;
using System.Threading.Tasks;
using Transport.Chaos.Packets;

namespace Transport.Chaos.Standstills;

/// <summary>The worker: sends while it is read, and while it is not.</summary>
internal static class StandstillWorker
{
    /// <summary>Until code is compiled and buffers are there.</summary>
    private static readonly TimeSpan WarmUp = TimeSpan.FromSeconds(3);

    /// <summary>A first standstill, to fill the queue once.</summary>
    private static readonly TimeSpan First = TimeSpan.FromSeconds(1);

    private static readonly TimeSpan Bound = TimeSpan.FromSeconds(60);

    /// <summary>stander MANNER SECONDS RATE.</summary>
    public static async Task<int> RunAsync(string[] args)
    {
        var seconds = TimeSpan.FromSeconds(double.Parse(args[2], CultureInfo.InvariantCulture));
        int rate = int.Parse(args[3], CultureInfo.InvariantCulture);
        var sender = new PacedSender(Enum.Parse<Manner>(args[1]), rate, (int)(seconds.TotalSeconds * rate * 1.1));
        var before = ProcessMemory.Now();
        Link link = await WorkerHost.ConnectAsync();
        sender.Run(link, WarmUp, timed: false);
        SpinWait.SpinUntil(() => link.Receipt.Acknowledged == sender.Queued, Bound);
        Stop(link);
        sender.Run(link, First, timed: true);
        CallTimes first = sender.All;
        sender.Anew();
        Console.WriteLine(StandstillAnswer.FirstOver);
        sender.Finish(link);
        SpinWait.SpinUntil(() => link.Receipt.Acknowledged == sender.Queued + 1, Bound);
        Stop(link);
        var clock = new ClockThread();
        sender.Run(link, seconds, timed: true);
        CallTimes gaps = clock.Stop();
        long queuedBytes = link.Counters.QueuedBytes;
        ProcessMemory more = ProcessMemory.Now() - before;
        Console.WriteLine(StandstillAnswer.Over);
        sender.Finish(link);
        LinkEnd end = await link.CloseAsync("enough", Bound);
        Console.WriteLine(new StandstillAnswer
        {
            Offered = sender.Offered,
            Queued = sender.Queued,
            Full = sender.Full,
            QueuedBytes = queuedBytes,
            More = more,
            FirstCalls = first,
            Calls = sender.All,
            QueuedCalls = sender.Of(queued: true),
            FullCalls = sender.Of(queued: false),
            Clock = gaps,
            ShortestWaitMs = sender.WaitsMs.DefaultIfEmpty(0).Min(),
            LongestWaitMs = sender.WaitsMs.DefaultIfEmpty(0).Max(),
            Clean = end.IsClean,
            Sent = end.Receipt.Sent,
            Acknowledged = end.Receipt.Acknowledged,
            Dropped = end.Receipt.Dropped,
            DroppedByLevel = StandstillAnswer.ByLevel(end.Receipt.DroppedByLevel),
        });
        return end.IsClean ? 0 : 4;
    }

    /// <summary>Has the main node read no more.</summary>
    private static void Stop(Link link)
    {
        long before = link.Receipt.Sent;
        _ = link.TrySend(Hold.Type, default, Lane.Urgent);
        SpinWait.SpinUntil(() => link.Receipt.Sent > before, Bound);
    }
}
