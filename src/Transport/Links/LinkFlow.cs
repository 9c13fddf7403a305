using System;
using System.Collections.Generic;
using System.IO;
using System.Threading;
using System.Threading.Tasks;

namespace Transport;

/// <summary>
/// The life of a link: takes events from the pumps, the clock and the program, asks the session what they mean, and runs its actions.
/// </summary>
/// <remarks>
/// <para>Lock order: <c>_gate</c>, then that of <see cref="AckLedger"/>, <see cref="UnreadPackets"/> or the store's gate. Under it stands the
/// session and the list of actions that are due, nothing else is called. The lists run outside of it, one after the other in the order of
/// the events: the thread that finds nobody running them runs all, also those that others report meanwhile. No action waits, so a pump that
/// reports an event is never held up by another.</para>
/// </remarks>
internal sealed class LinkFlow : ILinkEvents, ISendEvents
{
    /// <summary>More than any socket's buffers hold (net.core.wmem_max and rmem_max are 4 MiB and less).</summary>
    public const long SocketMost = 16 << 20;

    /// <summary>How long after both Goodbyes, or after a failed write, the rest of the stream is read (PROTOCOL.md).</summary>
    private static readonly TimeSpan ReadOut = TimeSpan.FromSeconds(5);

    /// <summary>How long a Goodbye that reports a fault may take: it is written if that takes no waiting.</summary>
    private static readonly TimeSpan Farewell = TimeSpan.FromMilliseconds(250);

    /// <summary>How long the end waits for a handler or formatter that does not return after the wire is cut.</summary>
    private static readonly TimeSpan HandlerGrace = TimeSpan.FromSeconds(2);

    private readonly object _gate = new();
    private readonly LinkSession _session = new();
    private readonly Queue<LinkActions> _due = new();
    private readonly LinkLimit _limit;
    private readonly IWire _wire;
    private readonly LinkOptions _options;
    private readonly LinkCounters _counters;
    private readonly LinkThreads _threads;
    private readonly SendQueue _queue;
    private readonly SendSignal _signal;
    private readonly AckLedger _acks;
    private readonly AckWaits _ackWaits;
    private readonly LaneAcknowledgments _acknowledgments;
    private readonly Requests _requests;
    private readonly Action _started;
    private readonly EndWords _words;
    private readonly SendPump _sendPump;
    private readonly byte[] _leftover;
    private readonly TaskCompletionSource<bool> _broken = new(TaskCreationOptions.RunContinuationsAsynchronously);
    private readonly TaskCompletionSource<bool> _hurry = new(TaskCreationOptions.RunContinuationsAsynchronously);
    private readonly TaskCompletionSource<bool> _cut = new(TaskCreationOptions.RunContinuationsAsynchronously);
    private readonly TaskCompletionSource<bool> _readingOver = new(TaskCreationOptions.RunContinuationsAsynchronously);
    private readonly TaskCompletionSource<LinkCause> _ended = new(TaskCreationOptions.RunContinuationsAsynchronously);
    private readonly CancellationTokenSource _over = new();
    private bool _isRunning;                    // somebody runs what is due; under the gate, as all down to _writeError
    private PacketRouter? _router;              // of the call that began reading
    private TailReplay? _tail;                  // of the same call
    private LinkCause? _cause;
    private LinkCause? _streamEnd;              // how the stream ended, as long as that is no cause yet
    private string _ownReason = string.Empty;   // of the Close that ended an open link
    private string _peerReason = string.Empty;
    private IOException? _writeError;
    private bool _isReading;                    // by the running action alone

