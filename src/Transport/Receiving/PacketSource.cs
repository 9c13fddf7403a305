using System;

namespace Transport;

/// <summary>Where the packets of a link come from, for their handlers.</summary>
/// <param name="Sender">Sends to the peer.</param>
/// <param name="Node">The peer's name.</param>
/// <param name="Clock">The link's clock.</param>
internal sealed record PacketSource(IPacketSender Sender, string Node, TimeProvider Clock);
