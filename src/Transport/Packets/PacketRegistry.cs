namespace Transport.Packets;

/// <summary>Packet types by number and by .NET type.</summary>
public sealed class PacketRegistry
{
}
