namespace Transport.Testing.Links;

/// <summary>A packet as its handler gets it: with the tables that its references are to.</summary>
internal static class TableChecks
{
    public static RawPacket Checked(this LaneTables tables, RawPacket packet) => With(packet, tables.Check(packet));

    public static RawPacket Attached(this LaneTables tables, RawPacket packet) => With(packet, tables.Attach(packet));

    private static RawPacket With(RawPacket packet, LentBody? lent) => lent is null ? packet : packet with { Lent = lent };
}
