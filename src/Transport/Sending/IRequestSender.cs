using System;
using System.Diagnostics.CodeAnalysis;
using System.Threading;
using System.Threading.Tasks;

namespace Transport;

/// <summary>Gives requests to workers that the caller does not choose: those of a pool on this machine (<see cref="WorkerPool"/>), or of
/// machines (<c>RemotePool</c> of Transport.Nats). A program that asks for this type does not change when its workers move.</summary>
/// <remarks>Safe from any thread. Each request ends in a response, a failure, a cancel or its timeout.</remarks>
public interface IRequestSender
{
    /// <summary>Asks one worker and waits for its response.</summary>
    /// <typeparam name="TResponse">The response.</typeparam>
    /// <param name="request">The request; must not change until the task has completed.</param>
    /// <param name="timeout">How long to wait, for a worker and for its response; null or <see cref="Timeout.InfiniteTimeSpan"/>: no
    /// limit. Any other negative time counts as zero.</param>
    /// <param name="lane">The lane of the request and its response, where it crosses a link.</param>
    /// <param name="cancellationToken">Gives up and notifies the worker.</param>
    /// <returns>The response.</returns>
    /// <exception cref="TransportException"><see cref="TransportFault.RequestFailed"/>: the worker's handler failed; the link's fault: the
    /// worker exited meanwhile; <see cref="TransportFault.RequestTimeout"/>; <see cref="TransportFault.ConnectFailed"/>: there is no worker
    /// and will be none.</exception>
    /// <exception cref="OperationCanceledException"><paramref name="cancellationToken"/> was cancelled.</exception>
    /// <exception cref="ArgumentNullException"><paramref name="request"/> is null.</exception>
    Task<TResponse> RequestAsync<[DynamicallyAccessedMembers(DynamicallyAccessedMemberTypes.PublicProperties)] TResponse>(
        IRequest<TResponse> request, TimeSpan? timeout = null, Lane lane = Lane.Normal, CancellationToken cancellationToken = default)
        where TResponse : IPacket<TResponse>;

    /// <summary>Asks one worker, takes its reports, and waits for its response.</summary>
    /// <typeparam name="TResponse">The response.</typeparam>
    /// <typeparam name="TProgress">A report.</typeparam>
    /// <inheritdoc cref="RequestAsync{TResponse}(IRequest{TResponse}, TimeSpan?, Lane, CancellationToken)"/>
    /// <param name="request">The request; must not change until the task has completed.</param>
    /// <param name="progress">Takes the reports of a handler that makes some, one at a time and before the response. A report that could
    /// not be sent in time is replaced by the next. What it throws ends the request.</param>
    /// <param name="timeout">How long to wait, for a worker and for its response; null or <see cref="Timeout.InfiniteTimeSpan"/>: no
    /// limit. Any other negative time counts as zero.</param>
    /// <param name="lane">The lane of the request and its response, where it crosses a link.</param>
    /// <param name="cancellationToken">Gives up and notifies the worker.</param>
    Task<TResponse> RequestAsync<
        [DynamicallyAccessedMembers(DynamicallyAccessedMemberTypes.PublicProperties)] TResponse,
        [DynamicallyAccessedMembers(DynamicallyAccessedMemberTypes.PublicProperties)] TProgress>(
        IRequest<TResponse> request, IProgress<TProgress> progress, TimeSpan? timeout = null, Lane lane = Lane.Normal,
        CancellationToken cancellationToken = default)
        where TResponse : IPacket<TResponse>
        where TProgress : IPacket<TProgress>;

    /// <summary>Asks one worker and waits for its response; for packets whose formatters are written by hand.</summary>
    /// <typeparam name="TRequest">The request.</typeparam>
    /// <typeparam name="TResponse">The response.</typeparam>
    /// <inheritdoc cref="RequestAsync{TResponse}(IRequest{TResponse}, TimeSpan?, Lane, CancellationToken)"/>
    /// <param name="requestType">The request's type.</param>
    /// <param name="responseType">The response's type; only its formatter is used.</param>
    /// <param name="request">The request; must not change until the task has completed.</param>
    /// <param name="timeout">How long to wait, for a worker and for its response; null or <see cref="Timeout.InfiniteTimeSpan"/>: no
    /// limit. Any other negative time counts as zero.</param>
    /// <param name="lane">The lane of the request and its response, where it crosses a link.</param>
    /// <param name="cancellationToken">Gives up and notifies the worker.</param>
    Task<TResponse> RequestAsync<TRequest, TResponse>(
        PacketType<TRequest> requestType, PacketType<TResponse> responseType, TRequest request, TimeSpan? timeout = null,
        Lane lane = Lane.Normal, CancellationToken cancellationToken = default);
}
