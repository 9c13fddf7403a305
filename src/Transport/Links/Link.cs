using System;
using System.Linq;
using System.Threading;
using System.Threading.Tasks;

namespace Transport;

/// <summary>A connection between two nodes, after the handshake: packets in both directions, each of them accounted for.</summary>
/// <remarks>
/// <para>Sending works at once and from any thread. Nothing is read before <see cref="Start"/>. A link ends once, by whatever comes first
/// (a close of either side, a fault, the peer's death), and <see cref="Ended"/> says how.</para>
/// </remarks>
public sealed partial class Link : IAsyncDisposable
{
    private readonly IWire _wire;
    private readonly LinkOptions _options;
    private readonly SegmentPool _pool;
    private readonly Heartbeat _pulse;
    private readonly LinkCounters _counters;
    private readonly LinkLifecycle _lifecycle = new();
    private readonly SendQueue _queue;
    private readonly SendPump _sendPump;
    private readonly LinkThreads _threads;
    private readonly Requests _requests;
    private readonly TaskCompletionSource<LinkEnd> _ended = new(TaskCreationOptions.RunContinuationsAsynchronously);
    private readonly object _startGate = new();
    private readonly byte[] _leftover;
    private ReceivePump? _receivePump;
    private volatile int _level;

    internal Link(IWire wire, LinkOptions options, SegmentPool pool, Heartbeat pulse, HandshakeResult handshake, LinkThreads threads)
    {
        _wire = wire;
        _threads = threads;
        _options = options;
        _pool = pool;
        _pulse = pulse;
        _leftover = handshake.Leftover;
        _counters = new LinkCounters { QueuedNow = () => _queue!.QueuedBytes, PoolMissesNow = () => pool.Misses };
        _level = handshake.Level;
        Peer = handshake.Peer;
        PeerName = handshake.Name is { Length: > 0 } name ? name : Peer.Node.Length > 0 ? Peer.Node : "the peer";
        _queue = new SendQueue(pool, options.MaxQueuedBytes, options.UrgentPolicy, options.NormalPolicy, options.BulkPolicy, _counters, Signal);
        _queue.SetMaxBody(handshake.Peer.MaxPacket);
        _queue.UseTables(Agreed(LinkCaps.Strings), Agreed(LinkCaps.Maps), options.MaxTableBytes);
        if (options.Tail is not null)
        {
            _queue.UseTail(options.Tail);
        }

        _queue.AcknowledgedLate = options.Spill is { } spill ? spill.Acknowledged : null;
        _sendPump = new SendPump(_queue, wire, _counters, OnWritten, OnWriteFailed);
        _requests = new Requests(this, options);
        TransportEventSource.Log.LinkOpened(options.Node, PeerName, wire.Kind);
        _sendPump.Start(threads.Send);
    }

    /// <summary>Gets or sets what is called when the peer changes the level it wants; on the receive loop, so it must not wait. Set it
    /// before <see cref="Start"/>.</summary>
    public Action<int>? LevelChanged { get; set; }

    /// <summary>Gets a value indicating whether this side listened: it sets the level, and is not told one.</summary>
    internal bool IsMain { get; init; }

    /// <summary>Gets the name of the peer for people: the ticket's if this side listened, else what the peer calls itself.</summary>
    internal string PeerName { get; }

    /// <summary>Gets the peer: what it said in the handshake, and what the kernel says.</summary>
    public LinkPeer Peer { get; }

    /// <summary>Gets the kind of wire: "unix", "pipe" or "memory".</summary>
    public string WireKind => _wire.Kind;

    /// <summary>Gets where the link stands.</summary>
    public LinkState State => _lifecycle.State;

    /// <summary>Gets the least log level that the peer wants to be sent (0 Trace to 5 Critical, 6 None); the listening side tells it in
    /// Welcome and may change it at any time.</summary>
    public int Level => _level;

    /// <summary>Gets the end. Completes once, when everything of the link is over, and never faults.</summary>
    public Task<LinkEnd> Ended => _ended.Task;

    /// <summary>Gets the counters; they go on counting.</summary>
    public LinkCounters Counters => _counters;

