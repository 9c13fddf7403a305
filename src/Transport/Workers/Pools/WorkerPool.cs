using System;
using System.Collections.Generic;
using System.Diagnostics.CodeAnalysis;
using System.Linq;
using System.Threading;
using System.Threading.Tasks;

namespace Transport;

/// <summary>Keeps a number of equal workers running and spreads requests and packets over them. Safe from any thread.</summary>
/// <remarks>A request or packet goes to one worker, whose turn it is, and stays with it, so packets of one sender keep no order among each
/// other: if that worker exits, the request fails with the link's fault, and
/// what became of the packet is in the worker's exit report. Nothing is sent twice.</remarks>
public sealed class WorkerPool : IPacketSender, IStreamRequestSender, IAsyncDisposable, IPoolPlaces, IPoolLine
{
    private readonly object _gate = new();                    // over the fields below that are not readonly, and the collections
    private readonly List<WorkerProcess> _workers = [];
    private readonly PoolMembers _members;
    private readonly RestartBudget _budget;
    private readonly CancellationTokenSource _stopping = new();
    private readonly TaskCompletionSource<bool> _over = new(TaskCreationOptions.RunContinuationsAsynchronously);
    private readonly Func<WorkerProcess> _start;
    private readonly WorkerPoolOptions _options;
    private readonly PoolWaits _waits = new();
    private readonly PoolRequests _requests;
    private readonly PoolSender _sender;
    private int _places;                                      // that are filled again
    private bool _isStarted;
    private bool _isStopping;
    private bool _hasGivenUp;
    private long _restarts;
    private WorkerExit? _lastExit;
    private string? _lastProblem;

    /// <summary>Initializes a new instance of the <see cref="WorkerPool"/> class, which does nothing before <see cref="Start"/>.</summary>
    /// <param name="start">Starts one worker; called from any thread, also several at a time. What it throws counts as a worker that has
    /// exited.</param>
    /// <param name="options">The options, copied; null: all defaults.</param>
    /// <exception cref="ArgumentException">An option cannot be used; the message names every one.</exception>
    internal WorkerPool(Func<WorkerProcess> start, WorkerPoolOptions? options = null)
    {
        _start = start;
        _options = (options ?? new WorkerPoolOptions()).CheckedCopy();
        _members = new PoolMembers(_options);
        _requests = new PoolRequests(this, _options);
        _sender = new PoolSender(this, _options.TimeProvider);
        _budget = new RestartBudget(_options.MaxRestarts, _options.RestartWindow, _options.TimeProvider);
    }

    /// <summary>Gets the workers that run, connected or not, in the order of their start.</summary>
    public IReadOnlyList<WorkerProcess> Workers
    {
        get
        {
            lock (_gate)
            {
                return [.. _workers];
            }
        }
    }

    /// <summary>Gets how the pool stands.</summary>
    public WorkerPoolStatus Status
    {
        get
        {
            lock (_gate)
            {
                return new WorkerPoolStatus(_options.Size, _workers.Count, _members.Open.Count(), _members.Waiting, _restarts, _hasGivenUp,
                    _lastExit, _lastProblem);
            }
        }
    }

    /// <summary>Gets a task that completes when the last worker has exited and none will be started any more. It never faults.</summary>
    public Task Completion => _over.Task;

    /// <summary>Starts the workers, on threads of the thread pool. <see cref="SendAsync{T}(PacketType{T}, T, Lane?, CancellationToken)"/> and requests
    /// wait until the first is connected.</summary>
    /// <exception cref="InvalidOperationException">The pool was started or stopped before.</exception>
    internal void Start()
    {
        lock (_gate)
        {
            if (_isStarted || _isStopping)
            {
                throw new InvalidOperationException("The pool was started or stopped before: a pool is started once.");
            }

            _isStarted = true;
            _places = _options.Size;
        }

        for (int i = 0; i < _options.Size; i++)
        {
            _ = Task.Run(FillAsync);
        }
    }

