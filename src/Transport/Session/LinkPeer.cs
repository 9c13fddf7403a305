using System.Collections.Generic;

namespace Transport;

/// <summary>Who is at the other end of a link: what it said in the handshake, and what the kernel says. Immutable.</summary>
/// <param name="Node">The node name it gave (1 to 64 of A-Z a-z 0-9 . _ -), or empty.</param>
/// <param name="ProcessId">The process id it gave, or null.</param>
/// <param name="App">One string "name/version" that it gave, or empty.</param>
/// <param name="Caps">The capabilities both sides have.</param>
/// <param name="MaxPacket">The largest packet body it takes, in bytes.</param>
/// <param name="Identity">What the kernel says.</param>
public sealed record LinkPeer(string Node, int? ProcessId, string App, IReadOnlyList<string> Caps, int MaxPacket, PeerIdentity Identity);
