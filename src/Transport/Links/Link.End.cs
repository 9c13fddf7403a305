using System;
using System.Collections.Generic;
using System.Diagnostics;
using System.IO;
using System.Threading;
using System.Threading.Tasks;

namespace Transport;

/// <content>The life of an open link: what control packets do to it, and the one road to its end.</content>
public sealed partial class Link : IReceiveSink
{
    /// <summary>How long after both Goodbyes, or after a failed write, the rest of the stream is read (PROTOCOL.md).</summary>
    private static readonly TimeSpan ReadOut = TimeSpan.FromSeconds(5);

    /// <summary>How long a Goodbye that tells a fault may take: it is written where that takes no waiting.</summary>
    private static readonly TimeSpan Farewell = TimeSpan.FromMilliseconds(250);

    /// <summary>How long the end waits for a handler that does not return after the wire is cut.</summary>
    private static readonly TimeSpan HandlerGrace = TimeSpan.FromSeconds(2);

    private readonly TaskCompletionSource<bool> _cut = new(TaskCreationOptions.RunContinuationsAsynchronously);
    private readonly TaskCompletionSource<bool> _goodbyeSettled = new(TaskCreationOptions.RunContinuationsAsynchronously);
    private PacketRouter? _router;
    private volatile IOException? _writeError;
    private Delay? _limit;
    private string _peerReason = string.Empty;
    private string _ownReason = string.Empty;
    private long _acknowledged;
    private long _lastPing;
    private long _pingId;
    private int _finished;
    private volatile bool _goodbyeReceived;

    /// <summary>Closes the link: takes nothing new, sends what is queued, says Goodbye, and waits for the peer's Ack and Goodbye.</summary>
    /// <param name="reason">Told to the peer; for people. Empty by default.</param>
    /// <param name="deadline">How long it may take; null: <see cref="LinkOptions.CloseTimeout"/>. <see cref="Timeout.InfiniteTimeSpan"/>:
    /// no limit; any other negative time counts as zero. Past it the link ends with <see cref="TransportFault.Timeout"/>.</param>
    /// <returns>The end, with the receipt: sent, acknowledged, dropped. May be called again, and from both sides at once. The task fails only with an <see cref="InvalidOperationException"/>, if the call comes from inside a formatter of this link.</returns>
    /// <remarks>Not awaited inside a handler of the same link: the peer's Goodbye would wait behind that handler.</remarks>
    public async Task<LinkEnd> CloseAsync(string reason = "", TimeSpan? deadline = null)
    {
        _queue.ThrowIfInsideFormatter();
        TryStart(new PacketRouter());
        if (_lifecycle.TryMove(LinkState.Draining))
        {
            _ownReason = reason;
        }

        _queue.Complete(reason);
        TimeSpan limit = deadline ?? _options.CloseTimeout;
        if (!await NoteOwnWait(Delay.InTimeAsync(_ended.Task, _options.Clock, limit), OwnClose).ConfigureAwait(false))
        {
            LinkReceipt now = Receipt;
            FailAndRecover(new LinkCause(
                TransportFault.Timeout,
                $"Closing took longer than {limit.TotalSeconds:0.###} s: {now.Sent} packets sent, {now.Acknowledged} acknowledged, "
                    + $"{_queue.QueuedBytes} bytes still queued{StoppedNote()}.",
                null,
                TellPeer: true));
        }

        return await _ended.Task.ConfigureAwait(false);
    }

    /// <summary>Ends the link at once: what is queued is given up, and the peer sees its stream end without Goodbye (PeerGone).</summary>
    /// <param name="reason">For people; stands in <see cref="LinkEnd.Reason"/>.</param>
    /// <exception cref="InvalidOperationException">The call comes from inside a formatter of this link.</exception>
    public void Abort(string reason)
    {
        _queue.ThrowIfInsideFormatter();
        TryStart(new PacketRouter());
        Cut(new LinkCause(TransportFault.Aborted, reason, null, TellPeer: false));
    }

    void IReceiveSink.OnAckDue(long handled) => _queue.Acknowledge(handled);

    void IReceiveSink.OnRequestPacket(ushort type, Lane lane, ReadOnlyMemory<byte> body) => _requests.OnPacket(type, lane, body);