    /// <summary>Waits until so many workers are connected at one moment.</summary>
    /// <param name="count">How many, 1 to <see cref="WorkerPoolOptions.Size"/>.</param>
    /// <param name="cancellationToken">Ends the wait.</param>
    /// <returns>A task that completes when they are.</returns>
    /// <exception cref="ArgumentOutOfRangeException">There will never be so many.</exception>
    /// <exception cref="TransportException"><see cref="TransportFault.ConnectFailed"/>: there will not be so many any more. Places were given
    /// up, or the pool stops.</exception>
    /// <exception cref="OperationCanceledException">The wait was cancelled.</exception>
    public async Task WaitForWorkersAsync(int count, CancellationToken cancellationToken = default)
    {
        if (count < 1 || count > _options.Size)
        {
            throw new ArgumentOutOfRangeException(nameof(count), count, $"The pool has 1 to {_options.Size} workers.");
        }

        _ = await WhenAsync(() => _members.Open.Count() >= count ? this : null, count, cancellationToken).ConfigureAwait(false)
            ?? throw HasNone(count);
    }

    /// <inheritdoc/>
    public Task<TResponse> RequestAsync<TRequest, TResponse>(
        PacketType<TRequest> requestType, PacketType<TResponse> responseType, TRequest request, TimeSpan? timeout = null,
        Lane lane = Lane.Normal, CancellationToken cancellationToken = default)
    {
        PoolRequests.Check(requestType, request, responseType, lane);
        return _requests.AskAsync(
            (member, left) => member.Link.RequestAsync(requestType, responseType, request, left, lane, cancellationToken),
            timeout, cancellationToken);
    }

    /// <inheritdoc/>
    public Task<TResponse> RequestAsync<TRequest, TResponse, TProgress>(
        PacketType<TRequest> requestType, PacketType<TResponse> responseType, PacketType<TProgress> progressType, TRequest request,
        IProgress<TProgress> progress, TimeSpan? timeout = null, Lane lane = Lane.Normal, CancellationToken cancellationToken = default)
    {
        PoolRequests.Check(requestType, request, responseType, lane);
        _ = ArgumentGuard.NotNull(progressType, nameof(progressType));
        var begun = new BegunProgress<TProgress>(ArgumentGuard.NotNull(progress, nameof(progress)));
        return _requests.AskAsync(
            (member, left) => member.Link.RequestAsync(
                requestType, responseType, progressType, request, begun, left, lane, cancellationToken),
            timeout, cancellationToken, () => begun.HasBegun);
    }

    /// <inheritdoc/>
    /// <remarks>The worker has the request, and its place is taken (<see cref="WorkerPoolOptions.MaxRequestsPerWorker"/>), until the enumeration
    /// ends or is given up: dispose of it, as <c>await foreach</c> does.</remarks>
    public IAsyncEnumerable<TItem> RequestStreamAsync<TRequest, TItem>(
        PacketType<TRequest> requestType, PacketType<TItem> itemType, TRequest request, TimeSpan? timeout = null,
        Lane lane = Lane.Normal, CancellationToken cancellationToken = default)
    {
        PoolRequests.Check(requestType, request, itemType, lane);
        return _requests.AskEachAsync(
            (member, left, token) => member.Link.RequestStreamAsync(requestType, itemType, request, left, lane, token), timeout,
            cancellationToken);
    }

    /// <summary>Asks one worker for somebody else, in bytes, as <c>Link.RequestAsync</c>; <paramref name="given"/> hears first which worker
    /// it is, and null if that one could not be asked.</summary>
    /// <returns>The response's body.</returns>
    internal Task<byte[]> ForwardAsync(
        (PacketType<byte[]> Type, byte[] Body) request, IProgress<byte[]>? progress, Action<WorkerProcess?> given, Lane lane,
        CancellationToken cancellationToken) => _requests.AskAsync(
            async (member, _) =>
            {
                given(member.Worker);
                try
                {
                    return await member.Link.ForwardAsync(request.Type, request.Body, progress, lane, cancellationToken).ConfigureAwait(false);
                }
                catch (TransportException closing) when (closing.Code == Requests.NotAsked)
                {
                    given(null);
                    throw;
                }
            },
            timeout: null, cancellationToken);

