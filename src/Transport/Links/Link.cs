using System;
using System.Buffers;
using System.Collections.Generic;
using System.Linq;
using System.Threading;
using System.Threading.Tasks;

namespace Transport;

/// <summary>A connection between two nodes, after the handshake: packets in both directions, each of them accounted for.</summary>
/// <remarks>
/// <para>Sending works at once and from any thread. Nothing is read before <see cref="Start"/>. A link ends once, by whatever comes first
/// (a close of either side, a fault, the peer's exit), and <see cref="Completion"/> says how.</para>
/// </remarks>
public sealed partial class Link : IPacketSender, IStreamRequestSender, IAsyncDisposable, IRequestLink
{
    /// <summary>How long the end waits for callbacks that report stalls.</summary>
    private static readonly TimeSpan CallbackGrace = TimeSpan.FromSeconds(2);

    private readonly LinkOptions _options;
    private readonly Heartbeat _heartbeat;
    private readonly LinkCounters _counters;
    private readonly SendQueue _queue;
    private readonly LinkFlow _flow;
    private readonly LinkSender _sender;
    private readonly Requests _requests;
    private readonly OwnWaits _waits;
    private readonly AckLedger _acks;
    private readonly AckWaits _ackWaits;
    private readonly LaneAcknowledgments _acknowledgments = new();
    private readonly LinkBook _book;
    private readonly HandlerFailures _failures;
    private readonly StallReporter _stalls;
    private readonly ControlReceiver _control;
    private readonly LinkWatch _watch;
    private readonly StopRequest _stop;
    private LinkReceipt? _last;         // written before _ended completes, read behind it
    private volatile bool _isStarted;   // set once by the thread that starts reading
    private readonly TaskCompletionSource<LinkEnd> _ended = new(TaskCreationOptions.RunContinuationsAsynchronously);

    internal Link(IWire wire, LinkOptions options, SegmentPool pool, Heartbeat heartbeat, HandshakeResult handshake, LinkThreads threads,
        bool isMain, TailMap? tail = null)
    {
        _options = options;
        _heartbeat = heartbeat;
        Peer = handshake.Peer;
        IsMain = isMain;
        PeerName = handshake.Name is { Length: > 0 } name ? name : Peer.Node.Length > 0 ? Peer.Node : "the peer";

        // Each part is made of those before it, and whole then. The flow makes the receive pump, which reports to it.
        var budget = new ByteBudget(options.MaxQueuedBytes);
        var misses = new MissCounts();
        var losses = new PeerLosses();
        var calls = new HandlerCalls();
        _counters = new LinkCounters { QueuedNow = () => budget.Used, PoolMissesNow = () => pool.Misses };
        var signal = new SendSignal(_counters);
        var setup = new SendSetup(budget)
        {
            Urgent = options.UrgentPolicy, Normal = options.NormalPolicy, Bulk = options.BulkPolicy, MaxBody = Peer.MaxPacketBytes,
            Tables = lane => new PacketTables(lane, Peer.Tables, options.MaxTableBytes, Peer.MaxPacketBytes),
            Observer = tail is null ? null : tail.Lane, Misses = misses,
        };
        _queue = new SendQueue(pool, setup, _counters, signal);
        _requests = new Requests(this, options.TimeProvider, options.MaxRequests, options.StreamWindowBytes, _counters);
        _acks = new AckLedger(_queue);
        _ackWaits = new AckWaits(_queue, _acks,
            () => _queue.Control.TrySend(ControlType.AckNow, static output => output.Write(AckWaits.Body), now: true));
        _waits = new OwnWaits(calls);
        _sender = new LinkSender(_queue, options, _waits, _counters);
        _failures = new HandlerFailures(options.OwnNode, PeerName, misses);
        _stalls = new StallReporter(this, options.TimeProvider, options.OwnNode, Peer.Identity, PeerName);
        _stop = new StopRequest(options.ClosesOnStop ? reason => _ = CloseAnsweredAsync(reason) : null);
        ControlReceiver control = null!;   // made with the flow
        _flow = new LinkFlow(
            wire, options, _queue, signal, _acks, _ackWaits, _acknowledgments, _requests, _counters, threads, handshake.Leftover, OnStarted,
            flow =>
            {
                control = new ControlReceiver(
                    this, _queue, flow, _acks, _ackWaits, _acknowledgments, losses, calls, _requests, _stop, isMain, handshake.Level);
                var tables = new LaneTables(Peer.Tables, options.MaxPacketBytes);
                var packets = new PacketDispatcher(control, pool, _counters, options.MaxPacketBytes, tables, calls)
                {
                    Source = new PacketSource(this, PeerName, options.TimeProvider),
                    Failures = options.EndOnHandlerFailure ? null : _failures,
                    Misses = misses,
                };
                return new ReceivePump(wire, pool, control, _counters, options.TimeProvider, packets);
            });
        _control = control;
        _watch = new LinkWatch(options, PeerName, _queue, _flow, _acks, _control, _counters, _stalls, _waits, _ackWaits, _requests);
        _book = new LinkBook(_queue, _acks, losses, misses, _counters, _flow);
        TransportEventSource.Log.LinkOpened(options.OwnNode, PeerName, wire.Kind.ToString());
        LiveLinks.All.Add(_book);
        _flow.Begin();
        _ = CompleteAsync();
    }