    /// <summary>Initializes a new instance of the <see cref="LinkFlow"/> class.</summary>
    /// <param name="wire">The wire; this owns it.</param>
    /// <param name="options">Times, clock and name.</param>
    /// <param name="queue">What is to be sent.</param>
    /// <param name="signal">The queue's; wakes the send pump.</param>
    /// <param name="acks">What the peer has acknowledged.</param>
    /// <param name="ackWaits">Who waits for that.</param>
    /// <param name="acknowledgments">Who hears of that, lane by lane.</param>
    /// <param name="requests">This side's requests; they end first if the end waits for loops.</param>
    /// <param name="counters">Counts writes.</param>
    /// <param name="threads">Both threads of the link.</param>
    /// <param name="leftover">What the handshake had read too much.</param>
    /// <param name="started">Runs on the thread that begins to read, before the receive pump does.</param>
    /// <param name="receiving">Makes the receive pump, which reports to this.</param>
    public LinkFlow(
        IWire wire, LinkOptions options, SendQueue queue, SendSignal signal, AckLedger acks, AckWaits ackWaits,
        LaneAcknowledgments acknowledgments, Requests requests, LinkCounters counters, LinkThreads threads, byte[] leftover, Action started,
        Func<ILinkEvents, ReceivePump> receiving)
    {
        (_wire, _options, _queue, _signal, _counters) = (wire, options, queue, signal, counters);
        (_acks, _ackWaits, _acknowledgments, _requests) = (acks, ackWaits, acknowledgments, requests);
        (_threads, _leftover, _started) = (threads, leftover, started);
        _words = new EndWords(options, acks);
        _limit = new LinkLimit(options.TimeProvider, () => Report(LinkEvent.Limit));
        _sendPump = new SendPump(queue, signal, wire, this);
        Receiving = receiving(this);
    }

    /// <summary>Gets a token that is cancelled when the link has ended. Its callbacks run on the pool.</summary>
    public CancellationToken Over => _over.Token;

    /// <summary>Gets the receive pump.</summary>
    public ReceivePump Receiving { get; }

    /// <summary>Gets what replays the peer's tail; null if it has none.</summary>
    public TailReplay? Tail
    {
        get
        {
            lock (_gate)
            {
                return _tail;
            }
        }
    }

    /// <summary>Gets where the link stands.</summary>
    public LinkPhase Phase
    {
        get
        {
            lock (_gate)
            {
                return _session.Phase;
            }
        }
    }

    /// <summary>Gets why the link ends; null while that is not known.</summary>
    public LinkCause? Cause
    {
        get
        {
            lock (_gate)
            {
                return _cause;
            }
        }
    }

    /// <summary>Gets what completes when the link has a cause to end other than a clean one.</summary>
    public Task Broken => _broken.Task;

    /// <summary>Gets the cause; completes when both threads have ended and the wire is gone.</summary>
    public Task<LinkCause> Ended => _ended.Task;

    private IOException? WriteError
    {
        get
        {
            lock (_gate)
            {
                return _writeError;
            }
        }
    }

    /// <summary>Begins to write; once.</summary>
    public void Begin() => _sendPump.Start(_threads.Send);

    /// <summary>Begins to read.</summary>
    /// <param name="router">Who takes which packet.</param>
    /// <param name="tail">Reads the peer's tail once its process has exited; null: it has none.</param>
    /// <returns>Whether this call began it.</returns>
    public bool TryStart(PacketRouter router, Func<Task<TailContent?>>? tail) =>
        Take(LinkEvent.Start, router: router, tail: tail is null ? null : new TailReplay(tail, _cut.Task));

    /// <summary>Counts the packets of a tail that is not replayed. For a link that has ended, be it before it was started.</summary>
    public TailReport? CountTail(TailContent content) =>
        (Tail ?? new TailReplay(static () => Task.FromResult<TailContent?>(null), Task.CompletedTask)).Count(content, Receiving);

    /// <summary>Closes the link.</summary>
    /// <param name="reason">Reported to the peer, if this call closes it.</param>
    public void Close(string reason) => Take(LinkEvent.Close, reason: reason);

    /// <inheritdoc/>
    public void TakeGoodbye(string reason, LinkCause? fault) =>
        Take(fault is null ? LinkEvent.PeerGoodbye : LinkEvent.PeerGoodbyeFault, fault, peerReason: reason);

    /// <inheritdoc/>
    public bool Report(LinkEvent linkEvent, LinkCause? cause = null) => Take(linkEvent, cause);

