using System;
using System.Collections.Generic;
using System.Threading;
using System.Threading.Tasks;

namespace Transport;

/// <summary>What carries a request to somebody who responds: a link to its peer, a pool to one of its workers, on this machine
/// (<see cref="WorkerPool"/>) or on others. For packets that know their type there are shorter forms in
/// <see cref="LinkExtensions"/>.</summary>
/// <remarks>Safe from any thread. A link and a pool on this machine make a request once; between machines a handler may run more than once,
/// and a timeout does not travel.</remarks>
public interface IRequestSender
{
    /// <summary>Makes a request and waits for the response.</summary>
    /// <typeparam name="TRequest">The request.</typeparam>
    /// <typeparam name="TResponse">The response.</typeparam>
    /// <param name="requestType">The request's type.</param>
    /// <param name="responseType">The response's type; only its formatter is used.</param>
    /// <param name="request">The request; must not change until the task has completed.</param>
    /// <param name="timeout">How long to wait, for a worker and for its response, reported to the peer; null or
    /// <see cref="Timeout.InfiniteTimeSpan"/>: no limit. Any other negative time counts as zero.</param>
    /// <param name="lane">The lane of the request and its response, where it crosses a link; Normal by default: the request is handled behind
    /// what this side sent before in that lane. An urgent one overtakes that.</param>
    /// <param name="cancellationToken">Gives up and notifies the peer, in the urgent lane, if there is capacity for that.</param>
    /// <returns>The response.</returns>
    /// <exception cref="TransportException"><see cref="TransportFault.RequestFailed"/> (the peer's message),
    /// <see cref="TransportFault.RequestCancelled"/>, <see cref="TransportFault.RequestTimeout"/>,
    /// <see cref="TransportFault.PacketMalformed"/> (the response cannot be read), the link's own fault if it ended first; of a pool
    /// <see cref="TransportFault.ConnectFailed"/>: there is no worker and will be none.</exception>
    /// <exception cref="OperationCanceledException"><paramref name="cancellationToken"/> was cancelled.</exception>
    /// <exception cref="ArgumentException">An argument is null, or not a lane for callers.</exception>
    Task<TResponse> RequestAsync<TRequest, TResponse>(
        PacketType<TRequest> requestType, PacketType<TResponse> responseType, TRequest request, TimeSpan? timeout = null,
        Lane lane = Lane.Normal, CancellationToken cancellationToken = default);

    /// <summary>Makes a request, takes the reports before its response, and waits for that.</summary>
    /// <typeparam name="TRequest">The request.</typeparam>
    /// <typeparam name="TResponse">The response.</typeparam>
    /// <typeparam name="TProgress">A report.</typeparam>
    /// <inheritdoc cref="RequestAsync{TRequest, TResponse}(PacketType{TRequest}, PacketType{TResponse}, TRequest, TimeSpan?, Lane, CancellationToken)"/>
    /// <param name="requestType">The request's type.</param>
    /// <param name="responseType">The response's type; only its formatter is used.</param>
    /// <param name="progressType">The reports' type; only its formatter is used.</param>
    /// <param name="request">The request; must not change until the task has completed.</param>
    /// <param name="progress">Takes the reports of a handler that makes some, one at a time and before the response. A report that could
    /// not be sent in time is replaced by the next. What it throws ends the request.</param>
    /// <param name="timeout">How long to wait, for a worker and for its response, reported to the peer; null or
    /// <see cref="Timeout.InfiniteTimeSpan"/>: no limit. Any other negative time counts as zero.</param>
    /// <param name="lane">The lane of the request and its response, where it crosses a link; Normal by default.</param>
    /// <param name="cancellationToken">Gives up and notifies the peer, in the urgent lane, if there is capacity for that.</param>
    Task<TResponse> RequestAsync<TRequest, TResponse, TProgress>(
        PacketType<TRequest> requestType, PacketType<TResponse> responseType, PacketType<TProgress> progressType, TRequest request,
        IProgress<TProgress> progress, TimeSpan? timeout = null, Lane lane = Lane.Normal, CancellationToken cancellationToken = default);
}

/// <summary>What carries a request whose response is a stream: a link, and a pool on this machine. Between machines no stream is
/// carried.</summary>
/// <remarks>Safe from any thread.</remarks>
public interface IStreamRequestSender : IRequestSender
{
    /// <summary>Makes a request for a stream.</summary>
    /// <typeparam name="TRequest">The request.</typeparam>
    /// <typeparam name="TItem">One item of the response.</typeparam>
    /// <param name="requestType">The request's type.</param>
    /// <param name="itemType">The items' type; only its formatter is used.</param>
    /// <param name="request">The request; over a pool it is written out as each enumeration begins, and must not change before.</param>
    /// <param name="timeout">How long the whole stream may take, a wait for a worker included, reported to the peer; null or
    /// <see cref="Timeout.InfiniteTimeSpan"/>: no limit.</param>
    /// <param name="lane">The lane of the request and its response; Normal by default.</param>
    /// <param name="cancellationToken">Gives up and notifies the peer, in the urgent lane, if there is capacity for that.</param>
    /// <returns>The items in order. Each enumeration makes the request once, when it begins; one that ends early cancels the
    /// peer's.</returns>
    /// <remarks>
    /// <para>A reader that is slow slows the peer: at most <see cref="LinkOptions.StreamWindowBytes"/> are on their way or wait to be read.
    /// Other packets of the link go on meanwhile.</para>
    /// <para>The enumeration throws what <c>RequestAsync</c> throws, behind the items that arrived before the failure. It is also cancelled
    /// by the token of <c>WithCancellation</c>.</para>
    /// </remarks>
    IAsyncEnumerable<TItem> RequestStreamAsync<TRequest, TItem>(
        PacketType<TRequest> requestType, PacketType<TItem> itemType, TRequest request, TimeSpan? timeout = null,
        Lane lane = Lane.Normal, CancellationToken cancellationToken = default);
}
