using System;
using System.Collections.Generic;
using System.Diagnostics;
using System.Linq;
using System.Threading;
using Transport.Chaos.Packets;

namespace Transport.Chaos.Standstills;

/// <summary>Sends events of 256 B at a steady rate, and times each call; making the event is not in the time.</summary>
internal sealed class PacedSender(Manner manner, int rate, int mostCalls)
{
    /// <summary>How long a call may wait whose caller must not lose; then it asks again.</summary>
    public static readonly TimeSpan Deadline = TimeSpan.FromMilliseconds(200);

    private const int PayloadBytes = 205;

    private readonly ReadOnlyMemory<byte> _payload = new byte[PayloadBytes];
    private readonly long[] _calls = new long[mostCalls];
    private readonly bool[] _queuedCalls = new bool[mostCalls];
    private int _count;
    private bool _kept;

    /// <summary>Gets the packets that were to be sent, each once however often it was tried.</summary>
    public long Offered { get; private set; }

    public long Queued { get; private set; }

    /// <summary>Gets the calls answered Full, by log level.</summary>
    public long[] Full { get; } = new long[7];

    /// <summary>Gets how long each call waited that was answered Full.</summary>
    public List<double> WaitsMs { get; } = [];

    public CallTimes All => CallTimes.Of(_calls.AsSpan(0, _count));

    /// <summary>Gets those answered Queued, or those that were not.</summary>
    public CallTimes Of(bool queued) => CallTimes.Of([.. _calls.Take(_count).Where((_, i) => _queuedCalls[i] == queued)]);

    /// <summary>Sends for so long.</summary>
    /// <param name="link">Where.</param>
    /// <param name="time">How long.</param>
    /// <param name="timed">Whether calls are noted.</param>
    public void Run(Link link, TimeSpan time, bool timed)
    {
        long interval = Stopwatch.Frequency / rate, due = Stopwatch.GetTimestamp(), end = due
            + (long)(time.TotalSeconds * Stopwatch.Frequency);
        while (due < end)
        {
            // Spins, as a caller that is busy with other work: no sleep is that short.
            while (Stopwatch.GetTimestamp() < due)
            {
                Thread.SpinWait(5);
            }

            Send(link, timed);
            due = _kept ? Stopwatch.GetTimestamp() : due + interval;
        }
    }

    /// <summary>Forgets the times so far.</summary>
    public void Anew() => _count = 0;

    /// <summary>Sends what a caller that must not lose still has.</summary>
    public void Finish(Link link)
    {
        while (_kept)
        {
            Send(link, timed: false);
        }
    }

    private void Send(Link link, bool timed)
    {
        int level = (int)(Offered % 6);   // evenly, so that what each lost can be compared
        var parcel = new Parcel(0, 0, 0, Queued, level, 0, _payload);
        Offered += _kept ? 0 : 1;
        long start = Stopwatch.GetTimestamp();
        SendResult result = manner switch
        {
            Manner.Refuse => link.TrySend(Parcel.Type, parcel, Lane.Normal, LanePolicy.Refuse),
            Manner.Drop => link.TrySend(Parcel.Type, parcel, Lane.Normal, LanePolicy.Drop),
            _ => link.Send(Parcel.Type, parcel, Deadline, Lane.Normal),
        };
        long took = Stopwatch.GetTimestamp() - start;
        bool queued = result == SendResult.Queued;
        if (timed && _count < _calls.Length && (queued || manner != Manner.Wait))
        {
            _calls[_count] = took;
            _queuedCalls[_count++] = queued;
        }

        _kept = !queued && manner == Manner.Wait;
        if (queued)
        {
            Queued++;
        }
        else
        {
            Full[level]++;
        }

        if (_kept)
        {
            WaitsMs.Add(took * 1000.0 / Stopwatch.Frequency);
        }
    }
}
