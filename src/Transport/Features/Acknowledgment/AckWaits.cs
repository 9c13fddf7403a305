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
    private readonly List<Wait> _waits = [];   // under the lock
    private bool _isOver;                      // under the lock
    private volatile int _open;                // written under the lock, read without it by who looks: how many stand in the list

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

        bool asks = false;
        lock (_gate)
        {
            foreach (Wait wait in _waits)
            {
                if (wait.Target is null && queue.IsWritten(wait.Committed, segment))
                {
                    wait.Target = queue.PacketsWritten + segment.PacketsEnding;
                    asks = true;
                }
            }
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
                return Task.FromResult(IsAcknowledged(wait));
            }

            _waits.Add(wait);
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

        bool asks = false;
        lock (_gate)
        {
            for (int i = _waits.Count - 1; i >= 0; i--)
            {
                Wait wait = _waits[i];
                bool wasWritten = wait.Target is not null;
                if (IsAcknowledged(wait))
                {
                    RemoveAt(i);
                    wait.TrySetResult(true);
                }
                else
                {
                    asks |= !wasWritten && wait.Target is not null;
                }
            }
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
            foreach (Wait wait in _waits)
            {
                wait.TrySetResult(false);
            }

            _waits.Clear();
            _open = 0;
        }
    }

    private async Task<bool> WaitAsync(Wait wait, CancellationToken cancellationToken)
    {
        using CancellationTokenRegistration registration = cancellationToken.Register(() =>
        {
            lock (_gate)
            {
                if (_waits.IndexOf(wait) is var at and >= 0)
                {
                    RemoveAt(at);
                }
            }

            wait.TrySetCanceled(cancellationToken);
        });
        return await wait.Task.ConfigureAwait(false);
    }

    /// <summary>Under the lock, or of a wait that is in no list.</summary>
    private bool IsAcknowledged(Wait wait)
    {
        if (wait.Target is null && queue.IsWritten(wait.Committed))
        {
            wait.Target = queue.PacketsWritten;
        }

        return acks.Acknowledged >= wait.Target;
    }

    private void RemoveAt(int index)
    {
        _waits.RemoveAt(index);
        _open--;
    }

    /// <param name="committed">The packets of the lanes 1 to 3 that were committed when it began.</param>
    private sealed class Wait(long[] committed) : TaskCompletionSource<bool>(TaskCreationOptions.RunContinuationsAsynchronously)
    {
        public long[] Committed { get; } = committed;

        /// <summary>Gets or sets the number that an Ack must reach; null while it is not written.</summary>
        public long? Target { get; set; }
    }
}
