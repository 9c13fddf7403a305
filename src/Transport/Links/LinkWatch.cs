using System;
using System.Threading.Tasks;

namespace Transport;

/// <summary>What a link does when it looks at the clock: asks a silent peer for a sign of life, and finds out what stands still.</summary>
/// <remarks>Called by the heartbeat alone, one look at a time, so its fields have one thread at a time.</remarks>
internal sealed class LinkWatch(
    LinkOptions options,
    string peerName,
    SendQueue queue,
    LinkFlow flow,
    AckLedger acks,
    ControlReceiver control,
    LinkCounters counters,
    StallReporter stalls,
    OwnWaits waits,
    AckWaits ackWaits,
    Requests requests) : IHeartbeatUser
{
    private readonly TimeProvider _clock = options.TimeProvider;
    private long _lastPing;
    private long _pingId;
    private long _progress = -1;
    private long _progressAt;
    private long _blockMoves;
    private long _blockedAt;    // 0: no loop holds the receive thread up
    private long _blockSent;
    private long _sendsAt;
    private bool _wasLate;

    /// <inheritdoc/>
    public void OnBeat(bool isLate)
    {
        // After a pause of this process (SIGSTOP, sleep) it first hears what has come meanwhile: the next beat may blame somebody, also if
        // it is late again.
        bool mayBlame = !isLate || _wasLate;
        _wasLate = isLate;
        ReceiveLook look = flow.Receiving.Progress.Look();
        PacketDispatcher packets = flow.Receiving.Packets;
        LinkPhase phase = flow.Phase;
        bool isRecovering = phase == LinkPhase.Recovering;
        if (phase == LinkPhase.Closed)
        {
            return;
        }

        if (isRecovering || phase is >= LinkPhase.WriteBroken and <= LinkPhase.WriteBrokenBoth)
        {
            LookForProgress(look, packets, mayBlame);
        }

        if (!isRecovering)
        {
            LookForSilence(look, mayBlame);
            if (!queue.IsClosed && acks.FindLie() is { } lie)
            {
                flow.Report(LinkEvent.Fault, new LinkCause(TransportFault.PacketMalformed, lie));
            }

            ackWaits.Look();   // the look may have taken an Ack that came before its write was counted
        }

        LookForStalls(look, packets, isRecovering);
        LookForBlock(packets, mayBlame);
        if (waits.AnySend || waits.Block is not null)
        {
            // Nothing else wakes a wait for capacity that began in a handler, if capacity depends on that very handler.
            queue.Capacity.Release();
        }
    }

    private string WhatHangs(PacketDispatcher packets) => packets.Unread?.Awaited is { } loop
        ? $"the loop over {loop.Name} (PacketRouter.ReadAllAsync) has taken no packet"
        : $"the handler of packet {NameOfHandled()} has not returned";

    /// <summary>Returns the packet whose handler runs, for people.</summary>
    private string NameOfHandled()
    {
        if (control.IsInLevelChanged)
        {
            return $"SetLevel ({ControlType.SetLevel})";
        }

        PacketDispatcher packets = flow.Receiving.Packets;
        ushort type = packets.LastType;
        string name = PacketNames.Of(type, options.KnownPackets, packets.Router, peers: null);
        name = name == $"type {type}" ? name : $"{name} ({type})";
        return flow.Receiving.Progress.Look().IsReporting ? name + ", which its store has not flushed (PacketRouter.UseStore)"
            : packets.IsStoring ? name + ", which its store has not taken (PacketRouter.UseStore)" : name;
    }

    private void LookForSilence(ReceiveLook look, bool mayBlame)
    {
        long pending = look.PendingSince;
        long quietSince = Math.Max(look.LastFrame, pending);
        if (mayBlame && pending != 0 && _clock.GetElapsedTime(quietSince) >= options.Heartbeat.SilenceTimeout)
        {
            string reason = FormattableString.Invariant(
                $"No frame came from {peerName} for {options.Heartbeat.SilenceTimeout.TotalSeconds:0.###} s ")
                + "(HeartbeatOptions.SilenceTimeout), "
                + $"though this side was reading{stalls.StoppedNote()}.";
            flow.Report(LinkEvent.Silence, new LinkCause(TransportFault.Timeout, reason));
        }
        else if (_clock.GetElapsedTime(look.LastFrame) >= options.Heartbeat.PingInterval
            && (_lastPing == 0 || _clock.GetElapsedTime(_lastPing) >= options.Heartbeat.PingInterval))
        {
            _lastPing = Math.Max(1, _clock.GetTimestamp());
            control.Ping(++_pingId, _lastPing);
        }
    }

    /// <summary>
    /// Ends a link whose peer is gone and whose handler, or store, does not return. Slow ones go on: each packet that is handled counts.
    /// </summary>
    private void LookForProgress(ReceiveLook look, PacketDispatcher packets, bool mayBlame)
    {
        long now = _clock.GetTimestamp(), progress = packets.Handled + packets.Safe + (packets.Unread?.Moves ?? 0);
        if (progress != _progress || !mayBlame || look.IsWaiting || flow.Tail is { IsWaiting: true })
        {
            (_progress, _progressAt) = (progress, now);
            return;
        }

        if (_clock.GetElapsedTime(_progressAt, now) >= options.Heartbeat.SilenceTimeout)
        {
            string reason = $"{peerName} is gone, and {WhatHangs(packets)} for "
                + FormattableString.Invariant($"{options.Heartbeat.SilenceTimeout.TotalSeconds:0.###} s ")
                + "(HeartbeatOptions.SilenceTimeout): the packets that were left are given up.";
            flow.Report(LinkEvent.PeerGone, new LinkCause(TransportFault.PeerGone, reason));
        }
    }

    /// <summary>
    /// A loop that takes nothing, and is full, keeps the receive thread from reading; if its body waits for something of this link, neither
    /// ever goes on. So what waits is given up: requests, whose responses cannot be read, and sends, whose peer may wait in the same way.
    /// </summary>
    private void LookForBlock(PacketDispatcher packets, bool mayBlame)
    {
        long now = Math.Max(1, _clock.GetTimestamp()), sent = counters.BytesSent;
        if (packets.Unread is not { Awaited: { } loop } unread)
        {
            (_blockedAt, waits.Block) = (0, null);
            return;
        }

        long moves = unread.Moves;
        if (_blockedAt == 0 || moves != _blockMoves || !mayBlame)
        {
            (_blockMoves, _blockedAt, _sendsAt, waits.Block) = (moves, now, now, null);
        }

        if (sent != _blockSent || queue.QueuedBytes == 0)
        {
            (_blockSent, _sendsAt, waits.Block) = (sent, now, null);   // it is written: sends find capacity
        }

        TimeSpan limit = options.Heartbeat.SilenceTimeout;
        if (_clock.GetElapsedTime(_blockedAt, now) >= limit)
        {
            string why = FormattableString.Invariant($"Nothing of this link was read for {limit.TotalSeconds:0.###} s ")
                + $"(HeartbeatOptions.SilenceTimeout): the next packet waits for the loop over {loop.Name} (PacketRouter.ReadAllAsync), which "
                + "takes none. If the loop's body waits for this call, make it outside of the loop, or give the loop more capacity.";
            requests.GiveUpOlder(limit, () => new TransportException(TransportFault.HandlerBlocked, why));
            waits.Block = _clock.GetElapsedTime(_sendsAt, now) >= limit ? new LoopBlock(unread, moves, why) : null;
        }
    }

    private void LookForStalls(ReceiveLook look, PacketDispatcher packets, bool isRecovering)
    {
        if ((flow.Cause is not null && !isRecovering) || !look.IsRunning)
        {
            return;
        }

        bool isWaiting = look.IsWaiting;
        var view = new StallView
        {
            Now = _clock.GetTimestamp(),
            IsWaiting = isWaiting,
            IsInHandler = !isWaiting && packets.Unread?.Awaited is null
                && (packets.LastType != 0 || control.IsInLevelChanged),
            OldestUnread = packets.Unread?.Oldest.Ordinal ?? 0,
            LoopMoves = packets.Unread?.Moves ?? 0,
            IsHeldUp = packets.Unread?.Awaited is not null,
            Handled = packets.Handled,
            BytesReceived = counters.BytesReceived,
            BytesSent = counters.BytesSent,
            QueuedBytes = queue.QueuedBytes,
            Unacknowledged = acks.Missing,
            Acknowledged = acks.Acknowledged,
            AskedSince = control.AskedSince,
            LastFrame = look.LastFrame,
        };
        if (stalls.Look(view, isRecovering, Describe) && (!isWaiting || view.OldestUnread != 0) && !isRecovering)
        {
            // Handlers and loops that take long one packet after the other hold up the Ack that is due when input runs out, or when all is
            // read: the peer would take them for one that hangs.
            Acknowledge(packets, packets.Dispatched);
        }
    }

    /// <summary>A store may block in its call, and the heartbeat of all links would wait with it.</summary>
    private static void Acknowledge(PacketDispatcher packets, long handled)
    {
        if (packets.HasStore)
        {
            _ = Task.Run(() => packets.Acknowledge(handled));
        }
        else
        {
            packets.Acknowledge(handled);
        }
    }

    private StallReport Describe(StallReport report) => report with
    {
        PeerQueuedBytes = control.PeerQueuedBytes,
        Packet = report.Kind switch
        {
            StallKind.Handler => NameOfHandled(),
            StallKind.Loop => flow.Receiving.Packets.Unread?.Oldest.Loop?.Name,
            _ => null,
        },
        Unread = flow.Receiving.Packets.Unread?.Count ?? 0,
        WaitsFor = waits.Waiting,
    };
}