    /// <summary>Gets what became of every packet so far; final once <see cref="Ended"/> has completed.</summary>
    public LinkReceipt Receipt
    {
        get
        {
            (long dropped, var byLevel) = _queue.Dropped();
            long sent = _queue.PacketsWritten;
            return new LinkReceipt(
                sent,
                Math.Min(sent, Volatile.Read(ref _acknowledged)),
                _receivePump?.Handled ?? 0,
                _receivePump?.PeerSent,
                dropped,
                byLevel,
                Volatile.Read(ref _peerDropped))
            {
                PeerDroppedByLevel = LinkReceipt.ByLevel(Volatile.Read(ref _peerDroppedByLevel)),
                Safe = _receivePump?.Safe ?? 0,
                HandlerFailures = Volatile.Read(ref _handlerFailures),
                Refused = _queue.Refused,
                PeerRefused = Volatile.Read(ref _peerRefused),
                Tail = _receivePump?.TailReport,
                Unhandled = _router is { Unknown: null } ? _counters.UnknownPackets : 0,
            };
        }
    }

    /// <summary>Connects to a main node and shakes hands. Call <see cref="Start"/> to begin reading.</summary>
    /// <param name="endpoint">Where the main node listens.</param>
    /// <param name="secret">The secret it issued; good for one connection.</param>
    /// <param name="options">Limits and names; null: the defaults. Copied.</param>
    /// <param name="cancellation">Ends the attempt.</param>
    /// <returns>The link.</returns>
    /// <exception cref="TransportException"><see cref="TransportFault.ConnectFailed"/>, <see cref="TransportFault.Rejected"/> (its
    /// <see cref="TransportException.Code"/> is the wire's word), <see cref="TransportFault.HandshakeTimeout"/>,
    /// <see cref="TransportFault.PeerGone"/>, <see cref="TransportFault.FrameCorrupt"/>, <see cref="TransportFault.PacketMalformed"/>,
    /// <see cref="TransportFault.BadOptions"/>.</exception>
    /// <exception cref="OperationCanceledException"><paramref name="cancellation"/> was cancelled.</exception>
    public static async Task<Link> ConnectAsync(WireEndpoint endpoint, LinkSecret secret, LinkOptions? options = null, CancellationToken cancellation = default)
    {
        LinkOptions checkedOptions = (options ?? new LinkOptions()).CheckedCopy();
        return await LinkConnector.ConnectAsync(endpoint, secret, checkedOptions, cancellation).ConfigureAwait(false);
    }

    /// <summary>Begins reading.</summary>
    /// <param name="router">Who takes which packet; frozen by this call.</param>
    /// <exception cref="InvalidOperationException">The link was started before or has ended, or a formatter of this link calls.</exception>
    public void Start(PacketRouter router)
    {
        if (router is null)
        {
            throw new ArgumentNullException(nameof(router));
        }

        _queue.ThrowIfInsideFormatter();
        if (!TryStart(router))
        {
            throw new InvalidOperationException("The link was started before, or has ended.");
        }
    }

    /// <summary>Tells the peer the least log level to send; for the listening side.</summary>
    /// <param name="level">0 Trace to 5 Critical, 6 None.</param>
    /// <returns>False where the link is closing, so that the peer was not told.</returns>
    /// <exception cref="ArgumentOutOfRangeException">Another number.</exception>
    /// <exception cref="InvalidOperationException">This side connected: its peer sets the level, and would take no notice. Or the call
    /// comes from inside a formatter of this link.</exception>
    public bool SetLevel(int level)
    {
        _queue.ThrowIfInsideFormatter();
        if (!IsMain)
        {
            throw new InvalidOperationException("The level is set by the side that listens; this side has connected.");
        }

        if (level is < 0 or > 6)
        {
            throw new ArgumentOutOfRangeException(nameof(level), level, "A level is 0 (Trace) to 5 (Critical), or 6 (None).");
        }

        return _queue.TrySendControl(ControlType.SetLevel, output => ControlBody.WriteSetLevel(output, level));
    }

    /// <summary>Closes the link: as <see cref="CloseAsync"/> with the defaults.</summary>
    /// <returns>Completes when the link has ended; fails only inside a formatter of this link, as <see cref="CloseAsync"/>.</returns>
    public async ValueTask DisposeAsync() => await CloseAsync().ConfigureAwait(false);

    internal RequestHandler? FindRequest(int type) => _router?.FindRequest(type);

    private bool Agreed(string cap) => Peer.Caps.Contains(cap) && _options.Caps.Contains(cap);

    private void Signal(bool now) => _sendPump.Signal(now);
}