    /// <summary>Occurs if the peer changes which log events it wants; on the receive thread, so a subscriber must not wait. Who subscribes
    /// and then reads <see cref="Levels"/> misses no change.</summary>
    public event EventHandler<LevelRules>? LevelsChanged
    {
        add => _control.LevelsChanged += value;
        remove => _control.LevelsChanged -= value;
    }

    /// <summary>Occurs if something on this link has stood still for <see cref="HeartbeatOptions.StallTimeout"/>: a handler of this side
    /// that does not return, or a peer that takes nothing. Once for each stall, on a thread of the pool, never two calls at a time; what a
    /// subscriber throws is only written to the event source.</summary>
    /// <remarks>The report says who waits for whom, since when, with what queued, and what to do. The link goes on while the peer
    /// pings.</remarks>
    public event EventHandler<StallReport>? Stalled
    {
        add => _stalls.Stalled += value;
        remove => _stalls.Stalled -= value;
    }

    /// <summary>Occurs if a stall that was reported is over, also if only the link's end ended it; as <see cref="Stalled"/>.
    /// <see cref="Completion"/> completes after it, unless it takes more than 2 s.</summary>
    public event EventHandler<StallReport>? StallEnded
    {
        add => _stalls.StallEnded += value;
        remove => _stalls.StallEnded -= value;
    }

    /// <summary>Gets the peer: what it said in the handshake, and what the kernel says.</summary>
    public LinkPeer Peer { get; }

    /// <summary>Gets a token that is cancelled when the main node asks this worker to finish (<c>WorkerProcess.StopAsync</c>).</summary>
    /// <remarks>The link closes at the same time, unless the worker was connected with <c>WorkerHostOptions.CloseOnStop</c> false, or its
    /// work takes the token (<c>WorkerHost.RunAsync</c>): such a worker closes the link itself, behind its last packets.</remarks>
    public CancellationToken StopRequested => _stop.Token;

    /// <summary>Gets a value indicating whether packets go both ways: <see cref="Start"/> was called, and neither side has begun to
    /// close.</summary>
    public bool IsOpen => Phase == LinkPhase.Open;

    /// <summary>Gets where the link stands.</summary>
    internal LinkPhase Phase => _flow.Phase;

    /// <inheritdoc/>
    public LevelRules Levels => _control.Levels;

    /// <summary>Gets the end. Completes once, when everything of the link is over, and never faults.</summary>
    public Task<LinkEnd> Completion => _ended.Task;

    /// <summary>Gets the counters; they go on counting.</summary>
    public LinkCounters Counters => _counters;

    /// <summary>Gets the counts of packets so far; final once <see cref="Completion"/> has completed.</summary>
    public LinkReceipt Receipt =>
        _ended.Task.IsCompleted ? _last! with { TooLate = _counters.ClosedAnswers } : _book.Read();   // nothing else counts any more

    /// <summary>Gets a value indicating whether this side listened: it sets the level, and receives none.</summary>
    internal bool IsMain { get; }

    /// <summary>Gets the name of the peer for people: the ticket's if this side listened, else what the peer calls itself.</summary>
    internal string PeerName { get; }

