using System;
using System.Diagnostics.CodeAnalysis;
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

    /// <summary>Asks the peer and waits for its answer.</summary>
    /// <typeparam name="TAnswer">The answer.</typeparam>
    /// <param name="link">The link to the peer.</param>
    /// <param name="question">The question; the caller may reuse it at once.</param>
    /// <param name="timeout">How long to wait, reported to the peer; null or <see cref="Timeout.InfiniteTimeSpan"/>: as long as the link
    /// lives. Any other negative time counts as zero.</param>
    /// <param name="lane">The lane of the question and its answer; Normal by default: the question is handled behind what this side sent
    /// before in that lane. An urgent one overtakes that.</param>
    /// <param name="cancellationToken">Gives up and notifies the peer, in the urgent lane.</param>
    /// <returns>The answer.</returns>
    /// <exception cref="TransportException"><see cref="TransportFault.RequestFailed"/> (the peer's message),
    /// <see cref="TransportFault.RequestCancelled"/>, <see cref="TransportFault.RequestTimeout"/>,
    /// <see cref="TransportFault.PacketMalformed"/> (the answer cannot be read), or the link's own fault if it ended first.</exception>
    /// <exception cref="OperationCanceledException"><paramref name="cancellationToken"/> was cancelled.</exception>
    /// <exception cref="ArgumentException">An argument is null, or not a lane for callers.</exception>
    /// <remarks>Do not await it inside a packet handler of the same link: its answer would wait behind that handler.</remarks>
    public static Task<TAnswer> RequestAsync<[DynamicallyAccessedMembers(DynamicallyAccessedMemberTypes.PublicProperties)] TAnswer>(
        this Link link,
        IRequest<TAnswer> question,
        TimeSpan? timeout = null,
        Lane lane = Lane.Normal,
        CancellationToken cancellationToken = default)
        where TAnswer : IPacket<TAnswer>
    {
        if (link is null || question is null)
        {
            throw new ArgumentNullException(link is null ? nameof(link) : nameof(question));
        }

        var body = new ArrayWriter();
        question.PacketType.WriteBody(body, question);
        return link.RequestAsync(question.PacketType, body, PacketTypeOf<TAnswer>.Value, timeout, lane, cancellationToken);
    }

    private static PacketType<T> TypeOf<T>(T packet)
        where T : IPacket<T> => packet is null ? throw new ArgumentNullException(nameof(packet)) : packet.PacketType;
}
