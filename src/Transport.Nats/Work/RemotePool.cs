using System;
using System.Diagnostics.CodeAnalysis;
using System.Linq;
using System.Threading;
using System.Threading.Tasks;
using NATS.Client.Core;

namespace Transport.Nats;

/// <summary>Gives requests to the workers of other machines, by a work queue of NATS JetStream from which agents (<see cref="WorkAgent"/>)
/// take them: as a <see cref="WorkerPool"/> does on one machine, with the same packets and the same handlers. Safe from any
/// thread.</summary>
/// <remarks>
/// <para>A request waits until an agent has a worker for it. It ends in a response, a failure, a cancel or its timeout; its handler may
/// have run more than once, since an agent that gives no sign for the queue's AckWait loses its work to another
/// (<see cref="RemotePoolOptions.MaxTries"/>). Its response is delivered once: a second one is dropped and counted.</para>
/// <para>A worker that exits fails its request, as in a local pool; the inner exception is a <see cref="FleetException"/> with its exit
/// report. Deadlines do not travel: a request that is given up is cancelled at its agent.</para>
/// </remarks>
public sealed class RemotePool : IRequestSender, IAsyncDisposable
{
    private static readonly TimeSpan EndTime = TimeSpan.FromSeconds(5);

    private readonly RemotePoolOptions _options;
    private readonly CallerInbox _inbox;
    private readonly RequestQueue _queue;
    private readonly Guid _id = Guid.NewGuid();
    private readonly CancellationTokenSource _ended = new();
    private readonly Task _serving;
    private volatile TransportException? _over;   // set once, before all that wait fail
    private long _answered;   // by Interlocked, raised by each request, read by anybody; so is the next
    private long _failed;     // by Interlocked, as above

    private RemotePool(INatsConnection connection, RemotePoolOptions options)
    {
        _options = options;
        _inbox = new CallerInbox(connection, options, _id);
        _queue = new RequestQueue(connection, options, _inbox);
        _serving = Task.Run(ServeAsync);
    }

    /// <summary>Gets how the pool stands.</summary>
    public RemotePoolStatus Status
    {
        get
        {
            RemoteRequest[] waiting = [.. _inbox.Waiting];
            int begun = waiting.Count(static one => one.Tries > 0);
            return new RemotePoolStatus(waiting.Length - begun, begun, Interlocked.Read(ref _answered), Interlocked.Read(ref _failed),
                _inbox.Retried, _inbox.Late, _queue.Server.Problem);
        }
    }

    /// <summary>Makes a pool.</summary>
    /// <param name="connection">The connection; the caller's, not disposed of.</param>
    /// <param name="options">The options; null: all defaults.</param>
    /// <returns>The pool. It needs neither server nor agent to start: requests wait for them.</returns>
    /// <exception cref="ArgumentNullException"><paramref name="connection"/> is null.</exception>
    /// <exception cref="ArgumentException">An option cannot be used.</exception>
    public static RemotePool Start(INatsConnection connection, RemotePoolOptions? options = null)
    {
        ArgumentNullException.ThrowIfNull(connection);
        return new RemotePool(connection, (options ?? new RemotePoolOptions()).Checked());
    }

    /// <inheritdoc/>
    /// <exception cref="TransportException">As above. <see cref="TransportFault.PeerGone"/> also: as many agents as
    /// <see cref="RemotePoolOptions.MaxTries"/> have begun it and not answered. <see cref="TransportFault.PacketTooLarge"/>: the request is
    /// larger than a message of the server, or the response than <see cref="RemotePoolOptions.MaxResponseBytes"/>.</exception>
    public Task<TResponse> RequestAsync<TRequest, TResponse>(
        PacketType<TRequest> requestType, PacketType<TResponse> responseType, TRequest request, TimeSpan? timeout = null,
        Lane lane = Lane.Normal, CancellationToken cancellationToken = default)
    {
        byte[] body = RequestPackets.Body(requestType, request, responseType).Written.ToArray();
        return ReadAsync(responseType, AskAsync(requestType, body, report: null, timeout, lane, cancellationToken));
    }

