using System;
using System.Collections.Generic;
using System.Diagnostics.CodeAnalysis;
using System.Threading;
using System.Threading.Tasks;

namespace Transport;

/// <summary>Asking the peer of a link: for one response, for one with reports before it, for a stream.</summary>
/// <remarks>
/// <para>Safe from any thread. Each request ends in a response, a failure, a cancel, its timeout or the link's end. The peer's handler is
/// that of <see cref="PacketRouter"/>.OnRequest or OnRequestStream.</para>
/// <para>Do not await one of them inside a packet handler of the same link: the response would wait behind that handler.</para>
/// </remarks>
public static class RequestExtensions
{
    private const DynamicallyAccessedMemberTypes Properties = DynamicallyAccessedMemberTypes.PublicProperties;

    /// <summary>Asks the peer and waits for its response.</summary>
    /// <typeparam name="TResponse">The response.</typeparam>
    /// <param name="link">The link to the peer.</param>
    /// <param name="request">The request; the caller may reuse it at once.</param>
    /// <param name="timeout">How long to wait, reported to the peer; null or <see cref="Timeout.InfiniteTimeSpan"/>: as long as the link
    /// lives. Any other negative time counts as zero.</param>
    /// <param name="lane">The lane of the request and its response; Normal by default: the request is handled behind what this side sent
    /// before in that lane. An urgent one overtakes that.</param>
    /// <param name="cancellationToken">Gives up and notifies the peer, in the urgent lane, if there is capacity for that.</param>
    /// <returns>The response.</returns>
    /// <exception cref="TransportException"><see cref="TransportFault.RequestFailed"/> (the peer's message),
    /// <see cref="TransportFault.RequestCancelled"/>, <see cref="TransportFault.RequestTimeout"/>,
    /// <see cref="TransportFault.PacketMalformed"/> (the response cannot be read), or the link's own fault if it ended first.</exception>
    /// <exception cref="OperationCanceledException"><paramref name="cancellationToken"/> was cancelled.</exception>
    /// <exception cref="ArgumentException">An argument is null, or not a lane for callers.</exception>
    /// <remarks>Do not await it inside a packet handler of the same link: its response would wait behind that handler.</remarks>
    public static Task<TResponse> RequestAsync<[DynamicallyAccessedMembers(Properties)] TResponse>(
        this Link link,
        IRequest<TResponse> request,
        TimeSpan? timeout = null,
        Lane lane = Lane.Normal,
        CancellationToken cancellationToken = default)
        where TResponse : IPacket<TResponse>
    {
        ArgumentGuard.NotNull(link, nameof(link));
        ArrayWriter body = Body(ArgumentGuard.NotNull(request, nameof(request)).PacketType, request);
        return link.NoteAsync(link.RequestsIn(lane).AskAsync(
            request.PacketType, body, PacketTypeOf<TResponse>.Value, timeout, lane, cancellationToken));
    }

    /// <summary>Asks the peer, takes its reports, and waits for its response.</summary>
    /// <typeparam name="TResponse">The response.</typeparam>
    /// <typeparam name="TProgress">A report.</typeparam>
    /// <inheritdoc cref="RequestAsync{TResponse}(Link, IRequest{TResponse}, TimeSpan?, Lane, CancellationToken)"/>
    /// <param name="link">The link to the peer.</param>
    /// <param name="request">The request; the caller may reuse it at once.</param>
    /// <param name="progress">Takes the reports of a handler that makes some (<c>OnRequest</c> with an <see cref="IProgress{T}"/>), one at
    /// a time and before the response. A report that could not be sent in time is replaced by the next. What it throws ends the
    /// request.</param>
    /// <param name="timeout">How long to wait, reported to the peer; null or <see cref="Timeout.InfiniteTimeSpan"/>: as long as the link
    /// lives. Any other negative time counts as zero.</param>
    /// <param name="lane">The lane of the request and its response; Normal by default, as for a response alone.</param>
    /// <param name="cancellationToken">Gives up and notifies the peer, in the urgent lane, if there is capacity for that.</param>
    public static Task<TResponse> RequestAsync<
        [DynamicallyAccessedMembers(Properties)] TResponse,
        [DynamicallyAccessedMembers(Properties)] TProgress>(
        this Link link,
        IRequest<TResponse> request,
        IProgress<TProgress> progress,
        TimeSpan? timeout = null,
        Lane lane = Lane.Normal,
        CancellationToken cancellationToken = default)
        where TResponse : IPacket<TResponse>
        where TProgress : IPacket<TProgress>
    {
        ArgumentGuard.NotNull(link, nameof(link));
        ArgumentGuard.NotNull(progress, nameof(progress));
        ArrayWriter body = Body(ArgumentGuard.NotNull(request, nameof(request)).PacketType, request);
        return link.NoteAsync(link.RequestsIn(lane).AskAsync(request.PacketType, body, PacketTypeOf<TResponse>.Value,
            PacketTypeOf<TProgress>.Value, progress, timeout, lane, cancellationToken));
    }

