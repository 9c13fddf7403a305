using System;
using System.Globalization;
using Transport.Loads.Events;

namespace Transport.Loads.Workers;

/// <summary>Sends packets that are bytes already, as fast as they are taken. Order: how many.</summary>
internal sealed class BodiesJob(Link link, BodySet bodies) : IJob
{
    private static readonly TimeSpan s_deadline = TimeSpan.FromSeconds(60);
    private static readonly PacketType<ReadOnlyMemory<byte>> s_type = new(BodySet.Type, "Body", new BytesFormatter());
    private uint _next;

    public string Run(string[] order)
    {
        uint until = _next + uint.Parse(order[0], CultureInfo.InvariantCulture);
        for (; _next != until; _next++)
        {
            Send(link, bodies.Stamped(_next), Lane.Normal);
        }

        return string.Empty;
    }

    public void Dispose() => link.CloseAsync(timeout: TimeSpan.FromSeconds(5)).GetAwaiter().GetResult();

    /// <summary>Sends bytes, and waits for capacity only if there is none.</summary>
    internal static void Send(Link link, ReadOnlyMemory<byte> body, Lane lane)
    {
        SendResult result = link.TrySendRaw(BodySet.Type, body.Span, lane);
        if (result == SendResult.Full)
        {
            result = link.Send(s_type, body, s_deadline, lane);
        }

        if (result != SendResult.Queued)
        {
            throw new LoadException("The link took no packet for a minute, or has ended.");
        }
    }
}
