using System;
using System.Buffers;
using System.Collections.Generic;
using System.Linq;
using Transport.Testing.Buffers;
using Transport.Testing.Links;
using Transport.Testing.Sending;

namespace Transport.Tests.Sending;

/// <summary>Plays a list of numbers as sends and writes on a queue, and keeps its own book of what became of each packet.</summary>
internal sealed class QueueScript
{
    public const int Limit = 64 << 10;

    /// <summary>How far Trace, Debug, Information and Warning fill the queue; the urgent lane's reserve, an eighth, comes on top.</summary>
    private static readonly int[] Percent = [50, 60, 75, 90];

    private static readonly PacketType<Offer> Type = new(1024, "Offer", new OfferFormatter(), level: o => (PacketLevel)o.Level);

    private readonly LanePolicy _normal;
    private readonly AccusingPool _pool = new();
    private readonly SendQueue _queue;
    private readonly List<byte> _wire = [];
    private readonly long[] _droppedByLevel = new long[7];
    private long _offered;
    private long _queued;
    private long _refused;
    private long _largest;
    private Segment? _inFlight;

    /// <summary>Initializes a new instance of the <see cref="QueueScript"/> class.</summary>
    /// <param name="normal">The normal lane's policy.</param>
    /// <param name="failingRent">Which rent of the pool finds no memory; 0: none.</param>
    public QueueScript(LanePolicy normal, int failingRent = 0)
    {
        _normal = normal;
        _pool.FailingRent = failingRent;
        _queue = Queues.Make(_pool, Limit, normal: normal, bulk: LanePolicy.Drop);
    }

    /// <summary>Gets a value indicating whether the rent that finds no memory is still to come.</summary>
    public bool IsFailureAhead => _pool.FailingRent > 0;

    /// <summary>Gets how many packets met each fate: queued, refused, dropped of level 0 to 6.</summary>
    public IEnumerable<long> Fates => [_queued, _refused, .. _droppedByLevel];

    private long DroppedAtSend => _droppedByLevel.Sum();

    /// <summary>Plays one number.</summary>
    /// <returns>What is wrong, or null.</returns>
    public string? Play(int number)
    {
        var dice = new Random(number);
        switch (dice.Next(10))
        {
            case 0:
                Write();
                return null;
            case 1 when _inFlight is null:
                _inFlight = _queue.Take();
                return null;
            default:
                int size = dice.Next(12) == 0 ? dice.Next(1, 200_000) : dice.Next(1, 3_000);
                return Send(new Offer(dice.Next(7), size), (Lane)dice.Next(1, 4),
                    dice.Next(3) switch { 0 => LanePolicy.Drop, 1 => LanePolicy.Refuse, _ => null });
        }
    }

    /// <summary>Ends the direction: cleanly, or with a write that fails.</summary>
    /// <returns>What is wrong, or null.</returns>
    public string? End(bool clean)
    {
        long dropped = DroppedAtSend;
        if (clean)
        {
            _queue.Complete("done");
        }
        else
        {
            if ((_inFlight ??= _queue.Take()) is { } failed)
            {
                _queue.GiveUp(failed);
                _inFlight = null;
            }

            _queue.Break(goodbyeReason: null);
        }

        while (_inFlight is not null || _queue.HasWork())
        {
            Write();
        }

        // As a link does at its end: open segments go back as well.
        _queue.Break(goodbyeReason: null);
        Write();
        _pool.Judge("queue");
        (long all, IReadOnlyDictionary<PacketLevel, long> byLevel) = _queue.Dropped();
        long later = all - dropped;
        bool levels = clean ? _droppedByLevel.SequenceEqual(
            Enumerable.Range(0, 7).Select(level => byLevel.TryGetValue((PacketLevel)level, out long n) ? n : 0))
            : Enumerable.Range(0, 6).All(level => _droppedByLevel[level] == (byLevel.TryGetValue((PacketLevel)level, out long n) ? n : 0));
        return _offered != _queued + _refused + dropped ? $"offered {_offered} = queued {_queued} + refused {_refused} + dropped {dropped}"
            : _queued != _queue.PacketsWritten + later ? $"queued {_queued} = sent {_queue.PacketsWritten} + dropped later {later}"
            : clean && later != 0 ? $"{later} dropped later, though the end was clean"
            : !levels ? "dropped by level: " + string.Join(" ", byLevel) + " instead of " + string.Join(" ", _droppedByLevel)
            : _queue.QueuedBytes != 0 ? $"{_queue.QueuedBytes} bytes never given back"
            : clean ? Reported(all, byLevel) : null;
    }

