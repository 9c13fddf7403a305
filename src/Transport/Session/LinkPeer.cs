using System;
using System.Collections.Generic;
using System.Linq;

namespace Transport;

/// <summary>Who is at the other end of a link: what it said in the handshake, and what the kernel says. Immutable.</summary>
public sealed record LinkPeer
{
    private const int DefaultMaxPacket = 16 << 20;

    /// <summary>Gets the node name that it gave: 1 to 64 of A-Z a-z 0-9 . _ -, or empty.</summary>
    public string Node { get; init; } = string.Empty;

    /// <summary>Gets the process id that it gave, or null.</summary>
    public int? ProcessId { get; init; }

    /// <summary>Gets one string "name/version" that it gave, or empty.</summary>
    public string App { get; init; } = string.Empty;

    /// <summary>Gets the largest packet body that it takes, in bytes.</summary>
    public int MaxPacketBytes { get; init; } = DefaultMaxPacket;

    /// <summary>Gets the identity that the kernel reports.</summary>
    public PeerIdentity Identity { get; init; } = new();

    /// <summary>Gets a value indicating whether it can be asked to finish.</summary>
    internal bool TakesStop { get; init; }

    /// <summary>Gets a value indicating whether requests between the two sides may have items before their answer.</summary>
    internal bool Streams { get; init; }

    /// <summary>Gets how it names packet types, in its own words, in reports; null if it names none.</summary>
    internal IReadOnlyDictionary<ushort, string>? Names { get; init; }

    /// <summary>Gets the tables that both sides offer.</summary>
    internal TableCaps Tables { get; init; }

    /// <summary>Returns what a person wants to know first.</summary>
    /// <returns>For example <c>n3 (pid 4711, tool/1.2)</c>; fit for a terminal.</returns>
    public override string ToString()
    {
        string name = Node.Length > 0 ? Node : "a peer without a name";
        string process = (ProcessId ?? Identity.ProcessId) is { } id ? FormattableString.Invariant($"pid {id}") : "pid unknown";
        return TerminalText.Line(App.Length > 0 ? $"{name} ({process}, {App})" : $"{name} ({process})");
    }

    /// <summary>Makes it of the fields of Hello or Welcome.</summary>
    /// <param name="fields">The fields.</param>
    /// <param name="identity">What the kernel says.</param>
    /// <param name="caps">What both sides can do.</param>
    internal static LinkPeer From(FieldReader fields, PeerIdentity identity, TableCaps caps) => new()
    {
        Node = fields.Text(Field.Node) ?? string.Empty,
        ProcessId = fields.Number(Field.Pid) is > 0 and <= int.MaxValue and var id ? (int)id : null,
        App = fields.Text(Field.App) ?? string.Empty,
        Tables = caps,
        MaxPacketBytes = (int)Math.Min(fields.Number(Field.MaxPacket) ?? DefaultMaxPacket, 1 << 30),
        Identity = identity,
        TakesStop = fields.Words(Field.Caps).Contains(LinkCaps.Stop),
        Streams = fields.Words(Field.Caps).Contains(LinkCaps.Streams),
        Names = fields.Names(Field.Names),
    };
}
