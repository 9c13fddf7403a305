namespace Transport;

/// <summary>What the peer has put into this side's tables, lane by lane; made when the first entry comes. The receive loop's.</summary>
/// <param name="caps">What both sides can do.</param>
/// <param name="maxPacket">The most bytes of a packet that is written out.</param>
internal sealed class LaneTables(TableCaps caps, int maxPacket) : IReceiveTables
{
    private readonly TablePacket?[] _lanes = new TablePacket?[4];

    /// <summary>Gets the tables of a lane, or null if nothing was set.</summary>
    public ReceiveTables? Of(Lane lane) => _lanes[(int)lane]?.Tables;

    /// <inheritdoc/>
    public void Clear() => System.Array.Clear(_lanes, 0, _lanes.Length);

    /// <inheritdoc/>
    public LentBody? Check(in RawPacket packet)
    {
        if (!MayRefer(packet, out TablePacket? tables))
        {
            MessagePackValue.Check(packet.Encoded);
            return null;
        }

        var references = new RefCheck(tables?.Tables);
        MessagePackValue.Check(packet.Encoded, ref references);
        return references.Found ? tables!.Hold(packet.EncodedBlock, references.IsDeep) : null;
    }

    /// <inheritdoc/>
    public LentBody? Attach(in RawPacket packet) =>
        MayRefer(packet, out TablePacket? tables) && tables is not null ? tables.Hold(packet.EncodedBlock, isDeep: true) : null;

    /// <inheritdoc/>
    public void Take(in RawPacket packet)
    {
        (bool isAgreed, string word) = packet.Type switch
        {
            TableTypes.Strings => (caps.Strings, LinkCaps.Strings),
            TableTypes.Maps => (caps.Maps, LinkCaps.Maps),
            _ => (caps.Types, LinkCaps.Tables),
        };
        if (!isAgreed)
        {
            string expected = $"Expected no such packet: not both sides have the capability {word} (LinkOptions.UseTables).";
            throw new TransportException(TransportFault.PacketMalformed, expected);
        }

        ReceiveTables tables = (_lanes[(int)packet.Lane] ??= new TablePacket(new ReceiveTables(maxPacket), maxPacket)).Tables;
        switch (packet.Type)
        {
            case TableTypes.Strings:
                tables.TakeStrings(packet.Encoded);
                break;
            case TableTypes.Maps:
                tables.TakeMaps(packet.Encoded);
                break;
            default:
                tables.TakeTypes(packet.Encoded);
                break;
        }
    }

    /// <summary>Checks whether extensions 1 and 2 of a packet are references, and finds its lane's tables; null: nothing was set.</summary>
    private bool MayRefer(in RawPacket packet, out TablePacket? tables)
    {
        tables = _lanes[(int)packet.Lane];
        return TableTypes.NeedNoAnnouncement(packet.Type) || tables?.Tables.IsAnnounced(packet.Type) is true;
    }
}
