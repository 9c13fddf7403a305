using System;
using System.Collections.Generic;
using System.Linq;

namespace Transport;

/// <summary>What the peer reports that it dropped and refused. Written by the receive thread, read by anybody.</summary>
internal sealed class PeerLosses
{
    private readonly object _gate = new();
    private long _dropped;
    private readonly long[] _byLevel = new long[DropLedger.Levels];
    private long _refused;
    private HandlerMisses _misses;

    /// <summary>Takes a Dropped packet.</summary>
    /// <exception cref="TransportException"><see cref="TransportFault.PacketMalformed"/>: it counts more by level than in all.</exception>
    public void Take(FieldReader fields)
    {
        long packets = fields.NumberOrZero(Field.Packets);
        long[] byLevel = fields.Counts(Field.ByLevel) ?? [];
        if (byLevel.Aggregate(0L, Add) > packets)
        {
            string what = $"A control packet: Dropped reports {packets} packets, and of more by level.";
            throw new TransportException(TransportFault.PacketMalformed, what);
        }

        lock (_gate)
        {
            _dropped = Add(_dropped, packets);
            for (int level = 0; level < byLevel.Length; level++)
            {
                _byLevel[level] = Add(_byLevel[level], byLevel[level]);
            }
        }
    }

    /// <summary>Takes what the peer's Goodbye says.</summary>
    public void TakeRefused(long packets)
    {
        lock (_gate)
        {
            _refused = packets;
        }
    }

    /// <summary>Gets, of the packets that the peer has acknowledged, those that it did not handle.</summary>
    public HandlerMisses Misses
    {
        get
        {
            lock (_gate)
            {
                return _misses;
            }
        }
    }

    /// <summary>Takes what the peer's Ack says of packets that it did not handle; the numbers only rise.</summary>
    public void TakeMisses(HandlerMisses misses)
    {
        lock (_gate)
        {
            _misses = new HandlerMisses(Math.Max(_misses.Unhandled, misses.Unhandled), Math.Max(_misses.Failed, misses.Failed));
        }
    }

    /// <summary>Returns the packets that the peer dropped, those by log level, and those that it refused (0 before its Goodbye).</summary>
    public (long Dropped, IReadOnlyDictionary<PacketLevel, long> ByLevel, long Refused) Read()
    {
        lock (_gate)
        {
            return (_dropped, LinkReceipt.ByLevel(_byLevel), _refused);
        }
    }

    /// <summary>Adds what the peer reported. A lying peer must not make the sum run over.</summary>
    private static long Add(long sum, long more) => Math.Min(sum, long.MaxValue - more) + more;
}