    /// <summary>Takes an event with what belongs to it alone.</summary>
    /// <param name="linkEvent">What happened.</param>
    /// <param name="cause">The words for it, if it decides why the link ends; null: those of the state.</param>
    /// <param name="router">With <see cref="LinkEvent.Start"/>: who takes which packet.</param>
    /// <param name="tail">With <see cref="LinkEvent.Start"/>: what replays the peer's tail.</param>
    /// <param name="reason">With <see cref="LinkEvent.Close"/>: what is reported to the peer.</param>
    /// <param name="peerReason">With a Goodbye of the peer: what it said.</param>
    /// <returns>Whether it changed anything.</returns>
    private bool Take(
        LinkEvent linkEvent, LinkCause? cause = null, PacketRouter? router = null, TailReplay? tail = null, string? reason = null,
        string? peerReason = null)
    {
        if (linkEvent is LinkEvent.Abort or LinkEvent.Limit)
        {
            _hurry.TrySetResult(true);
        }

        lock (_gate)
        {
            LinkPhase from = _session.Phase;
            _peerReason = peerReason ?? _peerReason;
            LinkActions actions = _session.Take(
                linkEvent, cause?.Fault ?? TransportFault.None, _acks.IsComplete && Receiving.Packets.IsSettled);
            if (_session.Phase == from && actions == LinkActions.None)
            {
                return false;
            }

            _router = router ?? _router;
            _tail = tail ?? _tail;
            _session.HasTail = _tail is not null;
            _ownReason = reason ?? _ownReason;
            NoteCause(from, linkEvent, cause);
            _due.Enqueue(actions);
            if (_isRunning)
            {
                return true;
            }

            _isRunning = true;
        }

        RunDue();
        return true;
    }

    /// <summary>Ends the link of a process that has ended while something else keeps its stream open.</summary>
    /// <param name="readOut">Whether everything that the process wrote is handled.</param>
    public void OnProcessEnded(bool readOut)
    {
        const string Reason = "The peer's process has ended without Goodbye; "
            + "another process that inherited its end keeps the stream open.";
        Report(readOut ? LinkEvent.EndOfStream : LinkEvent.PeerGone, new LinkCause(TransportFault.PeerGone, Reason));
        GiveUpReading();
    }

    /// <summary>Ends the read of a link that is recovering, and that nobody writes to any more; the pump goes on with the tail.</summary>
    public void GiveUpReading()
    {
        if (Phase == LinkPhase.Recovering)
        {
            _wire.TryAbort(_options.OwnNode);
        }
    }

    /// <inheritdoc/>
    public bool OnEndOfStream(bool inside, IOException? broken)
    {
        string reason = inside
            ? "The stream ended inside a packet: the peer's process died or its link was cut."
            : "The stream ended without Goodbye: the peer's process died or its link was cut.";
        Report(LinkEvent.EndOfStream, new LinkCause(TransportFault.PeerGone, reason, broken ?? WriteError));
        return Phase == LinkPhase.Recovering;
    }

    /// <summary>Under the gate: gives the cause its words if this event has decided it.</summary>
    private void NoteCause(LinkPhase from, LinkEvent linkEvent, LinkCause? said)
    {
        if (_session.Phase == LinkPhase.Recovering || _session.Cause is not (null or TransportFault.None))
        {
            _broken.TrySetResult(true);
        }

        if (_session.Cause is not { } fault)
        {
            _streamEnd = linkEvent == LinkEvent.EndOfStream ? said : _streamEnd;
        }
        else if (_cause is null)
        {
            _cause = fault == TransportFault.None ? new LinkCause(fault, _ownReason.Length > 0 ? _ownReason : _peerReason)
                : _words.Of(from, linkEvent, fault, said ?? _streamEnd, _writeError, Receiving.Packets);
        }
        else if (from == LinkPhase.Recovering && linkEvent is LinkEvent.Fault or LinkEvent.HandlerFailed && said is not null)
        {
            _cause = _cause with
            {
                Reason = $"{_cause.Reason} Then {said.Fault}: {said.Reason}",
                Exception = _cause.Exception ?? said.Exception,
            };
        }
    }