    void IReceiveSink.OnControl(ushort type, in ControlFields fields)
    {
        switch (type)
        {
            case ControlType.Goodbye:
                OnGoodbye(fields);
                break;
            case ControlType.Ack:
                TakeAck(fields.Packets);
                Volatile.Write(ref _askedSince, 0);   // as good as a Pong: it reads, and slow handlers hold that up
                TellSpill(_acknowledged);
                break;
            case ControlType.Ping:
                HearPulse(fields, answers: false);
                Pong(fields.Id);
                break;
            case ControlType.Pong:
                HearPulse(fields, answers: true);
                break;
            case ControlType.SetLevel:
                OnSetLevel((int)fields.Level);
                break;
            case ControlType.Dropped:
                Add(ref _peerDropped, fields.Packets);
                AddByLevel(fields.ByLevel);
                break;
        }
    }

    /// <summary>Looks at the clock; called by the pulse a few times in each of the times to be kept.</summary>
    internal void OnPulse()
    {
        if (_receivePump is not { } loop || _lifecycle.State == LinkState.Closed)
        {
            return;
        }

        bool recovering = _lifecycle.IsRecovering;
        if (recovering || _writeError is not null)
        {
            LookForProgress(loop);
        }

        if (!recovering)
        {
            LookForSilence(loop);
            ValidateAck();
        }

        LookForStalls(loop, recovering);
        WakeOwnSends();
    }

    private void LookForSilence(ReceivePump loop)
    {
        TimeProvider clock = _options.Clock;
        long pending = loop.PendingSince;
        long quietSince = Math.Max(loop.LastFrame, pending);
        if (pending != 0 && clock.GetElapsedTime(quietSince) >= _options.SilenceTimeout)
        {
            FailAndRecover(new LinkCause(
                TransportFault.Timeout,
                $"No frame came from {PeerName} for {_options.SilenceTimeout.TotalSeconds:0.###} s (LinkOptions.SilenceTimeout), "
                    + $"though this side was reading{StoppedNote()}.",
                null,
                TellPeer: true));
        }
        else if (clock.GetElapsedTime(loop.LastFrame) >= _options.PingInterval && (_lastPing == 0 || clock.GetElapsedTime(_lastPing) >= _options.PingInterval))
        {
            _lastPing = Math.Max(1, clock.GetTimestamp());
            Ping(++_pingId);
        }
    }

    /// <summary>Gets the reason of the side that closed.</summary>
    private string CleanReason => _ownReason.Length > 0 ? _ownReason : _peerReason;

    private LinkCause CleanCause => new(TransportFault.None, CleanReason, null, TellPeer: false);

    private bool TryStart(PacketRouter router)
    {
        lock (_startGate)
        {
            if (_receivePump is not null || _lifecycle.State == LinkState.Closed)
            {
                return false;
            }

            router.Freeze();
            _router = router;
            var tables = new LaneTables(Agreed(LinkCaps.Strings), Agreed(LinkCaps.Maps), _options.MaxPacketBytes);
            _receivePump = new ReceivePump(_wire, _pool, router, this, _counters, _options.Clock, _options.MaxPacketBytes, tables)
            {
                Tail = Tail is null ? null : ReadTailAsync,
                HandlerFailed = _options.HandlerFailure == HandlerFailure.Report ? OnHandlerFailed : null,
            };
        }

        _lifecycle.TryMove(LinkState.Open);
        _stallWatch = new StallWatch(_options.Clock, _options.StallTimeout, _pulse.Period);
        _pulse.Add(this);
        var reading = new TaskCompletionSource<bool>(TaskCreationOptions.RunContinuationsAsynchronously);
        _reading = reading.Task;
        _threads.Receive.Run(() => Receive(_receivePump, reading));
        _ = RunAsync(reading.Task);
        return true;
    }

    /// <summary>On the receive thread. Whatever is thrown ends the link, never the process.</summary>
    private void Receive(ReceivePump pump, TaskCompletionSource<bool> reading)
    {
        try
        {
            reading.TrySetResult(pump.Run(_leftover));
        }
        catch (Exception e)
        {
            reading.TrySetException(e);
        }
    }