    /// <summary>Gets which log events the workers want: all, for a pool is at the side that sets levels.</summary>
    public LevelRules Levels => _sender.Levels;

    /// <inheritdoc/>
    /// <remarks>For one worker. Full also: none is connected now; Closed: the pool has none and will have none.</remarks>
    public SendResult TrySend<T>(PacketType<T> type, T packet, Lane? lane = null, LanePolicy? policy = null) =>
        _sender.TrySend(type, packet, lane, policy);

    /// <inheritdoc/>
    /// <remarks>For one worker, waiting for one that is connected too. Closed: the pool has none and will have none.</remarks>
    public ValueTask<SendResult> SendAsync<T>(
        PacketType<T> type, T packet, Lane? lane = null, CancellationToken cancellationToken = default) =>
        _sender.SendAsync(type, packet, lane, cancellationToken);

    /// <inheritdoc/>
    /// <remarks>As <see cref="SendAsync{T}(PacketType{T}, T, Lane?, CancellationToken)"/>.</remarks>
    public SendResult Send<T>(PacketType<T> type, T packet, TimeSpan timeout, Lane? lane = null) =>
        _sender.Send(type, packet, timeout, lane);

    /// <inheritdoc/>
    /// <remarks>As <see cref="TrySend{T}"/>.</remarks>
    public SendResult TrySendRaw(ushort type, ReadOnlySpan<byte> body, Lane lane = Lane.Normal) => _sender.TrySendRaw(type, body, lane);

    /// <inheritdoc/>
    /// <remarks>As <see cref="SendAsync{T}(PacketType{T}, T, Lane?, CancellationToken)"/>.</remarks>
    public ValueTask<SendResult> SendRawAsync(
        ushort type, ReadOnlyMemory<byte> body, Lane lane = Lane.Normal, CancellationToken cancellationToken = default) =>
        _sender.SendRawAsync(type, body, lane, cancellationToken);

    /// <inheritdoc/>
    /// <remarks>As <see cref="SendAsync{T}(PacketType{T}, T, Lane?, CancellationToken)"/>.</remarks>
    public SendResult SendRaw(ushort type, ReadOnlySpan<byte> body, TimeSpan timeout, Lane lane = Lane.Normal) =>
        _sender.SendRaw(type, body, timeout, lane);

    /// <summary>Queues a packet for every worker that is connected, waiting for capacity. One that connects later does not get it: see
    /// <see cref="WorkerPoolOptions.OnConnected"/>.</summary>
    /// <typeparam name="T">The packet.</typeparam>
    /// <param name="type">Its type.</param>
    /// <param name="packet">The packet; must not change until the task has completed.</param>
    /// <param name="lane">The lane, Urgent to Bulk; null: the type's own.</param>
    /// <param name="cancellationToken">Ends the wait for those that have no capacity yet.</param>
    /// <returns>How many workers it was queued for; not for those whose links were closing.</returns>
    /// <exception cref="TransportException">As for <see cref="IPacketSender.SendAsync{T}"/>.</exception>
    /// <exception cref="OperationCanceledException">Cancelled while waiting: some workers may have got it.</exception>
    public async Task<int> BroadcastAsync<T>(
        PacketType<T> type, T packet, Lane? lane = null, CancellationToken cancellationToken = default)
    {
        PoolMember[] members;
        lock (_gate)
        {
            members = [.. _members.Open];
        }

        SendResult[] results = await Task.WhenAll(
            members.Select(member => member.Link.SendAsync(type, packet, lane, cancellationToken).AsTask())).ConfigureAwait(false);
        return results.Count(static result => result == SendResult.Queued);
    }