    /// <summary>Gets what completes when the link cannot go on: by a fault, by a deadline, or because its stream has ended.
    /// <see cref="Completion"/> comes later if there is something left to handle. A clean end does not complete it.</summary>
    internal Task Broken => _flow.Broken;

    /// <summary>Gets why the link ends, as far as that is known; null too while a stream that has ended early is being recovered.</summary>
    internal TransportFault? Fault => _flow.Cause?.Fault;

    /// <summary>Gets where reading stands. A peer that has ended is read out once the stream was found dry twice more: the first time may
    /// be a moment before its end.</summary>
    internal ReceiveLook Reading => _flow.Receiving.Progress.Look();

    /// <summary>Gets the first packet for which there was no handler; null if there was none.</summary>
    internal UnhandledPacket? FirstUnhandled => _flow.Receiving.Packets.FirstUnhandled;

    /// <summary>Gets what came for loops and was not read; null if the router has none.</summary>
    internal UnreadPackets? Unread => _flow.Receiving.Packets.Unread;

    /// <summary>Gets the last packets received, oldest first; complete once the link has ended.</summary>
    internal IReadOnlyList<RecentPacket> RecentPackets => _flow.Receiving.Packets.Recent?.Snapshot() ?? [];

    /// <summary>Gets when the peer's last whole frame came, as the clock's timestamp; null before <see cref="Start"/>.</summary>
    internal long? LastFrame => _isStarted ? Reading.LastFrame : null;

    /// <summary>Connects to a main node and shakes hands. Call <see cref="Start"/> to begin reading.</summary>
    /// <param name="endpoint">Where the main node listens.</param>
    /// <param name="secret">The secret it issued; good for one connection.</param>
    /// <param name="options">Limits and names; null: the defaults. Copied.</param>
    /// <param name="cancellationToken">Ends the attempt.</param>
    /// <returns>The link.</returns>
    /// <exception cref="TransportException"><see cref="TransportFault.ConnectFailed"/>, <see cref="TransportFault.Rejected"/> (its
    /// <see cref="TransportException.Code"/> is the wire's word), <see cref="TransportFault.HandshakeTimeout"/>,
    /// <see cref="TransportFault.PeerGone"/>, <see cref="TransportFault.FrameCorrupt"/>, <see cref="TransportFault.PacketMalformed"/>.
    /// </exception>
    /// <exception cref="ArgumentNullException"><paramref name="endpoint"/> or <paramref name="secret"/> is null.</exception>
    /// <exception cref="ArgumentException">An option cannot be used; the message names every one.</exception>
    /// <exception cref="OperationCanceledException"><paramref name="cancellationToken"/> was cancelled.</exception>
    public static Task<Link> ConnectAsync(
        WireEndpoint endpoint, LinkSecret secret, LinkOptions? options = null, CancellationToken cancellationToken = default) =>
        LinkConnector.ConnectAsync(ArgumentGuard.NotNull(endpoint, nameof(endpoint)), ArgumentGuard.NotNull(secret, nameof(secret)),
            options ?? new LinkOptions(), null, cancellationToken);

    /// <summary>Begins reading.</summary>
    /// <param name="router">Who takes which packet; frozen by this call.</param>
    /// <exception cref="InvalidOperationException">The link was started before or has ended, or a formatter of this link calls; or the
    /// router's loops (<see cref="PacketRouter.ReadAllAsync{T}(int, CancellationToken)"/>) have ended.</exception>
    public void Start(PacketRouter router) => StartWithTail(router, null);

    /// <summary>Begins reading.</summary>
    /// <param name="router">Who takes which packet; frozen by this call.</param>
    /// <param name="tail">Reads the peer's tail once its process has exited (<see cref="TailReplay"/>); null: it has none.</param>
    internal void StartWithTail(PacketRouter router, Func<Task<TailContent?>>? tail)
    {
        ArgumentGuard.NotNull(router, nameof(router));
        _queue.ThrowIfInsideFormatter();
        router.Uses.Enter();   // left by the flow, at the link's end
        if (!_flow.TryStart(router, tail))
        {
            router.Uses.Leave(wasUsed: false);
            throw new InvalidOperationException(
                "The link was started before, or has ended. WorkerHost.ConnectAsync starts a worker's link: pass the router there.");
        }

        router.Freeze();   // another thread may be about to do it: the one that runs the link's actions
    }