    /// <summary>Asks the peer for a stream.</summary>
    /// <typeparam name="TItem">One item of the response.</typeparam>
    /// <inheritdoc cref="RequestAsync{TResponse}(Link, IRequest{TResponse}, TimeSpan?, Lane, CancellationToken)"/>
    /// <param name="link">The link to the peer.</param>
    /// <param name="request">The request; the caller may reuse it at once.</param>
    /// <param name="timeout">How long the whole stream may take, reported to the peer; null or <see cref="Timeout.InfiniteTimeSpan"/>: as
    /// long as the link lives.</param>
    /// <param name="lane">The lane of the request and its response; Normal by default, as for a response alone.</param>
    /// <param name="cancellationToken">Gives up and notifies the peer, in the urgent lane, if there is capacity for that.</param>
    /// <returns>The items in order. Each enumeration asks once, when it begins; one that ends early cancels the peer's.</returns>
    /// <remarks>
    /// <para>A reader that is slow slows the peer: at most <see cref="LinkOptions.StreamWindowBytes"/> are on their way or wait to be read.
    /// Other packets of the link go on meanwhile.</para>
    /// <para>The enumeration throws what <c>RequestAsync</c> throws, behind the items that arrived before the failure. It is also cancelled
    /// by the token of <c>WithCancellation</c>.</para>
    /// </remarks>
    public static IAsyncEnumerable<TItem> RequestStreamAsync<[DynamicallyAccessedMembers(Properties)] TItem>(
        this Link link,
        IStreamRequest<TItem> request,
        TimeSpan? timeout = null,
        Lane lane = Lane.Normal,
        CancellationToken cancellationToken = default)
        where TItem : IPacket<TItem>
    {
        ArgumentGuard.NotNull(link, nameof(link));
        ArrayWriter body = Body(ArgumentGuard.NotNull(request, nameof(request)).PacketType, request);
        return link.RequestsIn(lane).AskEachAsync(
            request.PacketType, body, PacketTypeOf<TItem>.Value, timeout, lane, cancellationToken);
    }

    /// <summary>Asks the peer and waits for its response; for packets whose formatters are written by hand.</summary>
    /// <typeparam name="TRequest">The request.</typeparam>
    /// <typeparam name="TResponse">The response.</typeparam>
    /// <inheritdoc cref="RequestAsync{TResponse}(Link, IRequest{TResponse}, TimeSpan?, Lane, CancellationToken)"/>
    /// <param name="link">The link to the peer.</param>
    /// <param name="requestType">The request's type.</param>
    /// <param name="responseType">The response's type; only its formatter is used.</param>
    /// <param name="request">The request; the caller may reuse it at once.</param>
    /// <param name="timeout">How long to wait, reported to the peer; null or <see cref="Timeout.InfiniteTimeSpan"/>: as long as the link
    /// lives. Any other negative time counts as zero.</param>
    /// <param name="lane">The lane of the request and its response; Normal by default, as for a response alone.</param>
    /// <param name="cancellationToken">Gives up and notifies the peer, in the urgent lane, if there is capacity for that.</param>
    public static Task<TResponse> RequestAsync<TRequest, TResponse>(
        this Link link,
        PacketType<TRequest> requestType,
        PacketType<TResponse> responseType,
        TRequest request,
        TimeSpan? timeout = null,
        Lane lane = Lane.Normal,
        CancellationToken cancellationToken = default)
    {
        ArgumentGuard.NotNull(link, nameof(link));
        ArgumentGuard.NotNull(responseType, nameof(responseType));
        ArrayWriter body = Body(ArgumentGuard.NotNull(requestType, nameof(requestType)), request);
        return link.NoteAsync(link.RequestsIn(lane).AskAsync(requestType, body, responseType, timeout, lane, cancellationToken));
    }

    /// <summary>Asks the peer for a stream; for packets whose formatters are written by hand.</summary>
    /// <typeparam name="TRequest">The request.</typeparam>
    /// <typeparam name="TItem">One item of the response.</typeparam>
    /// <inheritdoc cref="RequestStreamAsync{TItem}(Link, IStreamRequest{TItem}, TimeSpan?, Lane, CancellationToken)"/>
    /// <param name="link">The link to the peer.</param>
    /// <param name="requestType">The request's type.</param>
    /// <param name="itemType">The items' type; only its formatter is used.</param>
    /// <param name="request">The request; the caller may reuse it at once.</param>
    /// <param name="timeout">How long the whole stream may take, reported to the peer; null or <see cref="Timeout.InfiniteTimeSpan"/>: as
    /// long as the link lives.</param>
    /// <param name="lane">The lane of the request and its response; Normal by default, as for a response alone.</param>
    /// <param name="cancellationToken">Gives up and notifies the peer, in the urgent lane, if there is capacity for that.</param>
    public static IAsyncEnumerable<TItem> RequestStreamAsync<TRequest, TItem>(
        this Link link,
        PacketType<TRequest> requestType,
        PacketType<TItem> itemType,
        TRequest request,
        TimeSpan? timeout = null,
        Lane lane = Lane.Normal,
        CancellationToken cancellationToken = default)
    {
        ArgumentGuard.NotNull(link, nameof(link));
        ArgumentGuard.NotNull(itemType, nameof(itemType));
        ArrayWriter body = Body(ArgumentGuard.NotNull(requestType, nameof(requestType)), request);
        return link.RequestsIn(lane).AskEachAsync(requestType, body, itemType, timeout, lane, cancellationToken);
    }

    private static ArrayWriter Body<TRequest>(PacketType<TRequest> type, TRequest request)
    {
        var body = new ArrayWriter();
        type.Formatter.Write(body, ArgumentGuard.NotNull(request, nameof(request)));
        return body;
    }

    private static ArrayWriter Body(PacketType type, object request)
    {
        var body = new ArrayWriter();
        type.WriteBody(body, request);
        return body;
    }
}
