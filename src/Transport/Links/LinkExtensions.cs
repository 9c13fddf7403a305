using System;
using System.Collections.Generic;
using System.Diagnostics.CodeAnalysis;
using System.IO;
using System.Threading;
using System.Threading.Tasks;

namespace Transport;

/// <summary>Sending of packets that know their type, and requests: for one response, for one with reports before it, for a
/// stream.</summary>
/// <remarks>
/// <para>Safe from any thread. Each request ends in a response, a failure, a cancel, its timeout or the link's end. The peer's handler is
/// that of <see cref="PacketRouter"/>.OnRequest or OnRequestStream.</para>
/// <para>Do not await a request inside a packet handler of the same link: the response would wait behind that handler.</para>
/// </remarks>
public static class LinkExtensions
{
    private const DynamicallyAccessedMemberTypes Properties = DynamicallyAccessedMemberTypes.PublicProperties;

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
    /// (<see cref="PacketRouter.OnRaw(ushort, AsyncRawPacketHandler)"/>) and reads it by <see cref="RawPacket.OpenStream"/>.</param>
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

    /// <summary>Waits until the peer has acknowledged every packet that was queued before this call: its handlers are done with
    /// them, and where it keeps packets (<see cref="PacketRouter.UseStore"/>), its store has flushed them.</summary>
    /// <param name="link">The link.</param>
    /// <param name="cancellationToken">Ends the wait. The packets are on their way all the same.</param>
    /// <returns>Whether they are acknowledged. False: the link ended before the peer had said so, and what became of the rest is not known
    /// (<see cref="LinkReceipt.Acknowledged"/> says how many are).</returns>
    /// <exception cref="OperationCanceledException">From the task: <paramref name="cancellationToken"/> was cancelled.</exception>
    /// <exception cref="InvalidOperationException">A formatter of this link calls.</exception>
    /// <exception cref="ArgumentNullException"><paramref name="link"/> is null.</exception>
    /// <remarks>Any thread, any number of calls at once. The packets are written without letting a batch gather, and the peer is asked for
    /// its Ack; a peer of an earlier version answers once it has found nothing to read for some milliseconds. A packet that was dropped or
    /// refused is not waited for. Not awaited in a handler of the same link: while it runs no Ack is read.</remarks>
    public static Task<bool> WaitForAcknowledgedAsync(this Link link, CancellationToken cancellationToken = default)
    {
        ArgumentGuard.NotNull(link, nameof(link));
        return cancellationToken.IsCancellationRequested
            ? Task.FromCanceled<bool>(cancellationToken)
            : link.WaitUntilAcknowledgedAsync(cancellationToken);
    }

    /// <summary>Makes a request and waits for the response.</summary>
    /// <typeparam name="TResponse">The response.</typeparam>
    /// <inheritdoc cref="IRequestSender.RequestAsync{TRequest, TResponse}"/>
    /// <param name="sender">Carries it: a link, or a pool.</param>
    /// <param name="request">The request; must not change until the task has completed.</param>
    /// <param name="timeout">How long to wait, for a worker and for its response, reported to the peer; null or
    /// <see cref="Timeout.InfiniteTimeSpan"/>: no limit. Any other negative time counts as zero.</param>
    /// <param name="lane">The lane of the request and its response, where it crosses a link; Normal by default: the request is handled behind
    /// what this side sent before in that lane. An urgent one overtakes that.</param>
    /// <param name="cancellationToken">Gives up and notifies the peer, in the urgent lane, if there is capacity for that.</param>
    public static Task<TResponse> RequestAsync<[DynamicallyAccessedMembers(Properties)] TResponse>(
        this IRequestSender sender,
        IRequest<TResponse> request,
        TimeSpan? timeout = null,
        Lane lane = Lane.Normal,
        CancellationToken cancellationToken = default)
        where TResponse : IPacket<TResponse> => ArgumentGuard.NotNull(request, nameof(request)).PacketType.Accept(
            request, new RequestVisitor<TResponse>(
                ArgumentGuard.NotNull(sender, nameof(sender)), PacketTypeOf<TResponse>.Value, timeout, lane, cancellationToken));

