using System;
using System.Collections.Generic;
using System.Threading;

namespace Transport.Links;

/// <summary>One timer for the Pings, silences and pool trims of many links; it stands still while there is no link.</summary>
internal sealed class LinkPulse : IDisposable
{
    private readonly List<Link> _links = [];
    private readonly ITimer _timer;
    private readonly TimeSpan _period;
    private bool _disposed;

    public LinkPulse(LinkOptions options)
    {
        // A quarter of the shortest time to be kept, so that nothing is late by more than that.
        long ticks = Math.Min(options.PingInterval.Ticks, options.SilenceTimeout.Ticks) / 4;
        _period = TimeSpan.FromTicks(Math.Max(ticks, TimeSpan.FromMilliseconds(10).Ticks));
        _timer = options.Clock.CreateTimer(static state => ((LinkPulse)state!).Tick(), this, Timeout.InfiniteTimeSpan, Timeout.InfiniteTimeSpan);
    }

    public void Add(Link link)
    {
        lock (_links)
        {
            _links.Add(link);
            if (_links.Count == 1 && !_disposed)
            {
                _timer.Change(_period, _period);
            }
        }
    }

    public void Remove(Link link)
    {
        lock (_links)
        {
            if (_links.Remove(link) && _links.Count == 0 && !_disposed)
            {
                _timer.Change(Timeout.InfiniteTimeSpan, Timeout.InfiniteTimeSpan);
            }
        }
    }

    public void Dispose()
    {
        lock (_links)
        {
            _disposed = true;
        }

        _timer.Dispose();
    }

    private void Tick()
    {
        Link[] links;
        lock (_links)
        {
            links = [.. _links];
        }

        foreach (Link link in links)
        {
            link.OnPulse();
        }
    }
}
