using System;
using System.Collections.Concurrent;
using System.Diagnostics;
using System.Globalization;
using System.Linq;
using System.Threading;
using System.Threading.Tasks;
using NATS.Client.Core;
using NATS.Client.JetStream;

namespace Transport.Nats;

/// <summary>Takes the requests of other machines (<see cref="RemotePool"/>) from the fleet's work queue, as many at once as it has workers,
/// and answers them by a local pool or by handlers of its own. Safe from any thread.</summary>
/// <remarks>What it has it keeps: a server that is away for a while ends no work, and an answer is sent until its caller has taken it. Work
/// whose caller has gone is cancelled.</remarks>
public sealed class WorkAgent : IAsyncDisposable
{
    /// <summary>As many requests may wait for their callers to take the answers, before no more is pulled.</summary>
    private const int MostUntaken = 4_096;

    private static readonly TimeSpan PullTime = TimeSpan.FromSeconds(10);

    private readonly INatsConnection _connection;
    private readonly IWorkRunner _runner;
    private readonly AgentOptions _options;
    private readonly Guid _id = Guid.NewGuid();
    private readonly Callers _callers;
    private readonly Reconnections _reconnections;
    private readonly ServerState _server;
    private readonly Signal _opened = new();
    private readonly ConcurrentDictionary<Guid, RunningWork> _running = new();
    private readonly CancellationTokenSource _stopping = new();
    private readonly CancellationTokenSource _ended = new();   // behind the last work
    private INatsSub<NatsMemoryOwner<byte>>? _cancels;         // of the one flow that opens sessions
    private volatile AgentSession? _session;      // set by the one flow before it raises _opened, read by the slots
    private volatile FleetException? _failure;    // set by a slot before it stops the agent, read behind the slots' end
    private long _answered;   // by Interlocked, raised by the slots, read by anybody; so are the next two
    private long _failed;     // by Interlocked, as above
    private long _unwanted;   // by Interlocked, as above

    private WorkAgent(INatsConnection connection, IWorkRunner runner, AgentOptions options)
    {
        (_connection, _runner, _options) = (connection, runner, options);
        _callers = new Callers(connection, options, _id);
        _server = new ServerState(options.Report, "requests are taken again", options.TimeProvider);
        _reconnections = new Reconnections(connection, _server);
        Completion = Task.Run(RunAsync);
    }

    /// <summary>Gets how the agent stands.</summary>
    public AgentStatus Status => new(_running.Count, Interlocked.Read(ref _answered), Interlocked.Read(ref _failed),
        Interlocked.Read(ref _unwanted), _server.Problem);

    /// <summary>Gets the end: the agent was stopped, and has nothing in work any more.</summary>
    /// <exception cref="FleetException">From the task: <see cref="FleetFault.NoWorker"/>, or no server could be used for
    /// <see cref="AgentOptions.GiveUpAfter"/>.</exception>
    public Task Completion { get; }

    /// <summary>Starts an agent whose requests go to the workers of a pool. It knows neither packets nor handlers.</summary>
    /// <param name="connection">The connection; the caller's, not disposed of.</param>
    /// <param name="pool">The pool; the caller's. Stop the agent before it.</param>
    /// <param name="options">The options; null: all defaults.</param>
    /// <returns>The agent. It does not need a server to start.</returns>
    /// <exception cref="ArgumentNullException"><paramref name="connection"/> or <paramref name="pool"/> is null.</exception>
    /// <exception cref="ArgumentException">An option cannot be used.</exception>
    public static WorkAgent Start(INatsConnection connection, WorkerPool pool, AgentOptions? options = null)
    {
        ArgumentNullException.ThrowIfNull(connection);
        ArgumentNullException.ThrowIfNull(pool);
        AgentOptions used = (options ?? new AgentOptions()).Checked();
        return new WorkAgent(connection, new PoolRunner(pool, used.TimeProvider), used);
    }

