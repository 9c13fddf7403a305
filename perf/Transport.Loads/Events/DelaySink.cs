using System;
using System.Buffers.Binary;
using System.Collections.Generic;
using System.Diagnostics;
using Transport.Loads.Measuring;
using Transport.Loads.Workers;

namespace Transport.Loads.Events;

/// <summary>Where packets go that carry the time of their sending. Both processes read the same monotonic clock.</summary>
internal sealed class DelaySink : LoadSink
{
    private readonly List<long> _delays = new(100_000);
    private long _last;

    public void Take(ReadOnlySpan<byte> body)
    {
        long sent = BinaryPrimitives.ReadInt64BigEndian(body[BurstJob.TimeAt..]);
        if (sent < _last)
        {
            Fail("A packet came out of order.");
        }

        _last = sent;
        _delays.Add(Stopwatch.GetTimestamp() - sent);
        Came();
    }

    /// <summary>Gives the delays since the last call, once all have come.</summary>
    public Distribution Drain()
    {
        var delays = Distribution.Of(_delays.ToArray());
        _delays.Clear();
        return delays;
    }
}
