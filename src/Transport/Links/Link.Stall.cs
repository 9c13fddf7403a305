using System;
using System.Threading;
using System.Threading.Tasks;

namespace Transport;

/// <content>Reports of what stands still. They change nothing: what ends a link that hangs are its timeouts.</content>
public sealed partial class Link
{
    private const int OwnSend = 0, OwnRequest = 1, OwnClose = 2;

    private readonly object _stallGate = new();
    private readonly int[] _ownWaits = new int[3];   // calls that wait, begun in handlers of this link
    private StallWatch? _stallWatch;
    private StallReport? _handlerStall;
    private StallReport? _peerStall;
    private Task _stallsTold = Task.CompletedTask;
    private Task? _reading;
    private long _askedSince;
    private long _peerQueuedBytes = -1;
    private volatile bool _inLevelChanged;
    private bool _stallsOver;

    /// <summary>Gets or sets what is called when something on this link has stood still for <see cref="LinkOptions.StallTimeout"/>: a handler of this side that does not return, or a peer that takes nothing. Once for each stall, on a thread of the pool, never two calls at a time; what it throws is only written to the event source. May be set at any time.</summary>
    /// <remarks>A peer that is alive pings, so that the link goes on; one that is silent ends by <see cref="LinkOptions.SilenceTimeout"/>. The report says who waits for whom, since when, with what queued, and what to do.</remarks>
    public Action<StallReport>? Stalled { get; set; }

    /// <summary>Gets or sets what is called when a stall that was told is over, also where only the link's end ended it; as <see cref="Stalled"/>. <see cref="Ended"/> completes after it, unless it takes more than 2 s.</summary>
    public Action<StallReport>? StallEnded { get; set; }

    /// <summary>Looks for stalls; called by the pulse.</summary>
    private void LookForStalls(ReceivePump loop, bool recovering)
    {
        if ((_lifecycle.Cause is not null && !recovering) || _reading is not { IsCompleted: false })
        {
            return;
        }

        long acknowledge = 0;
        lock (_stallGate)
        {
            if (_stallsOver || _stallWatch is not { } watch)
            {
                return;
            }

            long sent = _queue.PacketsWritten;
            bool waiting = loop.IsWaiting;
            var view = new StallView
            {
                Now = _options.Clock.GetTimestamp(),
                IsWaiting = waiting,
                IsInHandler = !waiting && (loop.LastType != 0 || _inLevelChanged),
                Handled = loop.Handled,
                BytesReceived = _counters.BytesReceived,
                BytesSent = _counters.BytesSent,
                QueuedBytes = _queue.QueuedBytes,
                Acknowledged = Volatile.Read(ref _acknowledged),
                AskedSince = Volatile.Read(ref _askedSince),
                LastFrame = loop.LastFrame,
            };
            view.Unacknowledged = sent - view.Acknowledged;
            if (!waiting && !recovering && view.Handled > watch.Handled)
            {
                // Handlers that take long one after the other hold up the Ack that is due when input runs out: the peer would take them for one.
                acknowledge = view.Handled;
            }

            watch.Look(view);
            _handlerStall = Compare(_handlerStall, StallKind.Handler, watch.HandlerSince, view);
            if (!recovering)
            {
                _peerStall = Compare(_peerStall, StallKind.Peer, watch.PeerSince, view);
            }
        }

        if (acknowledge > 0)
        {
            // Outside the gate: this may call the keeper, which may block, and the link's end takes the gate.
            loop.Acknowledge(acknowledge);
        }
    }

    /// <summary>Tells what has begun, or is over. Under the gate.</summary>
    private StallReport? Compare(StallReport? known, StallKind kind, long since, in StallView view)
    {
        if (known is null == (since == 0))
        {
            return known;
        }

        if (since == 0)
        {
            TellStall(Over(known!) with { QueuedBytes = view.QueuedBytes, Unacknowledged = view.Unacknowledged });
            return null;
        }

        TimeSpan lasted = _options.Clock.GetElapsedTime(since, view.Now);
        long there = Volatile.Read(ref _peerQueuedBytes);
        var report = new StallReport
        {
            Kind = kind,
            Node = _options.Node,
            Peer = PeerName,
            StoppedProcess = kind == StallKind.Peer ? StoppedProcess() : null,
            Since = _options.Clock.GetUtcNow() - lasted,
            Duration = lasted,
            QueuedBytes = view.QueuedBytes,
            PeerQueuedBytes = there < 0 ? null : there,
            Unacknowledged = view.Unacknowledged,
            SinceLastFrame = _options.Clock.GetElapsedTime(view.LastFrame, view.Now),
            Packet = kind == StallKind.Handler ? NameOfHandled() : null,
            WaitsFor = OwnWait(),
        };
        TellStall(report);
        return report;
    }