    /// <summary>Reports to the peer which log events to send, by category; for the listening side. A peer that knows no categories sends
    /// from the least of the levels on; one that does not read hears the latest.</summary>
    /// <param name="rules">The levels.</param>
    /// <returns>False if the link is closing, so that the peer was not notified.</returns>
    /// <exception cref="ArgumentNullException"><paramref name="rules"/> is null.</exception>
    /// <exception cref="InvalidOperationException">This side connected: its peer sets the levels, and would take no notice. Or the call
    /// comes from inside a formatter of this link.</exception>
    public bool SetLevels(LevelRules rules)
    {
        ArgumentGuard.NotNull(rules, nameof(rules));
        _queue.ThrowIfInsideFormatter();
        if (!IsMain)
        {
            throw new InvalidOperationException("The level is set by the side that listens; this side has connected.");
        }

        return _queue.Control.SetLevel(rules);
    }

    /// <summary>Closes the link: takes nothing new, sends what is queued, says Goodbye, and waits for the peer's Ack and Goodbye.</summary>
    /// <param name="reason">Reported to the peer; for people. Empty by default.</param>
    /// <param name="timeout">How long it may take; null: <see cref="LinkOptions.CloseTimeout"/>. <see cref="Timeout.InfiniteTimeSpan"/>:
    /// no limit; any other negative time counts as zero. Past it the link ends with <see cref="TransportFault.Timeout"/>.</param>
    /// <param name="cancellationToken">Cancelled: as <see cref="Abort"/>. Throws nothing: the end says what was acknowledged.</param>
    /// <returns>The end, with the receipt: sent, acknowledged, dropped. May be called again, and from both sides at once. The task fails
    /// only with an <see cref="InvalidOperationException"/>, if the call comes from inside a formatter of this link.</returns>
    /// <remarks>Not awaited inside a handler of the same link: the peer's Goodbye would wait behind that handler.</remarks>
    public async Task<LinkEnd> CloseAsync(string reason = "", TimeSpan? timeout = null, CancellationToken cancellationToken = default)
    {
        _queue.ThrowIfInsideFormatter();
        _flow.Close(reason);
        TimeSpan limit = timeout ?? _options.CloseTimeout;
        Task<bool> closing = Delay.InTimeAsync(_ended.Task, _options.TimeProvider, limit, cancellationToken);
        if (!await _waits.NoteAsync(closing, OwnWaits.Call.Close).ConfigureAwait(false))
        {
            (LinkEvent way, TransportFault fault, string what) = cancellationToken.IsCancellationRequested
                ? (LinkEvent.Abort, TransportFault.Aborted, "Closing was cancelled")
                : (LinkEvent.Limit, TransportFault.Timeout, FormattableString.Invariant(
                    $"Closing took longer than {limit.TotalSeconds:0.###} s"));
            _flow.Report(way, new LinkCause(fault, what + Receipt.Standing(_queue.QueuedBytes) + _stalls.StoppedNote() + "."));
        }

        return await _ended.Task.ConfigureAwait(false);
    }

    /// <summary>Ends the link at once: what is queued is given up, and the peer sees its stream end without Goodbye (PeerGone).</summary>
    /// <param name="reason">For people; is in <see cref="LinkEnd.Reason"/>.</param>
    /// <exception cref="ArgumentNullException"><paramref name="reason"/> is null.</exception>
    /// <exception cref="InvalidOperationException">The call comes from inside a formatter of this link.</exception>
    public void Abort(string reason)
    {
        ArgumentGuard.NotNull(reason, nameof(reason));
        _queue.ThrowIfInsideFormatter();
        _flow.Report(LinkEvent.Abort, new LinkCause(TransportFault.Aborted, reason));
    }

    /// <summary>Closes the link: as <see cref="CloseAsync"/> with the defaults.</summary>
    /// <returns>Completes when the link has ended; fails only inside a formatter of this link, as <see cref="CloseAsync"/>.</returns>
    public async ValueTask DisposeAsync() => await CloseAsync().ConfigureAwait(false);

    ReceiveContext IRequestLink.Context => _flow.Receiving.Packets.Context!;   // requests come once reading has begun

