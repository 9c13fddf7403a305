using System;
using System.Diagnostics;
using System.Globalization;
using System.IO;
using System.Threading;
using System.Threading.Tasks;
using Transport.Journal;
using Transport.Loads.Events;
using Transport.Loads.Journals;
using Transport.Loads.Measuring;

namespace Transport.Loads.Workers;

/// <summary>Sends at a rate through a lane that spills. Orders: <c>run RATE MILLISECONDS</c> answers what was sent, answered Full, the most
/// managed memory more than before, and the distribution of calls; <c>finish</c> waits until all is acknowledged.</summary>
internal sealed class SpillJob : IJob
{
    private readonly SpillingSender _sender;
    private readonly EventCatalog _catalog = new();
    private readonly ManualResetEventSlim _never = new();
    private long _next;

    public SpillJob(string folder, string first)
    {
        _next = long.Parse(first, CultureInfo.InvariantCulture);
        _sender = SpillingSender.Open(
            Path.Combine(folder, "spill"),
            (_, _) => Task.FromResult(SpillTicket.Take(folder)),
            new SpillOptions { MinBackoff = TimeSpan.FromMilliseconds(5), MaxBackoff = TimeSpan.FromMilliseconds(100) });
    }

    public string Run(string[] order) => order[0] == "run" ? Send(Number(order[1]), Number(order[2])) : Finish();

    public void Dispose() => _sender.DisposeAsync().AsTask().GetAwaiter().GetResult();

    private static long Number(string word) => long.Parse(word, CultureInfo.InvariantCulture);

    private string Send(long rate, long milliseconds)
    {
        var calls = new long[rate * milliseconds / 1000];
        long full = 0, most = 0;
        long before = GC.GetTotalMemory(forceFullCollection: true);
        long start = Stopwatch.GetTimestamp(), looked = start;
        for (long sent = 0; sent < calls.Length;)
        {
            long due = Math.Min(calls.Length, (long)(Stopwatch.GetElapsedTime(start).TotalSeconds * rate));
            for (; sent < due; sent++)
            {
                LoadEvent e = _catalog.Make(_next);
                long began = Stopwatch.GetTimestamp();
                SendResult result = _sender.TrySend(LoadEventFormatter.Type, e);
                calls[sent] = Stopwatch.GetTimestamp() - began;
                _next += result == SendResult.Queued ? 1 : 0;
                full += result == SendResult.Full ? 1 : 0;
            }

            if (Stopwatch.GetElapsedTime(looked).TotalMilliseconds >= 500)
            {
                looked = Stopwatch.GetTimestamp();
                most = Math.Max(most, GC.GetTotalMemory(forceFullCollection: true) - before);
            }

            _never.Wait(1);
        }

        SpillStatus done = _sender.Status;
        return string.Create(
            CultureInfo.InvariantCulture, $"{calls.Length - full} {full} {most} {done.Direct} {done.Spilled} {Distribution.Of(calls)}");
    }

    private string Finish()
    {
        long start = Stopwatch.GetTimestamp();
        SpillStatus done = _sender.CloseAsync(TimeSpan.FromSeconds(100)).GetAwaiter().GetResult();
        return string.Create(
            CultureInfo.InvariantCulture, $"{Stopwatch.GetElapsedTime(start).TotalSeconds} {(done.IsDelivered ? 1 : 0)} {done.SentLater}");
    }
}
