using System;
using System.Collections.Generic;
using Transport.Logging;

namespace Transport.Tests.Logging;

/// <summary>A link's place: keeps what was sent, answers what it is reported.</summary>
internal sealed class FakeSink : ILogSink
{
    public List<(LogEvent Event, Lane Lane)> Sent { get; } = [];

    public LevelRules Levels { get; set; } = new(PacketLevel.Trace);

    public SendResult Answer { get; set; } = SendResult.Queued;

    public Exception? Thrown { get; set; }

    public LogEvent Only => Sent.Count == 1 ? Sent[0].Event : throw new InvalidOperationException($"{Sent.Count} events came, not one.");

    public SendResult Send(LogEvent packet, Lane lane, TimeSpan wait)
    {
        if (Thrown is not null)
        {
            throw Thrown;
        }

        if (Answer == SendResult.Queued)
        {
            Sent.Add((packet, lane));
        }

        return Answer;
    }
}
