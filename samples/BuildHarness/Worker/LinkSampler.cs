using System;
using System.Threading;
using BuildHarness.Packets;
using Transport;

namespace BuildHarness.Worker;

/// <summary>Reports to the main node fifty times a second what this end of the link has written and what waits; says nothing if nothing
/// happened.</summary>
internal sealed class LinkSampler : IDisposable
{
    private static readonly TimeSpan Interval = TimeSpan.FromMilliseconds(20);
    private readonly Lock _gate = new();
    private readonly Link _link;
    private readonly TimeProvider _clock;
    private readonly ITimer _timer;
    private long _at, _writes, _bytes, _packets, _own;
    private TimeSpan _inWrite;

    public LinkSampler(Link link, TimeProvider clock)
    {
        _link = link;
        _clock = clock;
        _at = clock.GetTimestamp();
        _timer = clock.CreateTimer(_ => Sample(), state: null, Interval, Interval);
    }

    public void Dispose()
    {
        _timer.Dispose();
        Sample();
    }

    private void Sample()
    {
        lock (_gate)
        {
            LinkCounters now = _link.Counters;
            (long at, long writes, long bytes, long packets, TimeSpan inWrite, long queued) =
                (_clock.GetTimestamp(), now.Writes, now.BytesSent, now.PacketsSent, now.TimeInWrite, now.QueuedBytes);
            if (queued > 0 || packets - _packets > _own)
            {
                _own = 1;
                _ = _link.TrySend(LinkSample.PacketType,
                    new LinkSample(_at, at, writes - _writes, bytes - _bytes, (long)(inWrite - _inWrite).TotalMicroseconds, queued));
            }
            else
            {
                _own = 0;   // the last sample's own write is no news, else each would cause the next
            }

            (_at, _writes, _bytes, _packets, _inWrite) = (at, writes, bytes, packets, inWrite);
        }
    }
}
