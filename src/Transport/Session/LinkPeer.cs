using System;
using System.Collections.Generic;

namespace Transport;

/// <summary>Who is at the other end of a link: what it said in the handshake, and what the kernel says. Immutable.</summary>
/// <param name="Node">The node name it gave (1 to 64 of A-Z a-z 0-9 . _ -), or empty.</param>
/// <param name="ProcessId">The process id it gave, or null.</param>
/// <param name="App">One string "name/version" that it gave, or empty.</param>
/// <param name="Caps">The capabilities both sides have.</param>
/// <param name="MaxPacket">The largest packet body it takes, in bytes.</param>
/// <param name="Identity">What the kernel says.</param>
public sealed record LinkPeer(string Node, int? ProcessId, string App, IReadOnlyList<string> Caps, int MaxPacket, PeerIdentity Identity)
{
    private const int DefaultMaxPacket = 16 << 20;

    /// <summary>Makes it of the fields of Hello or Welcome.</summary>
    /// <param name="fields">The fields.</param>
    /// <param name="identity">What the kernel says.</param>
    /// <param name="caps">The capabilities both sides have; null: those in the fields.</param>
    internal static LinkPeer From(FieldReader fields, PeerIdentity identity, IReadOnlyList<string>? caps = null) => new(
        fields.Text(Field.Node) ?? string.Empty,
        fields.Number(Field.Pid) is > 0 and <= int.MaxValue and var id ? (int)id : null,
        fields.Text(Field.App) ?? string.Empty,
        caps ?? fields.Words(Field.Caps),
        (int)Math.Min(fields.Number(Field.MaxPacket) ?? DefaultMaxPacket, 1 << 30),
        identity);
}
