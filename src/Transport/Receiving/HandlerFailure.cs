namespace Transport;

/// <summary>What a link does if a packet handler throws.</summary>
public enum HandlerFailure
{
    /// <summary>The link ends with <see cref="TransportFault.HandlerFailed"/>, and the peer is notified.</summary>
    EndLink = 0,

    /// <summary>
    /// The failure is reported (<see cref="Transport.PacketRouter.HandlerFailed"/>) and counted
    /// (<see cref="LinkReceipt.HandlerFailures"/>), the packet counts as handled, and the link goes on.
    /// </summary>
    Report = 1,
}
