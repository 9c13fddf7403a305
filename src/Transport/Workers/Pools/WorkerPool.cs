using System;
using System.Collections.Generic;
using System.Diagnostics.CodeAnalysis;
using System.Linq;
using System.Threading;
using System.Threading.Tasks;

namespace Transport;

/// <summary>Keeps a number of equal workers running and spreads requests and packets over them. Safe from any thread.</summary>
/// <remarks>A request or packet goes to one worker and stays with it: if that worker exits, the request fails with the link's fault, and
/// what became of the packet is in the worker's exit report. Nothing is sent twice.</remarks>
public sealed class WorkerPool : IRequestSender, IAsyncDisposable
{
    private readonly object _gate = new();                    // over the fields below that are not readonly, and the collections
    private readonly List<WorkerProcess> _workers = [];
    private readonly PoolMembers _members;
    private readonly RestartBudget _budget;
    private readonly CancellationTokenSource _stopping = new();
    private readonly TaskCompletionSource<bool> _over = new(TaskCreationOptions.RunContinuationsAsynchronously);
    private readonly Func<WorkerProcess> _start;
    private readonly WorkerPoolOptions _options;
    private readonly PoolChanges _changes;
    private int _places;                                      // that are filled again
    private bool _isStarted;
    private bool _isStopping;
    private bool _hasGivenUp;
    private long _restarts;
    private int _waiting;
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
        _members = new PoolMembers(_options.TakesTurns);
        _changes = new PoolChanges(_options.TimeProvider);
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
                return new WorkerPoolStatus(_options.Size, _workers.Count, _members.Open.Count(), _waiting, _restarts, _hasGivenUp,
                    _lastExit, _lastProblem);
            }
        }
    }

    /// <summary>Gets a task that completes when the last worker has exited and none will be started any more. It never faults.</summary>
    public Task Completion => _over.Task;

    /// <summary>Starts the workers, on threads of the thread pool. <see cref="SendAsync{T}(T, Lane?, CancellationToken)"/> and requests
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
    /// <exception cref="TransportException"><see cref="TransportFault.ConnectFailed"/>: no worker is started any more.</exception>
    /// <exception cref="OperationCanceledException">The wait was cancelled.</exception>
    public async Task WaitForWorkersAsync(int count, CancellationToken cancellationToken = default)
    {
        if (count < 1 || count > _options.Size)
        {
            throw new ArgumentOutOfRangeException(nameof(count), count, $"The pool has 1 to {_options.Size} workers.");
        }

        _ = await WhenAsync(() => _members.Open.Count() >= count ? this : null, Endless, cancellationToken)
            .ConfigureAwait(false) ?? throw HasNone();
    }

    /// <inheritdoc/>
    public Task<TResponse> RequestAsync<[DynamicallyAccessedMembers(DynamicallyAccessedMemberTypes.PublicProperties)] TResponse>(
        IRequest<TResponse> request, TimeSpan? timeout = null, Lane lane = Lane.Normal, CancellationToken cancellationToken = default)
        where TResponse : IPacket<TResponse>
    {
        ArgumentGuard.NotNull(request, nameof(request));
        return AskAsync((member, left) => member.Link.RequestAsync(request, left, lane, cancellationToken), timeout, cancellationToken);
    }

    /// <inheritdoc/>
    public Task<TResponse> RequestAsync<
        [DynamicallyAccessedMembers(DynamicallyAccessedMemberTypes.PublicProperties)] TResponse,
        [DynamicallyAccessedMembers(DynamicallyAccessedMemberTypes.PublicProperties)] TProgress>(
        IRequest<TResponse> request, IProgress<TProgress> progress, TimeSpan? timeout = null, Lane lane = Lane.Normal,
        CancellationToken cancellationToken = default)
        where TResponse : IPacket<TResponse>
        where TProgress : IPacket<TProgress>
    {
        ArgumentGuard.NotNull(request, nameof(request));
        return AskAsync(
            (member, left) => member.Link.RequestAsync(request, progress, left, lane, cancellationToken), timeout, cancellationToken);
    }

    /// <inheritdoc/>
    public Task<TResponse> RequestAsync<TRequest, TResponse>(
        PacketType<TRequest> requestType, PacketType<TResponse> responseType, TRequest request, TimeSpan? timeout = null,
        Lane lane = Lane.Normal, CancellationToken cancellationToken = default) => AskAsync(
            (member, left) => member.Link.RequestAsync(requestType, responseType, request, left, lane, cancellationToken),
            timeout, cancellationToken);

    /// <summary>Asks one worker for somebody else, in bytes, as <c>Link.RequestAsync</c>; <paramref name="given"/> hears first which worker
    /// it is.</summary>
    /// <returns>The response's body.</returns>
    internal Task<byte[]> ForwardAsync(
        (PacketType<byte[]> Type, byte[] Body) request, IProgress<byte[]>? progress, Action<WorkerProcess> given, Lane lane,
        CancellationToken cancellationToken) => AskAsync(
            (member, _) =>
            {
                given(member.Worker);
                return member.Link.ForwardAsync(request.Type, request.Body, progress, lane, cancellationToken);
            },
            timeout: null, cancellationToken);

    /// <summary>Queues a packet for one worker, waiting for a connected worker and for capacity without blocking a thread.</summary>
    /// <typeparam name="T">The packet.</typeparam>
    /// <param name="type">Its type.</param>
    /// <param name="packet">The packet; must not change until the task has completed.</param>
    /// <param name="lane">The lane, Urgent to Bulk; null: the type's own.</param>
    /// <param name="cancellationToken">Ends the wait; once the packet is queued it has no effect.</param>
    /// <returns>Queued; Closed: the pool has no worker and will have none, and the packet was not taken.</returns>
    /// <exception cref="TransportException">As for <see cref="IPacketSender.SendAsync{T}"/>.</exception>
    /// <exception cref="OperationCanceledException">Cancelled while waiting: the packet was not taken.</exception>
    public async ValueTask<SendResult> SendAsync<T>(
        PacketType<T> type, T packet, Lane? lane = null, CancellationToken cancellationToken = default)
    {
        while (await NextAsync(request: false, Endless, cancellationToken).ConfigureAwait(false) is { } member)
        {
            if (await member.Link.SendAsync(type, packet, lane, cancellationToken).ConfigureAwait(false) == SendResult.Queued)
            {
                return SendResult.Queued;
            }

            lock (_gate)
            {
                _members.Remove(member.Worker);   // its link is closing, and has not taken the packet
            }
        }

        return SendResult.Closed;
    }

    /// <inheritdoc cref="SendAsync{T}(PacketType{T}, T, Lane?, CancellationToken)"/>
    public ValueTask<SendResult> SendAsync<T>(T packet, Lane? lane = null, CancellationToken cancellationToken = default)
        where T : IPacket<T> => SendAsync(ArgumentGuard.NotNull(packet, nameof(packet)).PacketType, packet, lane, cancellationToken);

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

    private Deadline Endless => new(_options.TimeProvider, Timeout.InfiniteTimeSpan);

    /// <summary>Keeps one place filled, and owns it: however the loop ends, the place is given up, and those who wait hear of it.</summary>
    private async Task FillAsync()
    {
        try
        {
            await RefillAsync().ConfigureAwait(false);
        }
#pragma warning disable CA1031 // the clock is the caller's: what it throws ends this place, and is the pool's last problem
        catch (Exception e)
#pragma warning restore CA1031
        {
            Note(ExceptionText.Brief(e));
        }
        finally
        {
            lock (_gate)
            {
                _places--;
                Changed();
            }
        }
    }

    /// <summary>Starts one worker after the other until none is to follow.</summary>
    private async Task RefillAsync()
    {
        TimeSpan backoff = _options.MinBackoff;
        while (true)
        {
            long begun = _options.TimeProvider.GetTimestamp();
            (WorkerExit? exit, string? problem) = await RunWorkerAsync().ConfigureAwait(false);
            bool again = MayRestart(exit);
            backoff = _options.TimeProvider.GetElapsedTime(begun) > _options.MaxBackoff ? _options.MinBackoff : backoff;
            if (problem is not null)
            {
                PoolCalls.Guard(() => _options.OnStartFailed?.Invoke(problem, again ? backoff : null));
            }

            if (!again)
            {
                return;
            }

            using (var delay = new Delay(_options.TimeProvider, backoff, _stopping.Token))
            {
                await delay.Task.ConfigureAwait(false);
            }

            backoff = TimeSpan.FromTicks(Math.Min(Math.Max(backoff.Ticks, 1) * 2, _options.MaxBackoff.Ticks));
        }
    }

    /// <summary>Decides whether a place is filled again, and counts that.</summary>
    private bool MayRestart(WorkerExit? exit)
    {
        bool givesUp = false;
        lock (_gate)
        {
            bool wants = _options.Restart == WorkerRestart.Always
                || (_options.Restart == WorkerRestart.OnFailure && exit is not { IsClean: true });
            if (!wants || _isStopping || _hasGivenUp)
            {
                return false;
            }

            givesUp = _hasGivenUp = !_budget.TryTake();
            _restarts += givesUp ? 0 : 1;
        }

        if (givesUp)
        {
            PoolCalls.Guard(() => _options.OnGaveUp?.Invoke(Status));
        }

        return !givesUp;
    }

    /// <summary>Runs one worker from start to exit.</summary>
    /// <returns>Its exit, or why it could not be started; neither if the pool stops.</returns>
    private async Task<(WorkerExit? Exit, string? Problem)> RunWorkerAsync()
    {
        WorkerProcess worker;
        try
        {
            if (_stopping.IsCancellationRequested)
            {
                return (null, null);
            }

            worker = _start();
        }
#pragma warning disable CA1031 // the caller's function: what it throws is the pool's last problem, and the place is tried again
        catch (Exception e)
#pragma warning restore CA1031
        {
            string problem = ExceptionText.MessageOf(e);
            Note(problem);
            return (null, problem);
        }

        bool isTooLate;
        lock (_gate)
        {
            isTooLate = _isStopping;   // those that stop have not seen it
            _workers.Add(worker);
        }

        Task<WorkerExit> exiting = isTooLate ? worker.StopAsync("the pool ends") : worker.WaitForExitAsync();
        await OfferAsync(worker, exiting).ConfigureAwait(false);
        WorkerExit exit = await exiting.ConfigureAwait(false);
        lock (_gate)
        {
            _ = _workers.Remove(worker);
            _members.Remove(worker);
            _lastExit = exit;
            _lastProblem = exit.IsClean ? null : $"{exit}{(exit.Explanation is { } why ? $" ({why})" : string.Empty)}";
        }

        PoolCalls.Guard(() => _options.OnExited?.Invoke(exit));
        return (exit, null);
    }

    /// <summary>Makes a worker ready once it is connected, and offers it to those who wait. Waits for that no longer than the worker
    /// runs: <see cref="WorkerPoolOptions.OnConnected"/> may take no notice of its token.</summary>
    private async Task OfferAsync(WorkerProcess worker, Task<WorkerExit> exiting)
    {
        var over = new CancellationTokenSource();
        using (_stopping.Token.Register(() => PoolCalls.Cancel(over)))
        {
            if (await Task.WhenAny(MakeReadyAsync(worker, over.Token), exiting).ConfigureAwait(false) == exiting)
            {
                PoolCalls.Cancel(over);
            }
        }
    }

    private async Task MakeReadyAsync(WorkerProcess worker, CancellationToken over)
    {
        try
        {
            Link link = await worker.WaitForLinkAsync(over).ConfigureAwait(false);
            if (_options.OnConnected is { } onConnected)
            {
                await onConnected(link, over).ConfigureAwait(false);
            }

            lock (_gate)
            {
                if (_workers.Contains(worker))   // else it has exited meanwhile
                {
                    _members.Add(new PoolMember(worker, link));
                    Changed();
                }
            }
        }
        catch (OperationCanceledException) when (over.IsCancellationRequested)
        {
            // It exits, or the pool stops.
        }
#pragma warning disable CA1031 // the caller's function too: the worker is not ready, and the place is tried again
        catch (Exception e)
#pragma warning restore CA1031
        {
            string problem = ExceptionText.MessageOf(e);
            Note(problem);
            _ = worker.Kill($"it could not be made ready: {problem}");
        }
    }

    private async Task<T> AskAsync<T>(Func<PoolMember, TimeSpan?, Task<T>> ask, TimeSpan? timeout, CancellationToken cancellationToken)
    {
        var deadline = new Deadline(_options.TimeProvider, timeout ?? Timeout.InfiniteTimeSpan);
        PoolMember member = await NextAsync(request: true, deadline, cancellationToken).ConfigureAwait(false)
            ?? throw HasNone();
        try
        {
            return await ask(member, deadline.Left).ConfigureAwait(false);
        }
        finally
        {
            lock (_gate)
            {
                member.Waiting--;
                _waiting--;
            }
        }
    }

    /// <summary>Waits for a connected worker and chooses it.</summary>
    /// <returns>The member; null if there is none and will be none.</returns>
    private Task<PoolMember?> NextAsync(bool request, Deadline deadline, CancellationToken cancellationToken) => WhenAsync(
        () =>
        {
            PoolMember? member = _members.Next();
            if (member is not null && request)
            {
                member.Waiting++;
                _waiting++;
            }

            return member;
        },
        deadline,
        cancellationToken);

    /// <summary>Looks, under the lock, again after each change until there is what is looked for.</summary>
    /// <returns>What was found; null: no worker will be started any more.</returns>
    private async Task<T?> WhenAsync<T>(Func<T?> look, Deadline deadline, CancellationToken cancellationToken)
        where T : class
    {
        T? found = null;
        await _changes.UntilAsync(
            () =>
            {
                lock (_gate)
                {
                    return ((found = look()) is not null || _isStopping || (_isStarted && _places == 0), _changes.Next);
                }
            },
            () => new TransportException(TransportFault.RequestTimeout, FormattableString.Invariant(
                $"No worker of the pool was connected within {deadline.Limit.TotalSeconds:0.###} s: {WhyNone()}.")),
            deadline,
            cancellationToken).ConfigureAwait(false);
        return found;
    }

    private TransportException HasNone() =>
        new(TransportFault.ConnectFailed, $"The pool has no worker any more: {WhyNone().TrimEnd('.')}.");

    private string WhyNone()
    {
        WorkerPoolStatus status = Status;
        return status.LastProblem ?? status.LastExit?.ToString() ?? "none has been started yet";
    }

    private void Note(string problem)
    {
        lock (_gate)
        {
            _lastProblem = problem;
        }
    }

    /// <summary>Wakes those who wait for a worker. Under the lock.</summary>
    private void Changed()
    {
        _changes.Raise();
        if (_places == 0 && (_isStarted || _isStopping))
        {
            _ = _over.TrySetResult(true);
        }
    }
}
