namespace Transport;

/// <summary>What the peer has put into this side's tables, lane by lane; made when the first entry comes. The receive loop's.</summary>
/// <param name="strings">Both sides have <c>strings</c>.</param>
/// <param name="maps">Both sides have <c>maps</c>.</param>
/// <param name="maxPacket">The most bytes of a packet that is written out.</param>
internal sealed class LaneTables(bool strings, bool maps, int maxPacket)
{
    private readonly TablePacket?[] _lanes = new TablePacket?[4];

    /// <summary>Gets the tables of a lane, or null where nothing was set.</summary>
    public ReceiveTables? Of(Lane lane) => _lanes[(int)lane]?.Tables;

    /// <summary>Forgets all of them: the link is over.</summary>
    public void Clear() => System.Array.Clear(_lanes, 0, _lanes.Length);

    /// <summary>Checks a packet's body.</summary>
    /// <returns>The packet, with the tables that its references are to.</returns>
    /// <exception cref="TransportException"><see cref="TransportFault.PacketMalformed"/>: it is not one valid value, or refers to what was never set.</exception>
    public RawPacket Check(in RawPacket packet)
    {
        if (!TableTypes.MayRefer(packet.Type))
        {
            MessagePackValue.Check(packet.Encoded.Span);
            return packet;
        }

        TablePacket? tables = _lanes[(int)packet.Lane];
        var references = new RefCheck(tables?.Tables);
        MessagePackValue.Check(packet.Encoded.Span, ref references);
        return references.Found ? packet with { Tables = tables!.Hold(packet.Encoded, references.IsDeep) } : packet;
    }

    /// <summary>Lets whoever reads the packet follow references, and find out where one leads nowhere.</summary>
    public RawPacket Attach(in RawPacket packet) =>
        TableTypes.MayRefer(packet.Type) && _lanes[(int)packet.Lane] is { } tables ? packet with { Tables = tables.Hold(packet.Encoded, isDeep: true) } : packet;

    /// <summary>Takes Strings or Maps; checked.</summary>
    /// <exception cref="TransportException"><see cref="TransportFault.PacketMalformed"/>: another shape, more than a table may hold, or not agreed on.</exception>
    public void Take(in RawPacket packet)
    {
        bool isStrings = packet.Type == TableTypes.Strings;
        if (!(isStrings ? strings : maps))
        {
            throw new TransportException(TransportFault.PacketMalformed, $"Expected no such packet, because not both sides have the capability {(isStrings ? "strings" : "maps")} (LinkOptions.Caps).");
        }

        ReceiveTables tables = (_lanes[(int)packet.Lane] ??= new TablePacket(new ReceiveTables(), maxPacket)).Tables;
        if (isStrings)
        {
            tables.TakeStrings(packet.Encoded.Span);
        }
        else
        {
            tables.TakeMaps(packet.Encoded.Span);
        }
    }
}
