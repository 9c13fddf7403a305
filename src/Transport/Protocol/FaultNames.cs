namespace Transport;

/// <summary>The faults whose names are words of the wire: they travel as the reason of Goodbye.</summary>
internal static class FaultNames
{
    /// <summary>Reads a reason.</summary>
    /// <returns>The fault, or <see cref="TransportFault.None"/> for any other text: a clean end.</returns>
    public static TransportFault Parse(string reason) => reason switch
    {
        nameof(TransportFault.FrameCorrupt) => TransportFault.FrameCorrupt,
        nameof(TransportFault.PacketTooLarge) => TransportFault.PacketTooLarge,
        nameof(TransportFault.PacketMalformed) => TransportFault.PacketMalformed,
        nameof(TransportFault.PeerGone) => TransportFault.PeerGone,
        nameof(TransportFault.Timeout) => TransportFault.Timeout,
        nameof(TransportFault.HandlerFailed) => TransportFault.HandlerFailed,
        _ => TransportFault.None,
    };

    /// <summary>Gets the reason to send for a fault; other faults than the wire's words travel as their name too, and mean a clean end to
    /// the peer's parser.</summary>
    public static string ToReason(TransportFault fault) => fault.ToString();
}