    /// <summary>Starts an agent whose requests are answered in this process.</summary>
    /// <param name="connection">The connection; the caller's, not disposed of.</param>
    /// <param name="handlers">The handlers of requests; nothing may be added any more.</param>
    /// <param name="options">The options; null: all defaults.</param>
    /// <returns>The agent. It does not need a server to start.</returns>
    /// <exception cref="ArgumentNullException"><paramref name="connection"/> or <paramref name="handlers"/> is null.</exception>
    /// <exception cref="ArgumentException">An option cannot be used.</exception>
    /// <remarks>There is no link to a caller: what a handler sends by <see cref="PacketContext.Sender"/> is not taken
    /// (<see cref="SendResult.Closed"/>).</remarks>
    public static WorkAgent Start(INatsConnection connection, PacketRouter handlers, AgentOptions? options = null)
    {
        ArgumentNullException.ThrowIfNull(connection);
        ArgumentNullException.ThrowIfNull(handlers);
        AgentOptions used = (options ?? new AgentOptions()).Checked();
        return new WorkAgent(connection, new HandlerRunner(handlers, used.TimeProvider), used);
    }

    /// <summary>Takes no more requests, and waits for those in work. May be called again.</summary>
    /// <param name="timeout">How long; then they are cancelled here and go to another agent. Null: without limit.</param>
    /// <param name="cancellationToken">Cancelled: the time is over at once. That throws nothing.</param>
    /// <returns>A task that completes when the agent has ended; it never fails.</returns>
    public async Task StopAsync(TimeSpan? timeout = null, CancellationToken cancellationToken = default)
    {
        await _stopping.CancelAsync().ConfigureAwait(false);
        TimeSpan time = timeout ?? Timeout.InfiniteTimeSpan;
        if (!await Delay.InTimeAsync(Completion, _options.TimeProvider, time, cancellationToken).ConfigureAwait(false))
        {
            EndWork();
        }

        await Completion.ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
    }

    /// <summary>Ends the agent: what is in work is cancelled here, and goes to another agent.</summary>
    /// <returns>Completes when it has ended; never throws.</returns>
    public async ValueTask DisposeAsync() => await StopAsync(TimeSpan.Zero).ConfigureAwait(false);

    private async Task RunAsync()
    {
        Task watching = _callers.WatchAsync(() => _running.Values, _ended.Token), signs = GiveSignsAsync();
        Task slots = Task.WhenAll(Enumerable.Range(0, _options.Slots ?? _runner.Slots).Select(_ => Task.Run(PullAsync)));
        try
        {
            await Tries.RunAsync(ServeAsync, _server, _reconnections, _options.GiveUpAfter, _options.TimeProvider, _stopping.Token)
                .ConfigureAwait(false);
        }
        catch (OperationCanceledException)
        {
            // Stopped.
        }
        catch (FleetException e)
        {
            _failure ??= e;
            EndWork();
        }
        finally
        {
            await _stopping.CancelAsync().ConfigureAwait(false);
            await slots.ConfigureAwait(false);
            await Task.WhenAll(_running.Values.Select(work => work.Ended)).ConfigureAwait(false);
            await _ended.CancelAsync().ConfigureAwait(false);
            await Task.WhenAll(watching, signs).ConfigureAwait(false);
            await (_cancels?.DisposeAsync() ?? default).ConfigureAwait(false);
            _reconnections.Dispose();
        }

        if (_failure is { } failure)
        {
            throw failure;
        }
    }

    /// <summary>Cancels what is in work: it goes to another agent.</summary>
    private void EndWork()
    {
        foreach (RunningWork work in _running.Values)
        {
            work.End();
        }
    }

    /// <summary>Keeps a session open for as long as the connection is the same.</summary>
    private async Task<bool> ServeAsync()
    {
        WorkStream stream = await WorkStream.OpenAsync(_connection, _options.Stream, _stopping.Token).ConfigureAwait(false);
        return await _reconnections.RunAsync(
            async same =>
            {
                try
                {
                    INatsJSConsumer agents = await stream.AgentsOfAsync(_options.Pool, _options.AckWait, same).ConfigureAwait(false);
                    await ListenAsync().ConfigureAwait(false);
                    var session = new AgentSession(agents, stream.MostBytes, same);
                    _session = session;
                    _server.Works();
                    _opened.Raise();
                    throw await session.Failure.WaitAsync(same).ConfigureAwait(false);
                }
                catch (Exception e) when (e is NatsException or TimeoutException)
                {
                    throw new FleetException(FleetFault.ConnectFailed, $"No request can be taken: {FleetConnection.Because(e)}.", e);
                }
                finally
                {
                    _session = null;
                }
            },
            _stopping.Token).ConfigureAwait(false);
    }

