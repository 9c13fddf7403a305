using System.Threading.Tasks;

namespace Transport;

/// <summary>Handles a packet as bytes.</summary>
/// <param name="packet">The packet, on loan until the handler returns.</param>
public delegate void RawPacketHandler(RawPacket packet);

/// <summary>Handles a packet as bytes, asynchronously: a method that is not marked async itself, for those take no loans, and gives one that
/// is what it needs: <c>packet => SaveAsync(packet.Lease())</c>.</summary>
/// <param name="packet">The packet, on loan until the task has completed.</param>
/// <returns>Completes when the packet is handled.</returns>
public delegate Task AsyncRawPacketHandler(RawPacket packet);