    /// <inheritdoc/>
    /// <exception cref="TransportException">As without reports.</exception>
    public Task<TResponse> RequestAsync<TRequest, TResponse, TProgress>(
        PacketType<TRequest> requestType, PacketType<TResponse> responseType, PacketType<TProgress> progressType, TRequest request,
        IProgress<TProgress> progress, TimeSpan? timeout = null, Lane lane = Lane.Normal, CancellationToken cancellationToken = default)
    {
        byte[] body = RequestPackets.Body(requestType, request, responseType, progressType, progress).Written.ToArray();
        return ReadAsync(responseType, AskAsync(
            requestType, body, one => progress.Report(progressType.Read(one)), timeout, lane, cancellationToken));
    }

    /// <summary>Ends the pool: what waits fails (<see cref="TransportFault.RequestCancelled"/>), and is cancelled at its agents.</summary>
    /// <returns>Completes when that was said, or could not be said in time; never throws.</returns>
    public async ValueTask DisposeAsync()
    {
        if (_ended.IsCancellationRequested)
        {
            return;
        }

        RemoteRequest[] waiting = [.. _inbox.Waiting];
        End(new TransportException(TransportFault.RequestCancelled, "The remote pool has ended."));
        await Task.WhenAll(waiting.Select(_queue.RemoveAsync)).WaitAsync(EndTime, _options.TimeProvider)
            .ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
        await _ended.CancelAsync().ConfigureAwait(false);
        await _serving.ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
        await _inbox.DisposeAsync().ConfigureAwait(false);
        _queue.Dispose();
    }

    private static async Task<T> ReadAsync<T>(PacketType<T> type, Task<byte[]> answer)
    {
        byte[] body = await answer.ConfigureAwait(false);
        MessagePackValue.Check(body);
        return type.Read(body);
    }

    private async Task ServeAsync()
    {
        try
        {
            await _queue.RunAsync(_ended.Token).ConfigureAwait(false);
        }
        catch (FleetException e)
        {
            End(new TransportException(TransportFault.ConnectFailed, e.Message, e));
        }
        catch (OperationCanceledException)
        {
            // Disposed of.
        }
    }

    private void End(TransportException why)
    {
        _over ??= why;
        _inbox.FailAll(why);
    }

    private async Task<byte[]> AskAsync(
        PacketType type, byte[] body, Action<byte[]>? report, TimeSpan? timeout, Lane lane, CancellationToken cancellationToken)
    {
        cancellationToken.ThrowIfCancellationRequested();
        RequestTrace? trace = RequestTrace.Begin(type, lane);
        Exception? failure = null;
        var request = new RemoteRequest(
            new WorkItem
            {
                Id = Guid.NewGuid(), Caller = _id, Type = type.Id, Name = type.ToString(), Lane = lane, WantsProgress = report is not null,
                Trace = TransportTracing.Current, Body = body,
            },
            _options);
        using CancellationTokenRegistration cancelled =
            cancellationToken.Register(() => request.Fail(new OperationCanceledException(cancellationToken)));
        using Delay? limit = LimitOf(request, timeout);
        _inbox.Add(request);
        try
        {
            if (_over is { } over)
            {
                request.Fail(over);   // it was added behind those that failed
            }

            _ = _queue.AddAsync(request);
            if (request.Reports is { } reports)
            {
                await foreach (byte[] one in reports.ReadAllAsync(CancellationToken.None).ConfigureAwait(false))
                {
                    report!(one);
                }
            }

            byte[] answer = await request.Answer.ConfigureAwait(false);
            Interlocked.Increment(ref _answered);
            return answer;
        }
        catch (Exception e)
        {
            Interlocked.Increment(ref _failed);
            request.Fail(e);   // of the reports' taker
            failure = e;
            throw;
        }
        finally
        {
            _inbox.Remove(request);
            trace?.End(failure);
            if (failure is not null || request.Tries > 1)
            {
                _ = _queue.RemoveAsync(request);
            }
        }
    }

    private Delay? LimitOf(RemoteRequest request, TimeSpan? timeout)
    {
        if (timeout is not { } time || time == Timeout.InfiniteTimeSpan)
        {
            return null;
        }

        var limit = new Delay(_options.TimeProvider, time > TimeSpan.Zero ? time : TimeSpan.Zero, CancellationToken.None);
        _ = limit.Task.ContinueWith(
            _ => request.Fail(new TransportException(TransportFault.RequestTimeout, FormattableString.Invariant(
                $"No response to {request.Item.Name} arrived within {time.TotalSeconds:0.###} s: {request.Where}."))),
            CancellationToken.None, TaskContinuationOptions.ExecuteSynchronously, TaskScheduler.Default);
        return limit;
    }
}
