using System;
using System.Buffers.Binary;
using System.Collections.Generic;
using System.Diagnostics;
using Transport.Loads.Measuring;

namespace Transport.Loads.Events;

/// <summary>Where packets go that carry the time of their sending. Both processes read the same monotonic clock.</summary>
/// <param name="timeAt">Where the time stands in a packet.</param>
/// <param name="template">What every packet holds behind it.</param>
internal sealed class DelaySink(int timeAt, byte[] template) : LoadSink
{
    private readonly List<long> _delays = new(100_000);
    private long _last;

    public void Take(ReadOnlySpan<byte> body)
    {
        long sent = BinaryPrimitives.ReadInt64BigEndian(body.Slice(timeAt));
        int behind = timeAt + sizeof(long);
        if (sent < _last || !body.Slice(behind).SequenceEqual(template.AsSpan(behind)))
        {
            Fail("A packet came out of order or changed on its way.");
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
