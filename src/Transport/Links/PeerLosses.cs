using System;
using System.Collections.Generic;

namespace Transport;

/// <summary>What the peer reports that it dropped and refused. Written by the receive thread, read by anybody.</summary>
internal sealed class PeerLosses
{
    private readonly object _gate = new();
    private long _dropped;
    private long[]? _byLevel;
    private long _refused;

    /// <summary>Takes a Dropped packet.</summary>
    public void Take(in ControlFields fields)
    {
        lock (_gate)
        {
            _dropped = Add(_dropped, fields.Packets);
            _byLevel ??= fields.ByLevel is { } first ? new long[first.Length] : null;
            for (int level = 0; level < fields.ByLevel?.Length; level++)
            {
                _byLevel![level] = Add(_byLevel[level], fields.ByLevel[level]);
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

    /// <summary>Returns the packets that the peer dropped, those by log level, and those that it refused (0 before its Goodbye).</summary>
    public (long Dropped, IReadOnlyDictionary<int, long> ByLevel, long Refused) Read()
    {
        lock (_gate)
        {
            return (_dropped, LinkReceipt.ByLevel(_byLevel), _refused);
        }
    }

    /// <summary>Adds what the peer told. A lying peer must not make the sum run over.</summary>
    private static long Add(long sum, long more) => Math.Min(sum, long.MaxValue - more) + more;
}