    private void RunDue()
    {
        while (true)
        {
            LinkActions actions;
            lock (_gate)
            {
                if (_due.Count == 0)
                {
                    _isRunning = false;
                    return;
                }

                actions = _due.Dequeue();
            }

            Run(actions);
        }
    }

    /// <summary>Runs the actions of one event, in the order of docs/design/link-session.md.</summary>
    private void Run(LinkActions actions)
    {
        Do(actions, LinkActions.StartReading | LinkActions.StartReadingUnrouted, StartReading);
        Do(actions, LinkActions.SealQueue, _queue.Seal);
        Do(actions, LinkActions.BreakQueue, BreakQueue);
        Do(actions, LinkActions.SendGoodbye, () => _queue.Complete(_ownReason));
        Do(actions, LinkActions.SendAnswer, () => _queue.Answer(Receiving.Packets.Dispatched));
        Do(actions, LinkActions.SendFarewell, SendFarewell);
        Do(actions, LinkActions.SettleStore, () => _ = SettleAsync());
        Do(actions, LinkActions.ShutdownSend, ShutdownSend);
        Do(actions, LinkActions.LimitClose, LimitClose);
        Do(actions, LinkActions.LimitRead, LimitRead);
        Do(actions, LinkActions.CancelLimit | LinkActions.Complete, _limit.Cancel);
        Do(actions, LinkActions.CutWire, Receiving.Stop);
        Do(actions, LinkActions.CutWire, () => _ = CutAsync());
        Do(actions, LinkActions.Complete, Complete);
    }

    /// <summary>Runs an action if it is due. Nothing but a defect makes it throw, and the actions behind it run all the same: they may be
    /// those that end the link.</summary>
    private void Do(LinkActions due, LinkActions which, Action action)
    {
        if ((due & which) == 0)
        {
            return;
        }

        try
        {
            action();
        }
        catch (Exception defect)
        {
            string what = $"Ending or starting failed ({which}): {ExceptionText.MessageOf(defect)}";
            Report(LinkEvent.HandlerFailed, new LinkCause(TransportFault.HandlerFailed, what, defect));
        }
    }

    private void BreakQueue()
    {
        _queue.Break(goodbyeReason: null);
        _signal.End();
    }

    private void SendFarewell()
    {
        LinkCause cause = Cause!;
        _queue.Break(FaultNames.ToReason(cause.Fault), cause.Reason);
        _signal.End();
        _ = ReportFarewellAsync();
    }

    private void ShutdownSend()
    {
        _queue.Break(goodbyeReason: null);
        _wire.Shutdown();
    }

    private void LimitClose()
    {
        if (!_limit.IsSet)
        {
            // Not over a loop that goes on: a handler's time counts before Goodbye is read.
            UnreadPackets? unread = Receiving.Packets.Unread;
            (bool Any, long Moves) last = (unread is { Count: > 0 }, unread?.Moves ?? 0);
            _limit.Set(_options.CloseTimeout, () =>
            {
                (bool Any, long Moves) before = last;
                last = (unread is { Count: > 0 }, unread?.Moves ?? 0);
                return before.Any && (!last.Any || last.Moves != before.Moves);
            });
        }
    }

    private void LimitRead()
    {
        // What handlers are still busy with is finite, unless more comes than a socket holds.
        long most = _counters.BytesReceived + SocketMost;
        _limit.Set(ReadOut, () => Receiving.Progress.Look().IsBusy && _counters.BytesReceived <= most);
    }

    private void Complete()
    {
        _threads.End();
        _wire.TryDispose(_options.OwnNode);
        _router?.Uses.Leave();   // begun by who started the link
        _ended.TrySetResult(Cause!);
        ReceiveContext.CancelOnPool(_over);
    }

    private void StartReading()
    {
        _isReading = true;
        PacketRouter router = _router ?? new PacketRouter();
        router.Freeze();
        IReceiveSink sink = Receiving.Sink;
        Receiving.Packets.Open(
            router, router.Store is { } store ? new AckGate(store, sink.OnAckDue, sink.OnStoreFailed, Over) : null);
        _started();
        _threads.Receive.Run(Receive);
    }

