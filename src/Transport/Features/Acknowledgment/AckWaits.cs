using System;
using System.Collections.Generic;
using System.Threading;
using System.Threading.Tasks;

namespace Transport;

/// <summary>Callers that wait until the peer has acknowledged what they have queued.</summary>
/// <remarks>
/// <para>An Ack counts packets in the order in which they were written, and lanes overtake each other. So a wait has two steps: until each
/// lane is written as far as it had been committed when the wait began, and from there until the Ack has reached what was written then in
/// all. Between the two the peer is asked, by an AckNow right behind the last of the packets; else its Ack would come once it has found
/// nothing to read for some time.</para>
/// <para>Safe from any thread. The send thread looks after each write, the receive thread after each Ack, and who waits once it is in the
/// list. Whoever comes last sees all three: each writes first, then has a full fence, then looks.</para>
/// </remarks>
internal sealed class AckWaits(SendQueue queue, AckLedger acks, Action ask)
{
    private const byte EmptyMap = 0x80;
    private const int FrameBytes = FrameHeader.Size + 1;

    private readonly object _gate = new();
    private readonly LinkedList<Wait> _unwritten = [];   // in their first step; under the lock, as the next two
    private readonly LinkedList<Wait> _written = [];     // in their second, by rising targets
    private bool _isOver;
    private volatile int _open;   // written under the lock, read without it by who looks: how many wait

    /// <summary>Gets the body of an AckNow: a map without keys.</summary>
    public static ReadOnlySpan<byte> Body => [EmptyMap];

    /// <summary>Asks the peer right behind a segment's packets, if somebody waits for the last of them. On the send thread, before the
    /// segment's write.</summary>
    /// <param name="segment">Of lane 0 to 3.</param>
    /// <returns>How many bytes stand behind it now.</returns>
    public int AskBehind(Segment segment)
    {
        if (_open == 0 || segment.PacketsEnding == 0)
        {
            return 0;   // who comes now looks itself, or after the write
        }

        bool asks;
        lock (_gate)
        {
            asks = AnyWritten(segment);
        }

        if (asks && segment.Capacity - segment.Used >= FrameBytes)
        {
            Span<byte> behind = segment.Array.AsSpan(segment.Used, FrameBytes);
            FrameHeader.Write(behind, Lane.Control, more: false, ControlType.AckNow, Body.Length);
            Body.CopyTo(behind.Slice(FrameHeader.Size));
            return FrameBytes;
        }

        if (asks)
        {
            ask();   // written next: the control lane comes first
        }

        return 0;
    }

    /// <summary>Waits until what was queued before is acknowledged.</summary>
    /// <returns>Whether it is; false: the link has ended, and it is not known.</returns>
    public Task<bool> WaitAsync(CancellationToken cancellationToken)
    {
        var wait = new Wait(queue.Committed());
        lock (_gate)
        {
            if (_isOver)
            {
                return Task.FromResult(queue.IsWritten(wait.Committed) && acks.Acknowledged >= queue.PacketsWritten);
            }

            _unwritten.AddLast(wait.Node);
            _open++;
        }

        Look();
        return wait.Task.IsCompleted || !cancellationToken.CanBeCanceled ? wait.Task : WaitAsync(wait, cancellationToken);
    }

    /// <summary>Looks whether a wait is over, or has come to its second step.</summary>
    public void Look()
    {
        Interlocked.MemoryBarrier();
        if (_open == 0)
        {
            return;
        }

        bool asks;
        lock (_gate)
        {
            asks = AnyWritten(with: null);
            while (_written.First is { } first && acks.Acknowledged >= first.Value.Target)
            {
                Remove(first);
                first.Value.TrySetResult(true);
            }

            asks &= _written.Count > 0;
        }

        if (asks)
        {
            ask();
        }
    }

    /// <summary>The link has ended: what is not acknowledged will not be.</summary>
    public void End()
    {
        Look();
        lock (_gate)
        {
            _isOver = true;
            while ((_written.First ?? _unwritten.First) is { } left)
            {
                Remove(left);
                left.Value.TrySetResult(false);
            }
        }
    }

    private async Task<bool> WaitAsync(Wait wait, CancellationToken cancellationToken)
    {
        using CancellationTokenRegistration registration = cancellationToken.Register(() =>
        {
            lock (_gate)
            {
                Remove(wait.Node);
            }

            wait.TrySetCanceled(cancellationToken);
        });
        return await wait.Task.ConfigureAwait(false);
    }

    /// <summary>Lets waits whose packets are written go on to their second step. Under the lock. Those that began later wait for as much or
    /// more, so the first that is not written ends the look: however many wait, each is looked at once or twice.</summary>
    /// <param name="with">A segment that counts as written too; null: none.</param>
    /// <returns>Whether any went on.</returns>
    private bool AnyWritten(Segment? with)
    {
        bool any = false;
        while (_unwritten.First is { } first && queue.IsWritten(first.Value.Committed, with))
        {
            first.Value.Target = queue.PacketsWritten + (with?.PacketsEnding ?? 0);
            _unwritten.Remove(first);
            _written.AddLast(first);
            any = true;
        }

        return any;
    }

    /// <summary>Takes a wait out of the list that it is in, if any. Under the lock.</summary>
    private void Remove(LinkedListNode<Wait> wait)
    {
        if (wait.List is { } list)
        {
            list.Remove(wait);
            _open--;
        }
    }

    private sealed class Wait : TaskCompletionSource<bool>
    {
        /// <param name="committed">The packets of the lanes 1 to 3 that were committed when it began.</param>
        public Wait(long[] committed)
            : base(TaskCreationOptions.RunContinuationsAsynchronously)
        {
            Committed = committed;
            Node = new LinkedListNode<Wait>(this);
        }

        public long[] Committed { get; }

        /// <summary>Gets its place in a list.</summary>
        public LinkedListNode<Wait> Node { get; }

        /// <summary>Gets or sets the number that an Ack must reach, once it is written.</summary>
        public long Target { get; set; }
    }
}