    /// <summary>Makes a request, takes the reports before its response, and waits for that.</summary>
    /// <typeparam name="TResponse">The response.</typeparam>
    /// <typeparam name="TProgress">A report.</typeparam>
    /// <inheritdoc cref="IRequestSender.RequestAsync{TRequest, TResponse}"/>
    /// <param name="sender">Carries it: a link, or a pool.</param>
    /// <param name="request">The request; must not change until the task has completed.</param>
    /// <param name="progress">Takes the reports of a handler that makes some (<c>OnRequest</c> with an <see cref="IProgress{T}"/>), one at
    /// a time and before the response. A report that could not be sent in time is replaced by the next. What it throws ends the
    /// request.</param>
    /// <param name="timeout">How long to wait, for a worker and for its response, reported to the peer; null or
    /// <see cref="Timeout.InfiniteTimeSpan"/>: no limit. Any other negative time counts as zero.</param>
    /// <param name="lane">The lane of the request and its response, where it crosses a link; Normal by default.</param>
    /// <param name="cancellationToken">Gives up and notifies the peer, in the urgent lane, if there is capacity for that.</param>
    public static Task<TResponse> RequestAsync<
        [DynamicallyAccessedMembers(Properties)] TResponse,
        [DynamicallyAccessedMembers(Properties)] TProgress>(
        this IRequestSender sender,
        IRequest<TResponse> request,
        IProgress<TProgress> progress,
        TimeSpan? timeout = null,
        Lane lane = Lane.Normal,
        CancellationToken cancellationToken = default)
        where TResponse : IPacket<TResponse>
        where TProgress : IPacket<TProgress> => ArgumentGuard.NotNull(request, nameof(request)).PacketType.Accept(
            request, new ProgressVisitor<TResponse, TProgress>(
                ArgumentGuard.NotNull(sender, nameof(sender)), PacketTypeOf<TResponse>.Value, PacketTypeOf<TProgress>.Value, progress, timeout,
                lane, cancellationToken));

    /// <summary>Makes a request for a stream.</summary>
    /// <typeparam name="TItem">One item of the response.</typeparam>
    /// <inheritdoc cref="IStreamRequestSender.RequestStreamAsync{TRequest, TItem}"/>
    /// <param name="sender">Carries it: a link, or a pool on this machine.</param>
    /// <param name="request">The request; over a pool it is written out as each enumeration begins, and must not change before.</param>
    /// <param name="timeout">How long the whole stream may take, a wait for a worker included, reported to the peer; null or
    /// <see cref="Timeout.InfiniteTimeSpan"/>: no limit.</param>
    /// <param name="lane">The lane of the request and its response; Normal by default.</param>
    /// <param name="cancellationToken">Gives up and notifies the peer, in the urgent lane, if there is capacity for that.</param>
    public static IAsyncEnumerable<TItem> RequestStreamAsync<[DynamicallyAccessedMembers(Properties)] TItem>(
        this IStreamRequestSender sender,
        IStreamRequest<TItem> request,
        TimeSpan? timeout = null,
        Lane lane = Lane.Normal,
        CancellationToken cancellationToken = default)
        where TItem : IPacket<TItem> => ArgumentGuard.NotNull(request, nameof(request)).PacketType.Accept(
            request, new StreamVisitor<TItem>(
                ArgumentGuard.NotNull(sender, nameof(sender)), PacketTypeOf<TItem>.Value, timeout, lane, cancellationToken));

    /// <summary>Asks the peer for somebody else, in bytes.</summary>
    /// <param name="link">The link.</param>
    /// <param name="type">The request's type; it passes the body on as it is.</param>
    /// <param name="request">The request's body.</param>
    /// <param name="progress">Takes the reports; null: none are asked for.</param>
    /// <param name="lane">The lane.</param>
    /// <param name="cancellationToken">Gives up and notifies the peer.</param>
    /// <returns>The response's body.</returns>
    internal static Task<byte[]> ForwardAsync(
        this Link link, PacketType<byte[]> type, byte[] request, IProgress<byte[]>? progress, Lane lane,
        CancellationToken cancellationToken)
    {
        ArrayWriter body = RequestPackets.Body(type, request, type);
        Requests requests = link.RequestsIn(lane);
        return link.NoteAsync(progress is null ? requests.AskAsync(type, body, type, timeout: null, lane, cancellationToken)
            : requests.AskAsync(type, body, type, type, progress, timeout: null, lane, cancellationToken));
    }

    private static PacketType<T> TypeOf<T>(T packet)
        where T : IPacket<T> => packet is null ? throw new ArgumentNullException(nameof(packet)) : packet.PacketType;
}