    bool IRequestLink.PeerStreams => Peer.Streams;

    RequestHandler? IRequestLink.FindRequest(int type) => _flow.Receiving.Packets.Router.FindRequest(type);

    void IRequestLink.OnRequestFailed(ushort type, string name, Exception thrown) =>
        _failures.TakeRequest(_flow.Receiving.Packets.Router, type, name, thrown);

    /// <summary>Reports from now on how many packets of each lane the peer has acknowledged. Before <see cref="Start"/>, and before
    /// anything is sent.</summary>
    /// <param name="report">Called with a lane and a rising number, on the link's own threads and under a lock: it must not wait nor call
    /// back.</param>
    /// <exception cref="InvalidOperationException">The link was started or has sent packets before.</exception>
    internal void SubscribeToAcknowledgments(Action<Lane, long> report)
    {
        if (_isStarted || _queue.PacketsWritten > 0)
        {
            throw new InvalidOperationException("Acknowledgments are reported from a link's first packet on: subscribe before.");
        }

        _acknowledgments.Subscribe(report);
    }

    /// <summary>Counts the packets of a tail that is not replayed. For a link that has ended.</summary>
    internal TailReport? CountTail(TailContent content) => _flow.CountTail(content);

    /// <summary>Ends the link of a process that has ended, if something else keeps its stream open.</summary>
    /// <param name="readOut">Whether everything that the process wrote is handled.</param>
    internal void PeerProcessEnded(bool readOut) => _flow.OnProcessEnded(readOut);

    /// <summary>Asks the peer to finish; it closes the link when it has answered what was begun.</summary>
    /// <param name="reason">For people.</param>
    /// <param name="patience">The longest wait until the peer has begun earlier requests: the word of a stop is written ahead of them.</param>
    /// <param name="cancellationToken">Ends that wait.</param>
    /// <returns>False if it cannot be asked: an older one, or the link is closing.</returns>
    internal async Task<bool> TryRequestStopAsync(string reason, TimeSpan patience, CancellationToken cancellationToken)
    {
        _requests.StopReason = reason;
        if (_requests.AreAny)
        {
            Task begun = WaitUntilAcknowledgedAsync(CancellationToken.None);
            await Delay.InTimeAsync(begun, _options.TimeProvider, patience, cancellationToken).ConfigureAwait(false);
        }

        return Peer.TakesStop && _queue.Control.TrySend(
            ControlType.Stop, output => ControlBody.WriteStop(output, PeerText.Cut(reason)));
    }

    /// <summary>Waits, at most for <see cref="LinkOptions.CloseTimeout"/>, until the peer's requests but for streams are answered.</summary>
    internal Task AnswerRequestsAsync(CancellationToken cancellationToken = default) => Delay.InTimeAsync(
        Task.WhenAny(_requests.AnsweredAsync(), _ended.Task), _options.TimeProvider, _options.CloseTimeout, cancellationToken);

    /// <summary>Ends the read of a link that is recovering, and that nobody writes to any more; it goes on with the tail.</summary>
    internal void GiveUpReading() => _flow.GiveUpReading();

    private async Task CloseAnsweredAsync(string reason)
    {
        await AnswerRequestsAsync().ConfigureAwait(false);
        _flow.Close(reason);
    }

    private void OnStarted()
    {
        _isStarted = true;
        TransportMeter.Publish();
        _stalls.Begin(_options.Heartbeat.StallTimeout, _heartbeat.Period);
        _heartbeat.Add(_watch);
    }

    /// <summary>The one end of every link: its threads and its wire are gone; what waits for it hears so.</summary>
    private async Task CompleteAsync()
    {
        LinkCause cause = await _flow.Ended.ConfigureAwait(false);
        _heartbeat.Remove(_watch);
        _requests.End(cause);
        _ackWaits.End();
        await Delay.InTimeAsync(_stalls.EndAsync(), _options.TimeProvider, CallbackGrace).ConfigureAwait(false);
        TransportEventSource.Log.LinkEnded(_options.OwnNode, PeerName, cause.Fault.ToString(), cause.Reason);
        LiveLinks.All.Remove(_book);
        _last = Receipt;
        _ended.TrySetResult(new LinkEnd(cause.Fault, cause.Reason, cause.Exception, _last));
    }
}