    /// <inheritdoc cref="BroadcastAsync{T}(PacketType{T}, T, Lane?, CancellationToken)"/>
    public Task<int> BroadcastAsync<T>(T packet, Lane? lane = null, CancellationToken cancellationToken = default)
        where T : IPacket<T> => BroadcastAsync(ArgumentGuard.NotNull(packet, nameof(packet)).PacketType, packet, lane, cancellationToken);

    /// <summary>Starts no worker any more and stops those that run, as <see cref="WorkerProcess.StopAsync"/>. May be called
    /// again.</summary>
    /// <param name="reason">Reported to the workers; for people.</param>
    /// <param name="timeout">How long each gets; null: <see cref="MainNodeOptions.StopTimeout"/>.</param>
    /// <param name="cancellationToken">Cancelled: the time is over at once. That throws nothing.</param>
    /// <returns>A task that completes when all have exited and <see cref="WorkerPoolOptions.OnExited"/> has been called for each.</returns>
    public async Task StopAsync(string reason = "", TimeSpan? timeout = null, CancellationToken cancellationToken = default)
    {
        WorkerProcess[] workers;
        lock (_gate)
        {
            _isStopping = true;
            workers = [.. _workers];
            Changed();
        }

        Task<WorkerExit[]> stopping = Task.WhenAll(workers.Select(worker => worker.StopAsync(reason, timeout, cancellationToken)));
        PoolCalls.Cancel(_stopping);
        _ = await stopping.ConfigureAwait(false);
        await _over.Task.ConfigureAwait(false);
    }

    /// <summary>Stops the pool: as <see cref="StopAsync"/> with the defaults.</summary>
    /// <returns>Completes when all workers have exited.</returns>
    public async ValueTask DisposeAsync() => await StopAsync("the pool ends").ConfigureAwait(false);

    PoolMember? IPoolLine.Next(out bool isOver)
    {
        lock (_gate)
        {
            isOver = IsOver(1);
            return _members.Next();
        }
    }

    Task<PoolMember?> IPoolLine.NextAsync(CancellationToken cancellationToken) => WhenAsync(_members.Next, 1, cancellationToken);

    void IPoolLine.Leave(PoolMember member)
    {
        lock (_gate)
        {
            _members.Remove(member.Worker);
        }
    }

    PoolWaiter IPoolLine.Enter(bool isNext)
    {
        lock (_gate)
        {
            return _members.TryTake(isNext) is { } member ? PoolWaiter.With(member)
                : IsOver(1) ? PoolWaiter.With(null)
                : _members.Enter(isNext);
        }
    }

    bool IPoolLine.TryLeave(PoolWaiter waiter)
    {
        lock (_gate)
        {
            return _members.TryLeave(waiter);
        }
    }

    void IPoolLine.Release(PoolMember member) => Release(member);

    TransportException IPoolLine.HasNone() => HasNone(1);

    string? IPoolLine.WhyNone()
    {
        lock (_gate)
        {
            return _members.IsAnyConnected ? null : WhyNone().TrimEnd('.');
        }
    }

    bool IPoolPlaces.TryJoin(WorkerProcess worker)
    {
        lock (_gate)
        {
            _workers.Add(worker);
            return !_isStopping;
        }
    }

    void IPoolPlaces.Offer(PoolMember member)
    {
        lock (_gate)
        {
            if (_workers.Contains(member.Worker))   // else it has exited meanwhile
            {
                _members.Add(member);
                Changed();
            }
        }
    }

    void IPoolPlaces.Leave(WorkerProcess worker, WorkerExit exit)
    {
        lock (_gate)
        {
            _ = _workers.Remove(worker);
            _members.Remove(worker);
            _lastExit = exit;
            _lastProblem = exit.IsClean ? null : $"{exit}{(exit.Explanation is { } why ? $" ({why})" : string.Empty)}";
        }
    }

