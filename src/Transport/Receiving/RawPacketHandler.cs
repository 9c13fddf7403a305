using System.Threading.Tasks;

namespace Transport;

/// <summary>Handles a packet as bytes.</summary>
/// <param name="packet">The packet, on loan until the handler returns; what it starts and does not wait for has none of it.</param>
public delegate void RawPacketHandler(RawPacket packet);

/// <summary>Handles a packet as bytes, asynchronously. A method that is marked async takes no <see cref="RawPacket"/>, so this one is not,
/// and calls one that takes the lease: <c>packet => SaveAsync(packet.Lease())</c>.</summary>
/// <param name="packet">The packet, on loan until the task has completed.</param>
/// <returns>Completes when the packet is handled.</returns>
public delegate Task AsyncRawPacketHandler(RawPacket packet);