    private string? Send(Offer offer, Lane lane, LanePolicy? policy)
    {
        long before = _queue.QueuedBytes;
        _offered++;
        SendResult? result = Try(offer, lane, policy);
        if (result is null)
        {
            _offered--;
            return _queue.QueuedBytes != before ? "a packet for which there was no memory was counted" : null;
        }

        long after = _queue.QueuedBytes;
        bool drops = (policy ?? (lane == Lane.Bulk ? LanePolicy.Drop : lane == Lane.Urgent ? LanePolicy.Refuse
            : _normal)) == LanePolicy.Drop;
        if (result == SendResult.Queued)
        {
            _queued++;
            _largest = Math.Max(_largest, after - before);
            long most = Math.Max(Limit, _largest) + (Limit / 8);
            return after > most ? $"{after} bytes are queued; {most} are allowed"
                : drops && offer.Level < 4 && before - (Limit / 8) > Limit / 100 * Percent[offer.Level]
                    ? $"level {offer.Level} was taken where {before} bytes were queued"
                : null;
        }

        if (drops)
        {
            _droppedByLevel[offer.Level]++;
        }
        else
        {
            _refused++;
        }

        if (before == 0 || after != before)
        {
            return before == 0 ? "an empty queue refused a packet" : "a refused packet was counted";
        }

        // The least level first: what is lower finds no capacity where this one did not.
        if (drops && offer.Level is > 0 and < 6)
        {
            _offered++;
            Offer lower = offer with { Level = offer.Level - 1 };
            SendResult? lesser = Try(lower, lane, LanePolicy.Drop);
            if (lesser is SendResult.Queued or SendResult.Closed)
            {
                return $"level {lower.Level} found capacity where level {offer.Level} found none";
            }

            if (lesser is null)
            {
                _offered--;
            }
            else
            {
                _droppedByLevel[lower.Level]++;
            }
        }

        return null;
    }

    /// <returns>Null: it threw, because there was no memory.</returns>
    private SendResult? Try(Offer offer, Lane lane, LanePolicy? policy)
    {
        SendResult result;
        try
        {
            result = _queue.TrySend(new TypedBody<Offer>(Type, offer), lane, policy).Result;
        }
        catch (OutOfMemoryException)
        {
            return null;
        }

        if (result == SendResult.Full)
        {
            _ = _queue.RefusedFor(lane, (PacketLevel)offer.Level, policy);
        }

        return result;
    }

    private void Write()
    {
        Segment? segment = null;
        try
        {
            segment = _inFlight ?? _queue.Take();
        }
        catch (OutOfMemoryException)
        {
            // What it composed itself; the next try may find memory.
        }

        _inFlight = null;
        if (segment is not null)
        {
            _wire.AddRange(segment.Array.Take(segment.Used));
            _queue.Written(segment, 0);
        }
    }

    /// <summary>Compares what the peer is notified with what was dropped.</summary>
    private string? Reported(long dropped, IReadOnlyDictionary<PacketLevel, long> byLevel)
    {
        var reported = new SortedDictionary<PacketLevel, long>();
        long packets = 0;
        foreach (RawFrame frame in RawFrame.ParseAll([.. _wire]).Where(f => f.Lane == 0 && f.Type == RawPeer.Dropped))
        {
            packets += (long)frame.Map["packets"]!;
            foreach (KeyValuePair<string, object?> level in (Dictionary<string, object?>)frame.Map["byLevel"]!)
            {
                var key = (PacketLevel)int.Parse(level.Key, System.Globalization.CultureInfo.InvariantCulture);
                reported[key] = (reported.TryGetValue(key, out long n) ? n : 0) + (long)level.Value!;
            }
        }

        return packets != dropped || !reported.SequenceEqual(byLevel)
            ? $"reported {packets} ({string.Join(" ", reported)}), dropped {dropped} ({string.Join(" ", byLevel)})" : null;
    }

    private sealed record Offer(int Level, int Size);

    private sealed class OfferFormatter : IPacketFormatter<Offer>
    {
        public void Write(IBufferWriter<byte> output, Offer packet) => output.Write(new byte[packet.Size]);

        public Offer Read(in ReadOnlySequence<byte> body) => throw new NotSupportedException();
    }
}
