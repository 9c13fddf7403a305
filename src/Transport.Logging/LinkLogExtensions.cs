using System;
using Microsoft.Extensions.Logging;

namespace Transport.Logging;

/// <summary>Log events and progress over a link, or another sender of packets, without a logger factory.</summary>
public static class LinkLogExtensions
{
    /// <summary>Sends one event, dated now. Never blocks.</summary>
    /// <param name="sender">The link to the main node, or another sender of packets.</param>
    /// <param name="level">Trace to Critical.</param>
    /// <param name="category">The category.</param>
    /// <param name="message">The message, formatted.</param>
    /// <param name="exception">An exception to be sent as text, or null.</param>
    /// <returns>Queued, also if the main node wants no such events (nothing is sent then); Full or Closed: the event was not
    /// taken.</returns>
    /// <exception cref="ArgumentNullException"><paramref name="sender"/>, <paramref name="category"/> or <paramref name="message"/> is
    /// null.</exception>
    /// <exception cref="ArgumentOutOfRangeException">The level is None or unknown.</exception>
    /// <exception cref="TransportException"><see cref="TransportFault.PacketTooLarge"/>: larger than the peer takes.</exception>
    public static SendResult Log(this IPacketSender sender, LogLevel level, string category, string message, Exception? exception = null)
    {
        if (sender is null)
        {
            throw new ArgumentNullException(nameof(sender));
        }

        if (level is < LogLevel.Trace or > LogLevel.Critical)
        {
            throw new ArgumentOutOfRangeException(nameof(level), level, "The level is Trace to Critical.");
        }

        _ = category ?? throw new ArgumentNullException(nameof(category));
        _ = message ?? throw new ArgumentNullException(nameof(message));
        if ((PacketLevel)level < sender.Levels.Of(category))
        {
            return SendResult.Queued;
        }

        return sender.TrySend(LogEvent.PacketType, new LogEvent
        {
            Time = TimeProvider.System.GetUtcNow(),
            Level = level,
            Category = category,
            Message = message,
            Exception = exception is null ? null : InvariantText.Of(exception),
        });
    }

    /// <summary>Reports how far a piece of work has come, dated now. Never blocks.</summary>
    /// <param name="sender">The link to the main node, or another sender of packets.</param>
    /// <param name="id">The number of the piece of work; the caller's own.</param>
    /// <param name="done">How much is done, in any unit.</param>
    /// <param name="total">How much there is in all; null if nobody knows.</param>
    /// <param name="text">A text for people.</param>
    /// <returns>Queued; Full or Closed: the packet was not taken.</returns>
    public static SendResult Report(this IPacketSender sender, long id, long done, long? total = null, string text = "")
    {
        if (sender is null)
        {
            throw new ArgumentNullException(nameof(sender));
        }

        _ = text ?? throw new ArgumentNullException(nameof(text));
        return sender.TrySend(ProgressPacket.PacketType, new ProgressPacket
        {
            Time = TimeProvider.System.GetUtcNow(), Id = id, Done = done, Total = total, Text = text,
        });
    }
}
