using System;
using System.Threading;
using System.Threading.Tasks;

namespace Transport;

/// <summary>Reports what stands still on a link, and when that is over. It changes nothing: what ends a link that hangs are its
/// timeouts.</summary>
/// <remarks>
/// <see cref="Look"/> is called by the heartbeat, <see cref="EndAsync"/> at the link's end. Callbacks run on the pool, one after the
/// other: one that hangs holds up neither the heartbeat of other links nor this one's end for long.
/// </remarks>
internal sealed class StallReporter(object link, TimeProvider clock, string node, PeerIdentity peer, string peerName)
{
    private readonly object _gate = new();
    private StallWatch? _watch;        // under the gate, as the next five
    private StallReport? _handlerStall;
    private StallReport? _loopStall;
    private StallReport? _peerStall;
    private Task _reported = Task.CompletedTask;
    private bool _isOver;

    /// <summary>Gets or sets the callback for a stall.</summary>
    public event EventHandler<StallReport>? Stalled;

    /// <summary>Gets or sets the callback for its end.</summary>
    public event EventHandler<StallReport>? StallEnded;

    /// <summary>Begins to watch.</summary>
    /// <param name="timeout">After how long a stall is reported.</param>
    /// <param name="period">The time between two looks.</param>
    public void Begin(TimeSpan timeout, TimeSpan period)
    {
        lock (_gate)
        {
            _watch = new StallWatch(clock, timeout, period);
        }
    }

    /// <summary>Looks at the numbers of a link.</summary>
    /// <param name="view">The numbers.</param>
    /// <param name="isRecovering">Whether the peer is gone, so that it cannot stand still.</param>
    /// <param name="describe">Adds to a report what only the link knows.</param>
    /// <returns>Whether packets were handled since the last look.</returns>
    public bool Look(in StallView view, bool isRecovering, Func<StallReport, StallReport> describe)
    {
        lock (_gate)
        {
            if (_isOver || _watch is not { } watch)
            {
                return false;
            }

            bool moved = view.Handled > watch.Handled;
            watch.Look(view);
            _handlerStall = Compare(_handlerStall, StallKind.Handler, watch.HandlerSince, view, describe);
            _loopStall = Compare(_loopStall, StallKind.Loop, watch.LoopSince, view, describe);
            if (!isRecovering)
            {
                _peerStall = Compare(_peerStall, StallKind.Peer, watch.PeerSince, view, describe);
            }

            return moved;
        }
    }

    /// <summary>Ends what stands still with the link.</summary>
    /// <returns>Completes when everything is reported.</returns>
    public Task EndAsync()
    {
        lock (_gate)
        {
            _isOver = true;
            foreach (StallReport? stall in new[] { _handlerStall, _loopStall, _peerStall })
            {
                if (stall is not null)
                {
                    Report(Over(stall) with { LinkEnded = true });
                }
            }

            return _reported;
        }
    }

    /// <summary>Returns the id of the peer's process if it is stopped.</summary>
    public int? StoppedProcess() => peer.ProcessId is { } process && ProcessStatus.IsStopped(process) ? process : null;

    /// <summary>Returns what a sentence about a silent peer adds if its process is stopped; else nothing.</summary>
    public string StoppedNote() => StoppedProcess() is { } process
        ? FormattableString.Invariant($"; its process {process} is stopped (SIGSTOP)")
        : string.Empty;

    /// <summary>Reports what has begun, or is over. Under the gate.</summary>
    private StallReport? Compare(
        StallReport? known, StallKind kind, long since, in StallView view, Func<StallReport, StallReport> describe)
    {
        if (known is null == (since == 0))
        {
            return known;
        }

        if (since == 0)
        {
            Report(Over(known!) with { QueuedBytes = view.QueuedBytes, Unacknowledged = view.Unacknowledged });
            return null;
        }

        TimeSpan lasted = clock.GetElapsedTime(since, view.Now);
        StallReport report = describe(new StallReport
        {
            Kind = kind,
            Node = node,
            Peer = peerName,
            StoppedProcess = kind == StallKind.Peer ? StoppedProcess() : null,
            Since = clock.GetUtcNow() - lasted,
            Duration = lasted,
            QueuedBytes = view.QueuedBytes,
            Unacknowledged = view.Unacknowledged,
            SinceLastFrame = clock.GetElapsedTime(view.LastFrame, view.Now),
        });
        Report(report);
        return report;
    }

    private StallReport Over(StallReport known) => known with { IsOver = true, Duration = clock.GetUtcNow() - known.Since };

    private void Report(StallReport report) => _reported = _reported.ContinueWith(
        _ => Call(report), CancellationToken.None, TaskContinuationOptions.None, TaskScheduler.Default);

    private void Call(StallReport report)
    {
        string kind = report.Kind.ToString(), sentence = report.ToString();
        try
        {
            if (report.IsOver)
            {
                TransportEventSource.Log.StallEnded(report.Node, report.Peer, kind, sentence);
                StallEnded?.Invoke(link, report);
            }
            else
            {
                TransportEventSource.Log.Stalled(report.Node, report.Peer, kind, sentence);
                Stalled?.Invoke(link, report);
            }
        }
        catch (Exception e)
        {
            TransportEventSource.Log.Stalled(report.Node, report.Peer, kind, "the callback threw: " + ExceptionText.MessageOf(e));
        }
    }
}
