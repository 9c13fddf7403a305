using System;
using System.Collections.Generic;
using System.Diagnostics;
using System.Linq;
using System.Threading;
using Transport.Chaos.Packets;

namespace Transport.Chaos.Ledgers;

/// <summary>What came from one process: each lane of each producer must come as 0, 1, 2, …, and each byte as it was sent. Written by one
/// receive loop.</summary>
internal sealed class ReceivedBook(int worker, int incarnation)
{
    private const int MostReported = 20;
    private readonly long[] _next = new long[LedgerPage.Producers * 4];
    private readonly List<string> _wrong = [];
    private long _packets;
    private long _bytes;
    private long _quietSince = long.MaxValue;   // the start of a process is no quiet time

    public long Packets => Volatile.Read(ref _packets);

    public long Bytes => Volatile.Read(ref _bytes);

    /// <summary>Gets the longest that an urgent packet was on its way, in ticks of <see cref="Stopwatch"/>: in all, and of those that were
    /// sent and came while neither side was held up on purpose.</summary>
    public (long All, long Undisturbed) WorstUrgent { get; private set; }

    public IReadOnlyList<string> Wrong
    {
        get
        {
            lock (_wrong)
            {
                return [.. _wrong];
            }
        }
    }

    /// <summary>Gets how many packets of a producer came in a lane.</summary>
    public long Came(int producer, Lane lane) => Volatile.Read(ref _next[(producer * 4) + (int)lane]);

    /// <summary>Gets how many packets came in a lane.</summary>
    public long Came(Lane lane) => Enumerable.Range(0, LedgerPage.Producers).Sum(producer => Came(producer, lane));

    /// <summary>Reports that from now on somebody is held up on purpose.</summary>
    public void Disturb() => Volatile.Write(ref _quietSince, long.MaxValue);

    /// <summary>Reports that from now on nobody is any more.</summary>
    public void Calm() => Volatile.Write(ref _quietSince, Stopwatch.GetTimestamp());

    /// <summary>Writes a packet down.</summary>
    public void Take(RawPacket packet)
    {
        try
        {
            Parcel parcel = Parcel.Open(packet.Body, out int bytes);
            Volatile.Write(ref _packets, _packets + 1);
            Volatile.Write(ref _bytes, _bytes + bytes);
            ref long next = ref _next[(parcel.Producer * 4) + (int)packet.Lane];
            if (parcel.Worker != worker || parcel.Incarnation != incarnation)
            {
                Report($"{parcel} came here");
            }
            else if (parcel.Number != next)
            {
                Report($"producer {parcel.Producer}, lane {packet.Lane}: expected number {next}, got {parcel.Number}");
            }

            Volatile.Write(ref next, parcel.Number + 1);
            if (packet.Lane == Lane.Urgent)
            {
                Time(parcel.SentAt);
            }
        }
        catch (Exception e) when (e is FormatException or TransportException or IndexOutOfRangeException)
        {
            Report(e.Message);
        }
    }

    private void Time(long sentAt)
    {
        long late = Stopwatch.GetTimestamp() - sentAt;
        (long all, long undisturbed) = WorstUrgent;
        WorstUrgent = (Math.Max(all, late), sentAt > Volatile.Read(ref _quietSince) ? Math.Max(undisturbed, late) : undisturbed);
    }

    private void Report(string what)
    {
        lock (_wrong)
        {
            if (_wrong.Count < MostReported)
            {
                _wrong.Add(what);
            }
        }
    }
}
