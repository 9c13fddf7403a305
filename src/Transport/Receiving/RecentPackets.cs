using System.Collections.Generic;

namespace Transport;

/// <summary>The last packets that a link has received whole, so that a peer's end can be reported with them. Costs a packet 16 bytes
/// written; made when the first one comes, so an idle link has none.</summary>
/// <remarks>Written by the receive loop alone. Read it once the link is over: before, the oldest entries may be overwritten while they are
/// read.</remarks>
internal sealed class RecentPackets
{
    /// <summary>How many are reported.</summary>
    public const int Kept = 20;

    /// <summary>A power of two, so that the place of the next one costs no division.</summary>
    private const int Places = 32;

    private readonly RecentPacket[] _ring = new RecentPacket[Places];
    private int _next;

    /// <summary>Notes a packet.</summary>
    /// <param name="type">Its type.</param>
    /// <param name="lane">The lane it came in.</param>
    /// <param name="bytes">The bytes of its body, as they came.</param>
    /// <param name="time">When the read that brought its last frame was looked at, as the clock's timestamp. Asking the clock for each
    /// packet would cost more than all the rest.</param>
    public void Add(ushort type, Lane lane, int bytes, long time) =>
        _ring[_next++ & (Places - 1)] = new RecentPacket(type, lane, bytes, time);

    /// <summary>Copies the last packets, oldest first.</summary>
    public IReadOnlyList<RecentPacket> Snapshot()
    {
        var packets = new List<RecentPacket>(Kept);
        for (int at = _next - Kept; at != _next; at++)
        {
            RecentPacket packet = _ring[at & (Places - 1)];
            if (packet.Type != 0)
            {
                packets.Add(packet);
            }
        }

        return packets;
    }
}

/// <summary>A packet that came.</summary>
/// <param name="Type">Its type; 0: none.</param>
/// <param name="Lane">The lane it came in.</param>
/// <param name="Bytes">The bytes of its body, as they came.</param>
/// <param name="Time">When, as the clock's timestamp.</param>
internal readonly record struct RecentPacket(ushort Type, Lane Lane, int Bytes, long Time);