    private async Task RunAsync(Task<bool> reading)
    {
        try
        {
            await Task.WhenAny(reading, _cut.Task).ConfigureAwait(false);
            if (reading.IsCompleted)
            {
                await ClassifyReadEndAsync(reading).ConfigureAwait(false);
            }
        }
        catch (Exception defect)
        {
            string reason = $"Receiving failed: {ExceptionText.MessageOf(defect)}";
            _lifecycle.Conclude(new LinkCause(TransportFault.HandlerFailed, reason, defect, TellPeer: true));
        }

        await EndAsync(reading).ConfigureAwait(false);
    }

    /// <summary>The stream has ended, one way or another: finds out what that means.</summary>
    private async Task ClassifyReadEndAsync(Task<bool> reading)
    {
        try
        {
            bool inside = await reading.ConfigureAwait(false);
            await BlameEndOfStreamAsync(inside ? "The stream ended inside a packet: the peer's process died or its link was cut." : null, _writeError).ConfigureAwait(false);
        }
        catch (TransportException fault)
        {
            _lifecycle.Conclude(new LinkCause(fault.Fault, fault.Message, fault.InnerException ?? fault, TellPeer: true));
        }
        catch (IOException broken)
        {
            await BlameEndOfStreamAsync(null, broken).ConfigureAwait(false);
        }
    }

    private async Task BlameEndOfStreamAsync(string? sentence, IOException? cause)
    {
        if (_lifecycle.Cause is not null)
        {
            return;   // the stream's end is only the effect
        }

        if (_goodbyeReceived)
        {
            // The peer stops sending once it has our Goodbye. It may still wait for our last Ack: that is written first, and what it acknowledges must be safe.
            // Not where its Goodbye named a fault: then the end is known, and nothing is written any more.
            Task settled = Task.WhenAny(Task.Run(_receivePump!.SettleAsync), _cut.Task);
            await Delay.InTimeAsync(settled, _options.Clock, _options.CloseTimeout).ConfigureAwait(false);
            await Delay.InTimeAsync(Task.WhenAny(_goodbyeSettled.Task, _cut.Task), _options.Clock, ReadOut).ConfigureAwait(false);
        }

        if (_goodbyeReceived && _queue.IsGoodbyeWritten)
        {
            _lifecycle.Conclude(CleanCause);
            return;
        }

        sentence ??= _goodbyeReceived
            ? "The peer said Goodbye, but closed before it had this side's."
            : "The stream ended without Goodbye: the peer's process died or its link was cut.";
        _lifecycle.Conclude(new LinkCause(TransportFault.PeerGone, sentence, cause, TellPeer: false));
    }

    /// <summary>The one end of every link, whatever the cause: farewell where there is one, the wire down, both loops over, everything given back.</summary>
    private async Task EndAsync(Task reading)
    {
        TimeProvider clock = _options.Clock;
        LinkCause cause = _lifecycle.Cause!;
        if (cause.Fault != TransportFault.None)
        {
            _broken.TrySetResult(true);
        }

        _receivePump!.Stop();
        _queue.Break(cause.TellPeer ? FaultNames.ToReason(cause.Fault) : null, cause.Reason);
        _sendPump.End();
        await Delay.InTimeAsync(_sendPump.Completion, clock, Farewell).ConfigureAwait(false);
        _wire.TryAbort(_options.Node);
        await _sendPump.Completion.ConfigureAwait(false);
        await Delay.InTimeAsync(reading, clock, HandlerGrace).ConfigureAwait(false);
        await Delay.InTimeAsync(Task.Run(_receivePump.SettleAsync), clock, HandlerGrace).ConfigureAwait(false);   // a keeper may block
        _ = reading.Exception;   // seen: a fault after the first cause changes nothing
        _threads.End();
        _wire.TryDispose(_options.Node);
        _pulse.Remove(this);
        _limit?.Dispose();
        _lifecycle.TryMove(LinkState.Closed);
        _requests.End(cause);
        await Delay.InTimeAsync(EndStalls(), clock, HandlerGrace).ConfigureAwait(false);
        TransportEventSource.Log.LinkEnded(_options.Node, PeerName, cause.Fault.ToString(), cause.Reason);
        _ended.TrySetResult(new LinkEnd(cause.Fault, cause.Reason, cause.Exception, Receipt));
    }

    /// <summary>Ends the link from outside of its receive loop.</summary>
    private void Fail(LinkCause cause)
    {
        if (_lifecycle.TrySetCause(cause))
        {
            _cut.TrySetResult(true);
        }
    }

