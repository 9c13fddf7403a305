using System;
using System.Linq;
using System.Text;

namespace Transport;

/// <summary>The fields that a reader knows of each control and handshake packet: the tables of PROTOCOL.md. Others are skipped.</summary>
internal static class FieldTable
{
    /// <summary>The most characters of a text in the handshake.</summary>
    private const int MaxText = 1024;

    /// <summary>How many fields there are.</summary>
    public const int Fields = (int)Field.Failed + 1;

    /// <summary>The most packet types that Hello names: it is one frame.</summary>
    public const int MaxNames = 128;

    /// <summary>The most characters of such a name.</summary>
    public const int MaxName = 128;

    private static readonly FieldRule[] Peer =
    [
        new(Field.Node, FieldKind.NodeName, Most: MaxText),
        new(Field.Pid, FieldKind.Number),
        new(Field.App, FieldKind.Text, Most: MaxText),
        new(Field.Caps, FieldKind.Words, Most: 256),
        new(Field.MaxPacket, FieldKind.Number, Least: 64 << 10),
    ];

    private static readonly FieldRule[] Pulse =
    [
        new(Field.Id, FieldKind.Number, FieldNeed.Required, Least: 0),
        new(Field.QueuedBytes, FieldKind.Number, Least: 0),
        new(Field.OldestMs, FieldKind.Number, Least: 0),
    ];

    /// <summary>By packet type.</summary>
    private static readonly FieldRule[][] Rules =
    [
        [],
        WithPeer(
            new(Field.Protocol, FieldKind.Text, FieldNeed.NotNil, Most: MaxText),
            new(Field.Min, FieldKind.Number, FieldNeed.NotNil),
            new(Field.Max, FieldKind.Number, FieldNeed.NotNil),
            new(Field.Secret, FieldKind.Bytes, FieldNeed.NotNil, Least: LinkSecret.Length, Most: LinkSecret.Length),
            new(Field.Names, FieldKind.NamesByType, Most: MaxNames)),
        WithPeer(new(Field.Version, FieldKind.Number, FieldNeed.NotNil), new(Field.Level, FieldKind.Number, Least: 0, Most: 6)),
        [new(Field.Code, FieldKind.Text, Most: MaxText), new(Field.Message, FieldKind.Text, Most: MaxText)],
        [
            new(Field.Packets, FieldKind.Number, FieldNeed.Required, Least: 0),
            new(Field.Reason, FieldKind.Text),
            new(Field.Refused, FieldKind.Number, Least: 0),
            new(Field.Detail, FieldKind.Text),
        ],
        [
            new(Field.Packets, FieldKind.Number, FieldNeed.Required, Least: 0),
            new(Field.Unhandled, FieldKind.Number, Least: 0),
            new(Field.Failed, FieldKind.Number, Least: 0),
        ],
        Pulse,
        Pulse,
        [
            new(Field.Level, FieldKind.Number, FieldNeed.Required, Least: 0, Most: 6),
            new(Field.Categories, FieldKind.LevelsByText, Least: 0, Most: 6),
        ],
        [
            new(Field.Lane, FieldKind.Number, FieldNeed.Required, Least: 1, Most: 3),
            new(Field.Packets, FieldKind.Number, FieldNeed.Required, Least: 0),
            new(Field.ByLevel, FieldKind.CountsByLevel),
        ],
        [],
        [new(Field.Reason, FieldKind.Text)],
    ];

    private static readonly byte[][] Keys = [.. Enum.GetNames(typeof(Field)).Select(n => Encoding.ASCII.GetBytes(Text(n)))];

    /// <summary>Returns the fields of a packet type, <see cref="ControlType.Hello"/> to <see cref="ControlType.Stop"/>.</summary>
    public static ReadOnlySpan<FieldRule> Of(ushort type) => Rules[type];

    /// <summary>Returns a field's key on the wire.</summary>
    public static ReadOnlySpan<byte> KeyOf(Field field) => Keys[(int)field];

    /// <summary>Returns a field's key for people.</summary>
    public static string NameOf(Field field) => Text(field.ToString());

    /// <summary>A packet's own fields with those that both sides say of themselves. By Array.Copy: a list of these would be compiled before
    /// the first Hello.</summary>
    private static FieldRule[] WithPeer(params FieldRule[] own)
    {
        var all = new FieldRule[own.Length + Peer.Length];
        Array.Copy(own, all, own.Length);
        Array.Copy(Peer, 0, all, own.Length, Peer.Length);
        return all;
    }

    private static string Text(string name) => char.ToLowerInvariant(name[0]) + name.Substring(1);
}
