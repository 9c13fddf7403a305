using System;

namespace Transport;

/// <summary>What a link's end says of its cause.</summary>
internal sealed class EndWords(LinkOptions options, AckLedger acks)
{
    /// <summary>Gets the time of a close, and the option that sets it.</summary>
    private string Within => FormattableString.Invariant($"within {options.CloseTimeout.TotalSeconds:0.###} s (LinkOptions.CloseTimeout).");

    /// <summary>Gives the words for the cause of an end that is not clean.</summary>
    /// <param name="from">Where the link stood.</param>
    /// <param name="linkEvent">What has decided it.</param>
    /// <param name="fault">The fault.</param>
    /// <param name="said">What the event says, or how the stream had ended before; null: nothing.</param>
    /// <param name="writeError">How writing had failed; null: it had not.</param>
    /// <param name="packets">What has come.</param>
    public LinkCause Of(
        LinkPhase from, LinkEvent linkEvent, TransportFault fault, LinkCause? said, Exception? writeError, PacketDispatcher packets)
    {
        // The words for the end of a stream say that no Goodbye came before it.
        bool isBoth = from is LinkPhase.Finishing or LinkPhase.AnsweringAtEnd or LinkPhase.WriteBrokenBoth
            || linkEvent == LinkEvent.AnswerWritten;
        bool isPeerClosed = isBoth || from is LinkPhase.PeerClosedAtEnd or LinkPhase.WriteBrokenPeerClosed;
        bool isStreamEnd = fault == TransportFault.PeerGone && linkEvent != LinkEvent.PeerGone;
        if (said is not null && said.Fault == fault && !(isPeerClosed && isStreamEnd))
        {
            return said;
        }

        string reason = isBoth ? Unacknowledged(fault, packets)
            : isPeerClosed ? "The peer said Goodbye, but closed before it had this side's."
            : fault == TransportFault.PeerGone ? "Closing: writing failed, and the peer did not close."
            : Overdue(packets);
        return new LinkCause(fault, reason, said?.Exception ?? writeError);
    }

    /// <summary>The peer has said Goodbye, and this side has not come so far in time.</summary>
    private string Overdue(PacketDispatcher packets) =>
        $"Closing: the peer said Goodbye, but {Unsettled(packets) ?? "what is queued could not be sent"} {Within}";

    /// <summary>Both sides have said Goodbye, and not everything is acknowledged.</summary>
    private string Unacknowledged(TransportFault fault, PacketDispatcher packets)
    {
        string what = acks.Missing == 0 && Unsettled(packets) is { } here ? here
            : FormattableString.Invariant($"the peer did not acknowledge {acks.Missing} packets");
        string when = fault == TransportFault.Timeout ? Within : acks.Missing == 0 ? "when the peer closed." : "before it closed.";
        return $"Both sides said Goodbye, but {what} {when}";
    }

    private static string? Unsettled(PacketDispatcher packets)
    {
        long handled = packets.Handled, safe = packets.Safe;
        return packets.Unread?.Oldest.Loop is { } loop
                ? $"this side's loop over {loop.Name} (PacketRouter.ReadAllAsync) did not take all: {handled} of {packets.Dispatched} packets "
                    + "are handled"
            : safe < handled ? $"this side's store (PacketRouter.UseStore) flushed {safe} of {handled} packets"
            : null;
    }
}