    /// <summary>Listens to callers that cancel, from the first call on; the connection subscribes anew by itself.</summary>
    private async Task ListenAsync()
    {
        if (_cancels is null)
        {
            _cancels = await _connection.SubscribeCoreAsync<NatsMemoryOwner<byte>>(
                WorkStream.AgentOf(_options.Stream, _id), cancellationToken: CancellationToken.None).ConfigureAwait(false);
            _ = TakeCancelsAsync(_cancels);
        }
    }

    private async Task TakeCancelsAsync(INatsSub<NatsMemoryOwner<byte>> cancels)
    {
        await foreach (NatsMsg<NatsMemoryOwner<byte>> message in cancels.Msgs.ReadAllAsync(CancellationToken.None).ConfigureAwait(false))
        {
            using NatsMemoryOwner<byte> data = message.Data;
            try
            {
                WorkNews news = WorkNews.Read(data.Span);
                if (news.Kind == WorkNewsKind.Cancel && _running.TryGetValue(news.Id, out RunningWork? work))
                {
                    work.NotWanted();
                }
            }
            catch (TransportException e)
            {
                _options.Report?.Invoke($"a message to this agent is none of a caller's: {e.Message}");
            }
        }
    }

    /// <summary>Tells the server again and again what is in work.</summary>
    private async Task GiveSignsAsync()
    {
        while (!_ended.IsCancellationRequested)
        {
            using (var delay = new Delay(_options.TimeProvider, (_session?.AckWait ?? _options.AckWait) / 3, _ended.Token))
            {
                await delay.Task.ConfigureAwait(false);
            }

            foreach (RunningWork work in _running.Values)
            {
                try
                {
                    await work.GiveSignAsync().ConfigureAwait(false);
                }
                catch (Exception e) when (e is NatsException or TimeoutException or OperationCanceledException)
                {
                    break;   // the connection is lost; once it is back, the next sign may still be in time
                }
            }
        }
    }

    /// <summary>One slot: pulls a request, answers it, and pulls the next, until the agent stops.</summary>
    private async Task PullAsync()
    {
        while (!_stopping.IsCancellationRequested)
        {
            Task opened = _opened.Next;
            if (_session is not { IsOver: false } session)
            {
                await opened.WaitAsync(_stopping.Token).ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
                continue;
            }

            try
            {
                INatsJSMsg<NatsMemoryOwner<byte>>? message = await session.Agents.NextAsync<NatsMemoryOwner<byte>>(
                    opts: new NatsJSNextOpts { Expires = PullTime }, cancellationToken: session.Ended).ConfigureAwait(false);
                if (message is not null)
                {
                    await TakeAsync(message, session).ConfigureAwait(false);
                }
            }
            catch (OperationCanceledException)
            {
                // Stopped, or the connection is another now.
            }
            catch (Exception e) when (e is NatsException or TimeoutException)
            {
                session.Fail(e);
            }
        }
    }

    private async Task TakeAsync(INatsJSMsg<NatsMemoryOwner<byte>> message, AgentSession session)
    {
        WorkItem item;
        using (NatsMemoryOwner<byte> data = message.Data)
        {
            try
            {
                item = WorkItem.Read(data.Span);
            }
            catch (TransportException e)
            {
                _options.Report?.Invoke(TerminalText.Line(string.Create(CultureInfo.InvariantCulture,
                    $"message {message.Metadata?.Sequence.Stream} of the queue ({message.Subject}) is no request: {e.Message} "
                        + $"It is taken out; the others go on")));
                await message.AckTerminateAsync().ConfigureAwait(false);
                return;
            }
        }

        var work = new RunningWork(item, message);
        if (!_running.TryAdd(item.Id, work))
        {
            return;   // its sign was too late: it is still in work here, and answered once
        }

        _ = RunAsync(work, session);
        await work.Answered.ConfigureAwait(false);
        while (_running.Count > MostUntaken)
        {
            await Task.WhenAny(_running.Values.Select(one => one.Ended)).ConfigureAwait(false);   // callers take their answers slowly
        }
    }