    private void OnGoodbye(in ControlFields fields)
    {
        string reason = fields.Reason;
        string detail = TerminalText.Line(fields.Detail, PeerText.MaxChars);
        _peerReason = TerminalText.Line(reason, PeerText.MaxChars) + (detail.Length > 0 ? ": " + detail : string.Empty);
        Volatile.Write(ref _peerRefused, fields.Refused);
        _goodbyeReceived = true;
        _lifecycle.NoteGoodbye();
        TransportFault fault = FaultNames.Parse(reason);
        if (fault != TransportFault.None)
        {
            string why = detail.Length > 0 ? detail : "look at what this side sent, and at the peer's log.";
            Fail(new LinkCause(fault, $"The peer ended the link with {reason}: {why}", null, TellPeer: false));
            return;
        }

        if (_lifecycle.TryMove(LinkState.Draining) && _writeError is null)
        {
            LimitDraining(_options.CloseTimeout, $"the peer said Goodbye, but what is queued could not be sent within {_options.CloseTimeout.TotalSeconds:0.###} s (LinkOptions.CloseTimeout)");
            if (_writeError is { } broken)
            {
                LimitReading(broken);   // the write failed just now: its shorter limit may have been the one that was replaced
            }
        }

        _ = AnswerWhenSafeAsync(_receivePump!);
    }

    /// <summary>Asks for a sign of life. Noted before it is sent: the answer may be faster than this thread.</summary>
    private void Ping(long id)
    {
        bool first = Interlocked.CompareExchange(ref _askedSince, _lastPing, 0) == 0;
        if (!_queue.TrySendControl(ControlType.Ping, output => ControlBody.WritePing(output, id, _queue.QueuedBytes)) && first)
        {
            Volatile.Write(ref _askedSince, 0);
        }
    }

    /// <summary>A method of its own: what its lambda captures would else be allocated for every control packet.</summary>
    private void Pong(long id) => _queue.TrySendControl(ControlType.Pong, output => ControlBody.WritePing(output, id, _queue.QueuedBytes));

    private void OnSetLevel(int level)
    {
        if (IsMain)
        {
            return;   // not the connecting side's to say: skipped, as what is unknown on lane 0
        }

        _level = level;
        _inLevelChanged = true;
        _receivePump!.EnterHandler();
        try
        {
            LevelChanged?.Invoke(level);
        }
        catch (Exception e)
        {
            throw PacketHandler.Failed("SetLevel (8)", e);
        }
        finally
        {
            _receivePump.LeaveHandler();
            _inLevelChanged = false;
        }
    }

    /// <summary>After each write, on the send thread: once both Goodbyes and the last Ack are through, this direction ends.</summary>
    private void OnWritten()
    {
        if (_queue.IsGoodbyeWritten && _goodbyeReceived && _queue.IsAnswerWritten && Interlocked.Exchange(ref _finished, 1) == 0)
        {
            _goodbyeSettled.TrySetResult(true);
            _queue.Break(goodbyeReason: null);
            LimitDraining(ReadOut, $"both sides said Goodbye, but the peer did not close within {ReadOut.TotalSeconds:0} s", clean: true);
            _wire.Shutdown();
        }
    }

    /// <summary>On the send thread. What has arrived is still read to its end: the peer may have said why.</summary>
    private void OnWriteFailed(IOException broken)
    {
        _writeError = broken;
        TransportEventSource.Log.WriteFailed(_options.Node, ExceptionText.MessageOf(broken));
        _lifecycle.TryMove(LinkState.Draining);
        _goodbyeSettled.TrySetResult(true);
        LimitReading(broken);
    }

    private void LimitReading(IOException broken)
    {
        if (Volatile.Read(ref _finished) == 0)
        {
            _ = LimitReadingAsync(broken);
        }
    }

    private void LimitDraining(TimeSpan limit, string sentence, bool clean = false)
    {
        var delay = new Delay(_options.Clock, limit);
        Interlocked.Exchange(ref _limit, delay)?.Dispose();
        _ = EndWhenDueAsync();

        async Task EndWhenDueAsync()
        {
            await delay.Task.ConfigureAwait(false);
            TransportFault fault = clean ? TransportFault.None : TransportFault.Timeout;
            Fail(new LinkCause(fault, clean ? CleanReason : $"Closing: {sentence}.", null, TellPeer: false));
        }
    }
}
