namespace Transport;

/// <summary>What a handshake agreed on.</summary>
/// <param name="Peer">The peer.</param>
/// <param name="Level">The least level the listening side wants to be sent.</param>
/// <param name="Leftover">Bytes read behind the handshake's frame: the first of the link.</param>
/// <param name="Name">The listening side's name for the peer; null on the connecting side.</param>
internal sealed record HandshakeResult(LinkPeer Peer, PacketLevel Level, byte[] Leftover, string? Name = null);
