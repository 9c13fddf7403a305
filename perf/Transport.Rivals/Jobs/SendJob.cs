using System;
using System.Diagnostics;
using System.Globalization;
using System.Threading.Tasks;
using Transport.Loads.Events;
using Transport.Loads.Measuring;
using Transport.Loads.Workers;
using Transport.Rivals.Peers;

namespace Transport.Rivals.Jobs;

/// <summary>The sending end. Orders: a number of packets; <c>ping N</c>: the median and the 99th percentile of N round trips, in us;
/// <c>flood FILE</c>: sends bursts until it is killed (<see cref="Bursts"/>); <c>pace N SECONDS</c>: N events a second, and
/// what a loop that must not wait sees.</summary>
internal sealed class SendJob : IJob
{
    private readonly EventCatalog _catalog = new();
    private readonly BodySet? _bodies;
    private readonly IPeerSender _sender;
    private long _next;
    private uint _nextBody;

    public SendJob(string peer, string what, string address, int number)
    {
        _bodies = what == "decoded" ? null : BodySet.Make(what);
        _next = EventCatalog.FirstId + (number * PeerSink.Stride);
        _sender = PeerList.Named(peer).ConnectAsync(address).GetAwaiter().GetResult();
    }

    public string Run(string[] order)
    {
        Task<string> work = order[0] switch
        {
            "ping" => PingAsync(int.Parse(order[1], CultureInfo.InvariantCulture)),
            "flood" => Flood(order[1]),
            "pace" => PaceAsync(int.Parse(order[1], CultureInfo.InvariantCulture), int.Parse(order[2], CultureInfo.InvariantCulture)),
            "memory" => Task.FromResult(FormattableString.Invariant($"{ProcessState.PeakBytes() / 1024}")),
            _ => SendAsync(int.Parse(order[0], CultureInfo.InvariantCulture)),
        };
        return work.GetAwaiter().GetResult();
    }

    public void Dispose() => _sender.Dispose();

    private async Task<string> SendAsync(int count)
    {
        for (int i = 0; i < count; i++)
        {
            if (_bodies is null)
            {
                await _sender.SendAsync(_catalog.Make(_next++)).ConfigureAwait(false);
            }
            else
            {
                await _sender.SendBodyAsync(_bodies.Stamped(_nextBody++)).ConfigureAwait(false);
            }
        }

        await _sender.FlushAsync().ConfigureAwait(false);
        return string.Empty;
    }

    private async Task<string> PingAsync(int count)
    {
        var times = new double[count];
        for (int i = 0; i < count; i++)
        {
            long start = Stopwatch.GetTimestamp();
            await _sender.PingAsync().ConfigureAwait(false);
            times[i] = Stopwatch.GetElapsedTime(start).TotalMicroseconds;
        }

        Array.Sort(times);
        return FormattableString.Invariant($"{times[count / 2]:f1} {times[count * 99 / 100]:f1}");
    }

    private Task<string> Flood(string file)
    {
        _ = Task.Run(() => Bursts.SendAsync(file, _ => _sender.SendAsync(_catalog.Make(_next++))));
        return Task.FromResult(string.Empty);
    }

    /// <summary>Ten events a tick; the longest call, the calls over a millisecond, what was not taken, and how far behind its own clock the
    /// loop ended.</summary>
    private async Task<string> PaceAsync(int perSecond, int seconds)
    {
        const int Burst = 10;
        double longest = 0;
        long refused = 0;
        var clock = Stopwatch.StartNew();
        for (int sent = 0; sent < perSecond * seconds; sent += Burst)
        {
            TimeSpan due = TimeSpan.FromSeconds((double)sent / perSecond);
            while (clock.Elapsed < due)
            {
                await Task.Delay(1).ConfigureAwait(false);
            }

            for (int i = 0; i < Burst; i++)
            {
                LoadEvent e = _catalog.Make(_next);
                long start = Stopwatch.GetTimestamp();
                bool taken = await _sender.OfferAsync(e).ConfigureAwait(false);
                longest = Math.Max(longest, Stopwatch.GetElapsedTime(start).TotalMilliseconds);
                refused += taken ? 0 : 1;
                _next += taken ? 1 : 0;
            }
        }

        double behind = clock.Elapsed.TotalSeconds - seconds;
        return FormattableString.Invariant($"{longest:f2} {refused} {behind:f2} {ProcessState.PeakBytes() / 1024}");
    }
}
