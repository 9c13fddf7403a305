using System;
using System.Threading.Tasks;

namespace Transport.Testing.Links;

/// <summary>Shorter ways for tests, which write few of their packets with <c>[Packet]</c>.</summary>
public static class RouterExtensions
{
    /// <summary>Handles a packet whose formatter is written by hand, wherever it came from.</summary>
    /// <param name="router">The router.</param>
    /// <param name="type">The type.</param>
    /// <param name="handler">The handler.</param>
    /// <typeparam name="T">The packet.</typeparam>
    public static PacketRouter On<T>(this PacketRouter router, PacketType<T> type, Action<T> handler) =>
        router.On(type, (packet, _) => handler(packet));

    /// <summary>Handles a packet as bytes by an asynchronous method.</summary>
    /// <param name="router">The router.</param>
    /// <param name="type">The type.</param>
    /// <param name="handler">The handler.</param>
    public static PacketRouter OnRawAsync(this PacketRouter router, ushort type, Func<PacketLease, Task> handler) =>
        router.OnRaw(type, packet => handler(packet.Lease()));

    /// <summary>Handles every packet that has no handler by an asynchronous method.</summary>
    /// <param name="router">The router.</param>
    /// <param name="handler">The handler.</param>
    public static PacketRouter OnUnknownAsync(this PacketRouter router, Func<PacketLease, Task> handler) =>
        router.OnUnknown(packet => handler(packet.Lease()));
}
