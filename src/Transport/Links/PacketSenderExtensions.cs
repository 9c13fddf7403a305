using System;
using System.IO;
using System.Threading;
using System.Threading.Tasks;

namespace Transport;

/// <summary>Sending of packets that know their type.</summary>
public static class PacketSenderExtensions
{
    /// <summary>Queues a packet. Never blocks, and the caller may reuse the packet at once.</summary>
    /// <typeparam name="T">The packet.</typeparam>
    /// <param name="sender">Sends it.</param>
    /// <param name="packet">The packet.</param>
    /// <param name="lane">The lane, Urgent to Bulk; null: the type's own.</param>
    /// <param name="policy">What to do with the packet if there is no capacity; null: the lane's own policy.</param>
    /// <returns>Queued, Full or Closed, as <see cref="IPacketSender.TrySend{T}"/>.</returns>
    /// <exception cref="TransportException"><see cref="TransportFault.PacketTooLarge"/>: larger than what is taken.</exception>
    /// <exception cref="ArgumentNullException">An argument is null.</exception>
    public static SendResult TrySend<T>(this IPacketSender sender, T packet, Lane? lane = null, LanePolicy? policy = null)
        where T : IPacket<T> => sender is Link link   // a call of a generic method by way of an interface costs more than this look
            ? link.TrySend(TypeOf(packet), packet, lane, policy)
            : ArgumentGuard.NotNull(sender, nameof(sender)).TrySend(TypeOf(packet), packet, lane, policy);

    /// <summary>Queues a packet, waiting for capacity without blocking a thread.</summary>
    /// <typeparam name="T">The packet.</typeparam>
    /// <param name="sender">Sends it.</param>
    /// <param name="packet">The packet; must not change until the task has completed.</param>
    /// <param name="lane">The lane, Urgent to Bulk; null: the type's own.</param>
    /// <param name="cancellationToken">Ends the wait for capacity; once the packet is queued it has no effect.</param>
    /// <returns>Queued or Closed, as <see cref="IPacketSender.SendAsync{T}"/>.</returns>
    /// <exception cref="TransportException">As for <see cref="IPacketSender.SendAsync{T}"/>.</exception>
    /// <exception cref="OperationCanceledException">Cancelled while waiting: the packet was not taken.</exception>
    /// <exception cref="ArgumentNullException">An argument is null.</exception>
    public static ValueTask<SendResult> SendAsync<T>(
        this IPacketSender sender, T packet, Lane? lane = null, CancellationToken cancellationToken = default)
        where T : IPacket<T> => ArgumentGuard.NotNull(sender, nameof(sender)).SendAsync(TypeOf(packet), packet, lane, cancellationToken);

    /// <inheritdoc cref="SendAsync{T}(IPacketSender, T, Lane?, CancellationToken)"/>
    public static ValueTask<SendResult> SendAsync<T>(this IPacketSender sender, T packet, CancellationToken cancellationToken)
        where T : IPacket<T> => ArgumentGuard.NotNull(sender, nameof(sender)).SendAsync(TypeOf(packet), packet, null, cancellationToken);

    /// <summary>Queues a packet, blocking the calling thread until there is capacity: for callers that must not lose and cannot
    /// await.</summary>
    /// <typeparam name="T">The packet.</typeparam>
    /// <param name="sender">Sends it.</param>
    /// <param name="packet">The packet.</param>
    /// <param name="timeout">How long to wait at most; <see cref="Timeout.InfiniteTimeSpan"/>: no limit. Any other negative time counts as
    /// zero.</param>
    /// <param name="lane">The lane, Urgent to Bulk; null: the type's own.</param>
    /// <returns>Queued, Closed or Full, as <see cref="IPacketSender.Send{T}"/>.</returns>
    /// <exception cref="TransportException">As for <see cref="IPacketSender.SendAsync{T}"/>.</exception>
    /// <exception cref="ArgumentNullException">An argument is null.</exception>
    public static SendResult Send<T>(this IPacketSender sender, T packet, TimeSpan timeout, Lane? lane = null)
        where T : IPacket<T> => ArgumentGuard.NotNull(sender, nameof(sender)).Send(TypeOf(packet), packet, timeout, lane);

    /// <summary>Sends what a stream holds as one packet, whose body is one bin, waiting for capacity without blocking a thread. No block
    /// has its size: it is read and queued in pieces.</summary>
    /// <param name="link">The link.</param>
    /// <param name="type">The packet type, 256 to 65535; the peer handles it as bytes
    /// (<see cref="PacketRouter.OnRaw(ushort, Func{RawPacket, Task})"/>) and reads it by <see cref="RawPacket.OpenStream"/>.</param>
    /// <param name="body">The stream, read on the caller's threads; it stays open, and the caller's.</param>
    /// <param name="length">How many bytes of it are the packet's; null: all that is left.</param>
    /// <param name="lane">The lane; Bulk by default.</param>
    /// <param name="cancellationToken">Ends the reading and the wait for capacity; once the packet is queued it has no effect.</param>
    /// <returns>Queued or Closed.</returns>
    /// <exception cref="EndOfStreamException">The stream ended before <paramref name="length"/> bytes.</exception>
    /// <exception cref="TransportException"><see cref="TransportFault.PacketTooLarge"/>: more than the peer takes; as soon as that is
    /// known.</exception>
    /// <exception cref="OperationCanceledException">Cancelled.</exception>
    /// <exception cref="ArgumentOutOfRangeException">The type or the lane is not for callers, or the length is negative.</exception>
    /// <exception cref="ArgumentNullException">An argument is null.</exception>
    /// <remarks>
    /// <para>The stream is read to the end before anything of it is queued, so one that ends early, throws or is cancelled (what it throws
    /// comes out as it is) has sent nothing, and the link is as before. Until then the packet is held beside the queue, and counts in no
    /// budget; one packet is at most the peer's <see cref="LinkOptions.MaxPacketBytes"/>.</para>
    /// <para>For more than that, or for flow control within the transfer, let the receiver ask for a stream of chunks
    /// (<c>RequestStreamAsync</c>).</para>
    /// </remarks>
    public static async ValueTask<SendResult> SendStreamAsync(
        this Link link,
        ushort type,
        Stream body,
        long? length = null,
        Lane lane = Lane.Bulk,
        CancellationToken cancellationToken = default)
    {
        ArgumentGuard.NotNull(link, nameof(link));
        ArgumentGuard.NotNull(body, nameof(body));
        PacketType.CheckNumber(type);
        if (length < 0)
        {
            throw new ArgumentOutOfRangeException(nameof(length), length, "A packet has 0 bytes or more.");
        }

        using var pieces = new StreamPieces(link.Pool, type, link.Peer.MaxPacketBytes);
        await pieces.ReadAsync(body, length, cancellationToken).ConfigureAwait(false);
        return await link.SendAsync(new StreamBody(type, pieces), lane, cancellationToken).ConfigureAwait(false);
    }

    private static PacketType<T> TypeOf<T>(T packet)
        where T : IPacket<T> => packet is null ? throw new ArgumentNullException(nameof(packet)) : packet.PacketType;
}
