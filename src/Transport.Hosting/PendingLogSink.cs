using System;
using System.Collections.Generic;
using System.Globalization;
using System.Threading;
using Microsoft.Extensions.Logging;
using Transport.Logging;

namespace Transport.Hosting;

/// <summary>Keeps a worker's log events until there is a link, then sends them and all later ones over it.</summary>
/// <remarks>
/// Safe from any thread. <see cref="Attach"/> sends what was kept under the gate, and a log call that has seen no link looks again under
/// the gate: so no event is kept after that, and none overtakes those kept before. Neither waits: a full queue drops, and is counted.
/// </remarks>
internal sealed class PendingLogSink : ILogSink
{
    /// <summary>The most events that are kept: a log call must not wait for the link.</summary>
    internal const int MostKept = 1_000;

    private static readonly LevelRules Everything = new(PacketLevel.Trace);

    private readonly object _gate = new();
    private readonly Queue<(LogEvent Event, Lane Lane)> _kept = new();
    private ILogSink? _link;   // set once, under the gate; read by all
    private long _dropped;

    /// <summary>Gets the rules of the link; everything is wanted before there is one.</summary>
    public LevelRules Levels => Volatile.Read(ref _link)?.Levels ?? Everything;

    public SendResult Send(LogEvent packet, Lane lane, TimeSpan wait)
    {
        ILogSink? link = Volatile.Read(ref _link);
        if (link is null)
        {
            lock (_gate)
            {
                link = _link;
                if (link is null)
                {
                    if (_kept.Count == MostKept)
                    {
                        _dropped++;
                        return SendResult.Full;
                    }

                    _kept.Enqueue((packet, lane));
                    return SendResult.Queued;
                }
            }
        }

        return link.Send(packet, lane, wait);
    }

    /// <summary>Sends what was kept and the main node wants, and from now on everything at once.</summary>
    public void Attach(IPacketSender link)
    {
        var sink = new LinkLogSink(link);
        lock (_gate)
        {
            while (_kept.Count > 0)
            {
                (LogEvent packet, Lane lane) = _kept.Dequeue();
                if ((PacketLevel)packet.Level >= sink.Levels.Of(packet.Category)
                    && sink.Send(packet, lane, TimeSpan.Zero) != SendResult.Queued)
                {
                    _dropped++;
                }
            }

            if (_dropped > 0)
            {
                _ = sink.Send(Loss(_dropped), Lane.Normal, TimeSpan.Zero);
            }

            Volatile.Write(ref _link, sink);
        }
    }

    private static LogEvent Loss(long dropped) => new()
    {
        Time = TimeProvider.System.GetUtcNow(),
        Level = LogLevel.Warning,
        Category = typeof(PendingLogSink).Namespace!,
        Message = string.Format(
            CultureInfo.InvariantCulture,
            "{0} log events before the link to the main node were dropped: at most {1} are kept.", dropped, MostKept),
    };
}
