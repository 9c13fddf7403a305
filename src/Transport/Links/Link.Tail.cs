using System;
using System.Collections.Generic;
using System.IO;
using System.Threading;
using System.Threading.Tasks;

namespace Transport;

/// <content>
/// A peer that is dead, or that will be killed: what it had written, and then what stands in its crash-surviving tail, is handled to its
/// end. Meanwhile this side writes nothing (no Ack, no Ping) and keeps no deadline but one: a handler that does not return ends it after
/// <see cref="LinkOptions.SilenceTimeout"/>.
/// </content>
public sealed partial class Link
{
    /// <summary>More than any socket's buffers hold (net.core.wmem_max and rmem_max are 4 MiB and less).</summary>
    internal const long SocketMost = 16 << 20;

    private readonly TaskCompletionSource<bool> _broken = new(TaskCreationOptions.RunContinuationsAsynchronously);
    private volatile bool _awaitsDeath;
    private long _progress = -1;   // with the next, under the gate of stalls
    private long _progressAt;

    /// <summary>Gets or sets what gives the peer's tail, see <c>ReceivePump.Tail</c>. Set before <see cref="Start"/>.</summary>
    internal Func<Task<TailContent?>>? Tail { get; set; }

    /// <summary>
    /// Gets what completes when the link cannot go on: by a fault, by a deadline, or because its stream has ended. <see cref="Ended"/>
    /// comes later if there is something left to handle. A clean end does not complete it.
    /// </summary>
    internal Task Broken => _broken.Task;

    /// <summary>
    /// Gets why the link ends, as far as that is known; null too while a stream that has ended without a cause is being recovered.
    /// </summary>
    internal TransportFault? Fault => _lifecycle.Cause?.Fault;

    /// <summary>Gets a value indicating whether everything that has come is handled, and a read waits for more.</summary>
    internal bool IsDrained => _receivePump is { IsWaiting: true };

    /// <summary>
    /// Gets how often the stream was found empty with everything handled that had come. A peer that has ended is read out once this has
    /// grown by two: the first of them may be a moment before its end.
    /// </summary>
    internal long FoundDry => _receivePump?.Dry ?? 0;

    /// <summary>Gets the last packets received, oldest first; complete once the link has ended.</summary>
    internal IReadOnlyList<RecentPacket> RecentPackets => _receivePump?.Recent?.Snapshot() ?? [];

    /// <summary>
    /// Gets when the peer's last whole frame came, control packets among them, as the clock's timestamp; null where reading never began.
    /// </summary>
    internal long? LastFrame => _receivePump?.LastFrame;

    /// <summary>Counts the packets of a tail that is not replayed. For a link that has ended.</summary>
    internal TailReport? CountTail(TailContent content) => _receivePump?.CountTail(content);

    /// <summary>Ends the link of a process that has ended, where something else keeps its stream open.</summary>
    /// <param name="readOut">Whether everything that the process wrote is handled.</param>
    internal void PeerProcessEnded(bool readOut)
    {
        if (Volatile.Read(ref _finished) != 0)
        {
            Cut(CleanCause);   // both Goodbyes and the last Ack are through
            return;
        }

        var cause = new LinkCause(
            TransportFault.PeerGone,
            "The peer's process has ended without Goodbye; another process that inherited its socket keeps the stream open.",
            null,
            TellPeer: false);
        if (!readOut)
        {
            Cut(cause);
            return;
        }

        FailAndRecover(cause);
        GiveUpReading();
    }

    /// <summary>Ends the read of a link that is recovering, and that nobody writes to any more; the loop goes on with the tail.</summary>
    internal void GiveUpReading()
    {
        if (_lifecycle.IsRecovering)
        {
            _wire.TryAbort(_options.Node);
        }
    }