    /// <summary>One request from its delivery until it is out of the queue, or goes back.</summary>
    /// <returns>A task that never fails.</returns>
    private async Task RunAsync(RunningWork work, AgentSession session)
    {
        try
        {
            await AnswerAsync(work, session.MostBytes).ConfigureAwait(false);
        }
        catch (OperationCanceledException) when (work.Cancelled.IsCancellationRequested)
        {
            if (work.IsUnwanted)
            {
                Interlocked.Increment(ref _unwanted);
                await work.DoneAsync().ConfigureAwait(false);
            }
            else
            {
                await work.GiveBackAsync().ConfigureAwait(false);
            }
        }
        catch (Exception e) when (e is NatsException or TimeoutException or OperationCanceledException)
        {
            session.Fail(e);   // it is delivered again
        }
        finally
        {
            _running.TryRemove(work.Item.Id, out _);
            work.NoteEnded();
        }
    }

    private async Task AnswerAsync(RunningWork work, int mostBytes)
    {
        WorkItem item = work.Item;
        WorkOutcome? outcome = item.ItsVersion == WorkItem.Version ? null : WorkOutcome.Failed(
            TransportFault.RequestFailed, FormattableString.Invariant(
                $"The agent speaks version {WorkItem.Version} of the messages of work, the caller {item.ItsVersion}: update the older."));
        if (outcome is null)
        {
            if (!await _callers.BeginAsync(work).ConfigureAwait(false))
            {
                Interlocked.Increment(ref _unwanted);
                await work.DoneAsync().ConfigureAwait(false);
                return;
            }

            outcome = await _callers.TellLateAsync(work, AnswerOfAsync(work)).ConfigureAwait(false);
        }

        if (outcome is null)
        {
            _failure = new FleetException(FleetFault.NoWorker,
                "The agent's pool has no worker any more and starts none: look at its last exit (WorkerPool.Status).");
            await work.GiveBackAsync().ConfigureAwait(false);
            await _stopping.CancelAsync().ConfigureAwait(false);
            return;
        }

        Task<bool> taking = _callers.AnswerAsync(work, outcome, mostBytes);
        work.NoteAnswered();   // it is on its way: its slot takes the next
        bool isTaken = await taking.ConfigureAwait(false);
        Interlocked.Increment(ref !isTaken ? ref _unwanted : ref outcome.Fault == TransportFault.None ? ref _answered : ref _failed);
        await work.DoneAsync().ConfigureAwait(false);
    }

    /// <summary>Has a request answered, within the caller's trace.</summary>
    private async Task<WorkOutcome?> AnswerOfAsync(RunningWork work)
    {
        WorkItem item = work.Item;
        Activity? span = TransportTracing.TryParse(item.Trace, out ActivityContext caller)
            ? TransportTracing.Begin(item.Name, ActivityKind.Server, caller) : null;
        Action<byte[]>? report = item.WantsProgress ? body => _callers.Report(work, body) : null;
        try
        {
            return await _runner.RunAsync(item, report, work.Cancelled).ConfigureAwait(false);
        }
        finally
        {
            TransportTracing.End(span, failure: null);
        }
    }

    /// <summary>What slots pull from, for as long as the connection is the same.</summary>
    private sealed class AgentSession(INatsJSConsumer agents, int mostBytes, CancellationToken ended)
    {
        private readonly TaskCompletionSource<FleetException> _failure = new(TaskCreationOptions.RunContinuationsAsynchronously);

        public INatsJSConsumer Agents => agents;

        public int MostBytes => mostBytes;

        public TimeSpan AckWait { get; } = agents.Info.Config.AckWait;

        public CancellationToken Ended => ended;

        public Task<FleetException> Failure => _failure.Task;

        public bool IsOver => ended.IsCancellationRequested || _failure.Task.IsCompleted;

        public void Fail(Exception why) => _failure.TrySetResult(
            new FleetException(FleetFault.ConnectFailed, $"No request can be taken: {FleetConnection.Because(why)}.", why));
    }
}
