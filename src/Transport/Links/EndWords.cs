using System;

namespace Transport;

/// <summary>What a link's end says of a close that did not come to its end.</summary>
internal sealed class EndWords(LinkOptions options, AckLedger acks)
{
    /// <summary>Gets the time of a close, and the option that sets it.</summary>
    private string Within => FormattableString.Invariant($"within {options.CloseTimeout.TotalSeconds:0.###} s (LinkOptions.CloseTimeout).");

    /// <summary>The peer has said Goodbye, and this side has not come so far in time.</summary>
    public string Overdue(PacketDispatcher packets)
    {
        long handled = packets.Handled, safe = packets.Safe;
        string late = packets.Unread?.Oldest.Loop is { } loop
                ? $"this side's loop over {loop.Name} (PacketRouter.ReadAllAsync) did not take all: {handled} of {packets.Dispatched} packets are handled"
            : safe < handled ? $"this side's store (PacketRouter.UseStore) flushed {safe} of {handled} packets"
            : "what is queued could not be sent";
        return $"Closing: the peer said Goodbye, but {late} {Within}";
    }

    /// <summary>Both sides have said Goodbye, and not everything is acknowledged.</summary>
    public string Unacknowledged(TransportFault fault) =>
        FormattableString.Invariant($"Both sides said Goodbye, but the peer did not acknowledge {acks.Missing} packets ")
        + (fault == TransportFault.Timeout ? Within : "before it closed.");
}