    /// <summary>
    /// Ends the link by a cause after which the peer's process is dead or will be killed. If it has a tail, the wire stays open until then,
    /// because bytes in the socket count as written in the tail.
    /// </summary>
    private void FailAndRecover(LinkCause cause)
    {
        if (Tail is not null && _receivePump is not null && _lifecycle.TryRecover(cause))
        {
            StopWriting(cause);
        }
        else if (Volatile.Read(ref _finished) != 0)
        {
            Cut(CleanCause);   // a deadline that comes too late: there is nothing more to say on either side
        }
        else
        {
            Fail(cause);   // without effect if it is recovering
        }
    }

    /// <summary>Ends the link even if it is recovering.</summary>
    private void Cut(LinkCause cause)
    {
        _lifecycle.Conclude(cause);
        _receivePump?.Stop();
        _cut.TrySetResult(true);
    }

    private void StopWriting(LinkCause? cause)
    {
        _lifecycle.TryMove(LinkState.Draining);
        _queue.Break(cause is { TellPeer: true } ? FaultNames.ToReason(cause.Fault) : null, cause?.Reason ?? string.Empty);
        _sendPump.End();
        Interlocked.Exchange(ref _limit, null)?.Dispose();
        _broken.TrySetResult(true);
    }

    /// <summary>The stream has ended without Goodbye.</summary>
    private async Task<TailContent?> ReadTailAsync()
    {
        if (_lifecycle.TryRecover(null))
        {
            StopWriting(null);
        }
        else if (!_lifecycle.IsRecovering)
        {
            return null;   // the link had ended for another fault before
        }

        _awaitsDeath = true;
        try
        {
            // Only Abort cuts this short: the tail is counted by whoever follows the process to its end.
            Task<TailContent?> content = Tail!();
            return await Task.WhenAny(content, _cut.Task).ConfigureAwait(false) == content ? await content.ConfigureAwait(false) : null;
        }
        finally
        {
            _awaitsDeath = false;
        }
    }

    /// <summary>
    /// A write has failed: the peer gets 5 s to close, counted only while a read waits. What handlers are still busy with is finite, unless
    /// more comes than a socket holds.
    /// </summary>
    private async Task LimitReadingAsync(IOException broken)
    {
        long most = _counters.BytesReceived + SocketMost;
        do
        {
            var delay = new Delay(_options.Clock, ReadOut);
            Interlocked.Exchange(ref _limit, delay)?.Dispose();
            await delay.Task.ConfigureAwait(false);
            if (_lifecycle.Cause is not null || _lifecycle.IsRecovering)
            {
                return;
            }
        }
        while (_receivePump is { IsWaiting: false } && _counters.BytesReceived <= most);
        const string Reason = "Closing: writing failed, and the peer did not close.";
        FailAndRecover(new LinkCause(TransportFault.PeerGone, Reason, broken, TellPeer: false));
    }

    /// <summary>
    /// Ends a link whose peer is gone and whose handler, or keeper, does not return. Slow ones go on: each packet that is handled counts.
    /// </summary>
    private void LookForProgress(ReceivePump loop)
    {
        lock (_stallGate)
        {
            long now = _options.Clock.GetTimestamp(), progress = loop.Handled + loop.Safe;
            if (progress != _progress || loop.IsWaiting || _awaitsDeath)
            {
                (_progress, _progressAt) = (progress, now);
                return;
            }

            if (_options.Clock.GetElapsedTime(_progressAt, now) < _options.SilenceTimeout)
            {
                return;
            }
        }

        double seconds = _options.SilenceTimeout.TotalSeconds;
        Cut(new LinkCause(
            TransportFault.PeerGone,
            $"{PeerName} is gone, and the handler of packet {NameOfHandled()} has not returned for {seconds:0.###} s "
                + "(LinkOptions.SilenceTimeout): the packets that were left are given up.",
            _writeError,
            TellPeer: false));
    }

    /// <summary>Gets the id of the peer's process if it is stopped.</summary>
    private int? StoppedProcess() => Peer.Identity.ProcessId is { } process && ProcessStatus.IsStopped(process) ? process : null;

    private string StoppedNote() => StoppedProcess() is { } process
        ? FormattableString.Invariant($"; its process {process} is stopped (SIGSTOP)")
        : string.Empty;
}