    private StallReport Over(StallReport known) => known with { IsOver = true, Duration = _options.Clock.GetUtcNow() - known.Since };

    private string NameOfHandled()
    {
        if (_inLevelChanged)
        {
            return $"SetLevel ({ControlType.SetLevel})";
        }

        ushort type = _receivePump!.LastType;
        string name = PacketNames.Of(type, _options.Packets, _router!);
        name = name == $"type {type}" ? name : $"{name} ({type})";
        return _receivePump.IsKeeping ? name + ", which its keeper has not taken (PacketRouter.Keep)" : name;
    }

    private string? OwnWait() =>
        Volatile.Read(ref _ownWaits[OwnSend]) > 0 ? "SendAsync or SendWait"
        : Volatile.Read(ref _ownWaits[OwnRequest]) > 0 ? nameof(RequestAsync)
        : Volatile.Read(ref _ownWaits[OwnClose]) > 0 ? nameof(CloseAsync)
        : null;

    /// <summary>Counts a wait for room that began in a handler of this link: those that are watched.</summary>
    private void CountOwnSend(HandlerWatch? watch, int more)
    {
        if (watch is not null)
        {
            Interlocked.Add(ref _ownWaits[OwnSend], more);
        }
    }

    /// <summary>Lets the waits for room that began in a handler look at the clock: nothing else would wake them where that handler is what room waits for.</summary>
    private void WakeOwnSends()
    {
        if (Volatile.Read(ref _ownWaits[OwnSend]) > 0)
        {
            _queue.Room.Release();
        }
    }

    /// <summary>Counts another wait for this link that began in a handler of it.</summary>
    private Task<T> NoteOwnWait<T>(Task<T> waiting, int kind)
    {
        return !waiting.IsCompleted && _receivePump?.FindOwnHandler() is not null ? NoteAsync() : waiting;

        async Task<T> NoteAsync()
        {
            Interlocked.Increment(ref _ownWaits[kind]);
            try
            {
                return await waiting.ConfigureAwait(false);
            }
            finally
            {
                Interlocked.Decrement(ref _ownWaits[kind]);
            }
        }
    }

    /// <summary>Notes what the peer says of its queue, and that it reads.</summary>
    private void HearPulse(in ControlFields fields, bool answers)
    {
        Volatile.Write(ref _peerQueuedBytes, fields.QueuedBytes);
        if (answers)
        {
            Volatile.Write(ref _askedSince, 0);
        }
    }

    /// <summary>The callbacks run on the pool, one after the other: one that hangs holds up neither the pulse of other links nor this one's end for long.</summary>
    private void TellStall(StallReport report) => _stallsTold = _stallsTold.ContinueWith(
        _ =>
        {
            string kind = report.Kind.ToString(), sentence = report.ToString();
            try
            {
                if (report.IsOver)
                {
                    TransportEventSource.Log.StallEnded(report.Node, report.Peer, kind, sentence);
                    StallEnded?.Invoke(report);
                }
                else
                {
                    TransportEventSource.Log.Stalled(report.Node, report.Peer, kind, sentence);
                    Stalled?.Invoke(report);
                }
            }
            catch (Exception e)
            {
                TransportEventSource.Log.Stalled(report.Node, report.Peer, kind, "the callback threw: " + ExceptionText.MessageOf(e));
            }
        },
        CancellationToken.None,
        TaskContinuationOptions.None,
        TaskScheduler.Default);

    /// <summary>Ends what stands still with the link.</summary>
    private Task EndStalls()
    {
        lock (_stallGate)
        {
            _stallsOver = true;
            foreach (StallReport? stall in new[] { _handlerStall, _peerStall })
            {
                if (stall is not null)
                {
                    TellStall(Over(stall) with { LinkEnded = true });
                }
            }

            return _stallsTold;
        }
    }
}