    /// <summary>On the receive thread. Whatever is thrown ends the link, never the process.</summary>
    private void Receive()
    {
        try
        {
            Receiving.Run(_leftover, Tail);
            Report(LinkEvent.TailHandled);
        }
        catch (TransportException fault)
        {
            LinkEvent kind = fault.Fault == TransportFault.HandlerFailed ? LinkEvent.HandlerFailed : LinkEvent.Fault;
            Report(kind, new LinkCause(fault.Fault, fault.Message, fault.InnerException ?? fault));
        }
        catch (Exception defect)
        {
            string reason = $"Receiving failed: {ExceptionText.MessageOf(defect)}";
            Report(LinkEvent.HandlerFailed, new LinkCause(TransportFault.HandlerFailed, reason, defect));
        }
        finally
        {
            _readingOver.TrySetResult(true);
        }
    }

    int ISendEvents.OnWriting(Segment segment) => _ackWaits.AskBehind(segment);

    void ISendEvents.OnWritten(Lane lane, int packets)
    {
        _acknowledgments.Written(lane, packets);
        _acks.NoteWritten();
        _ackWaits.Look();
        if (_queue.Control.IsGoodbyeWritten)
        {
            Report(_queue.Control.IsAnswerWritten ? LinkEvent.AnswerWritten : LinkEvent.GoodbyeWritten);
        }
    }

    /// <summary>What has arrived is still read to its end: the peer may have said why.</summary>
    void ISendEvents.OnWriteFailed(IOException broken)
    {
        lock (_gate)
        {
            _writeError = broken;
        }

        TransportEventSource.Log.WriteFailed(_options.OwnNode, ExceptionText.MessageOf(broken));
        Report(LinkEvent.SendFailed);
    }

    /// <summary>A store may block in its call, so that gets a thread of its own.</summary>
    private async Task SettleAsync()
    {
        if (Receiving.Packets.IsSettled || await Task.Run(Receiving.Packets.SettleAsync).ConfigureAwait(false))
        {
            Report(LinkEvent.StoreSettled);
        }
    }

    private async Task ReportFarewellAsync()
    {
        await Delay.InTimeAsync(_sendPump.Completion, _options.TimeProvider, Farewell).ConfigureAwait(false);
        Report(LinkEvent.FarewellWritten);
    }

    /// <summary>What came before the end is read as it would have been handled, unless the end is in a hurry, or the loops take nothing.
    /// Responses cannot come any more, so requests end first: a loop's body may wait for one.</summary>
    private async Task ReadOutLoopsAsync()
    {
        if (Receiving.Packets.Unread is { Count: > 0 } unread && !_hurry.Task.IsCompleted)
        {
            _requests.End(Cause!);
            await unread.ReadOutAsync(_options.TimeProvider, _options.Heartbeat.SilenceTimeout, _hurry.Task).ConfigureAwait(false);
        }
    }

    /// <summary>The segment at hand may still be written whole: the peer then reads whole frames to the end.</summary>
    private async Task CutAsync()
    {
        _cut.TrySetResult(true);
        await Delay.InTimeAsync(_sendPump.Completion, _options.TimeProvider, Farewell).ConfigureAwait(false);
        _wire.TryAbort(_options.OwnNode);
        await Delay.InTimeAsync(_sendPump.Completion, _options.TimeProvider, HandlerGrace).ConfigureAwait(false); // a formatter may hang
        await ReadOutLoopsAsync().ConfigureAwait(false);
        Receiving.LetGo();
        if (_isReading)
        {
            await Delay.InTimeAsync(_readingOver.Task, _options.TimeProvider, HandlerGrace).ConfigureAwait(false);

            // A store may block.
            await Delay.InTimeAsync(Task.Run(Receiving.Packets.FlushAsync), _options.TimeProvider, HandlerGrace).ConfigureAwait(false);
        }

        Report(LinkEvent.ThreadsEnded);
    }
}