    bool IPoolPlaces.MayRestart(WorkerProcess? worker, WorkerExit? exit)
    {
        bool givesUp = false;
        lock (_gate)
        {
            bool wants = _options.Restart == WorkerRestart.Always
                || (_options.Restart == WorkerRestart.OnFailure && (exit is not { IsClean: true } || worker is { IsRecycled: true }));
            if (!wants || _isStopping || _hasGivenUp)
            {
                return false;
            }

            // Who stops a worker on purpose has no trouble with it.
            givesUp = _hasGivenUp = worker is not { IsStopAsked: true } && !_budget.TryTake();
            _restarts += givesUp ? 0 : 1;
            if (givesUp)
            {
                _members.StopReplacing();
                Changed();   // a worker that was to be replaced takes something again
            }
        }

        if (givesUp)
        {
            PoolCalls.Guard(() => _options.OnGaveUp?.Invoke(Status));
        }

        return !givesUp;
    }

    void IPoolPlaces.Note(string problem)
    {
        lock (_gate)
        {
            _lastProblem = problem;
        }
    }

    /// <summary>Keeps one place filled, and owns it: however that ends, the place is given up, and those who wait hear of it.</summary>
    private async Task FillAsync()
    {
        await new PoolPlace(this, _start, _options, _stopping.Token).RunAsync().ConfigureAwait(false);
        lock (_gate)
        {
            _places--;
            Changed();
        }
    }

    /// <summary>Gives a request's place back, and replaces the worker if it has served for long enough.</summary>
    private void Release(PoolMember member)
    {
        string? recycled = _options.RecycleAboveBytes > 0 && WorkerMemory.Of(member.Worker.ProcessId) is { } bytes
            && bytes > _options.RecycleAboveBytes
                ? FormattableString.Invariant(
                    $"recycled at {bytes} bytes of memory (WorkerPoolOptions.{nameof(WorkerPoolOptions.RecycleAboveBytes)})") : null;
        bool isOver;
        lock (_gate)
        {
            isOver = _members.Release(member, recycled);
            _members.Serve(IsOver(1));
        }

        if (isOver && member.Link.IsOpen)   // else it has exited for another reason, which counts
        {
            _ = member.Worker.RecycleAsync(member.Recycled!);
        }
    }

    /// <summary>Whether so many workers will never be connected at once. Under the lock.</summary>
    private bool IsOver(int least) => _isStopping || (_isStarted && _places < least);

    /// <summary>Looks, under the lock, now and at each change until there is what is looked for.</summary>
    /// <returns>What was found; null: there will not be so many workers any more.</returns>
    private async Task<T?> WhenAsync<T>(Func<T?> look, int least, CancellationToken cancellationToken)
        where T : class
    {
        cancellationToken.ThrowIfCancellationRequested();
        PoolWait<T> wait;
        lock (_gate)
        {
            wait = _waits.Enter(look, () => IsOver(least));
        }

        try
        {
            return await Delay.UntilAsync(wait.Task, cancellationToken).ConfigureAwait(false);
        }
        finally
        {
            lock (_gate)
            {
                _waits.Leave(wait);
            }
        }
    }

    private TransportException HasNone(int least)
    {
        int places;
        lock (_gate)
        {
            places = _isStopping ? 0 : _places;
        }

        string what = least == 1 || places == 0 ? "The pool has no worker any more"
            : FormattableString.Invariant($"The pool keeps {places} of its {_options.Size} workers, so there will not be {least}");
        return new TransportException(TransportFault.ConnectFailed, $"{what}: {WhyNone().TrimEnd('.')}.");
    }

    private string WhyNone()
    {
        WorkerPoolStatus status = Status;
        return status.LastProblem ?? status.LastExit?.ToString() ?? "none has been started yet";
    }

    /// <summary>Ends the waits that a change has ended, before requests take the workers. Under the lock.</summary>
    private void Changed()
    {
        _waits.Look();
        _members.Serve(IsOver(1));
        if (_places == 0 && (_isStarted || _isStopping))
        {
            _ = _over.TrySetResult(true);
        }
    }
}
