using System;
using System.Diagnostics;

namespace Transport;

/// <summary>One send that waits for capacity: it stands in line until its bytes are reserved, tries again, and leaves the line at its
/// end.</summary>
/// <remarks>For one caller. The same steps for a caller that blocks and for one that awaits; only the wait between them differs. A
/// value, so that a wait allocates nothing.</remarks>
internal readonly struct CapacityWait<TBody> : IDisposable
    where TBody : struct, IPacketBody
{
    private readonly SendQueue _queue;
    private readonly TBody _body;
    private readonly Lane _lane;
    private readonly HandlerWatch? _watch;
    private readonly bool _isEndless;
    private readonly OwnWaits _waits;
    private readonly LinkCounters _counters;
    private readonly long _start;

    /// <summary>Initializes a new instance of the <see cref="CapacityWait{TBody}"/> struct, at the end of the line.</summary>
    /// <param name="queue">The queue that had no capacity.</param>
    /// <param name="body">The packet.</param>
    /// <param name="lane">Its lane.</param>
    /// <param name="needed">What it needs, as the queue answered.</param>
    /// <param name="watch">Bounds a wait that began in a handler of the same link; null for any other.</param>
    /// <param name="isEndless">Whether a program waits for it without an end of its own: it is given up if a loop of this side and the peer
    /// wait for each other.</param>
    /// <param name="waits">Counts such waits.</param>
    /// <param name="counters">Counts the time.</param>
    public CapacityWait(
        SendQueue queue, in TBody body, Lane lane, long needed, HandlerWatch? watch, bool isEndless, OwnWaits waits, LinkCounters counters)
    {
        _isEndless = isEndless;
        _queue = queue;
        _body = body;
        _lane = lane;
        _watch = watch;
        _waits = waits;
        _counters = counters;
        _start = Stopwatch.GetTimestamp();
        Place = queue.Capacity.Enter(needed, lane);
        if (watch is not null)
        {
            waits.Begin(OwnWaits.Call.Send);
        }
    }

    /// <summary>Gets the place in the line, to wait for.</summary>
    public Waiter Place { get; }

    /// <summary>Gets a value indicating whether the wait began in a handler of the same link.</summary>
    public bool IsWatched => _watch is not null;

    /// <summary>Gets how long it has lasted.</summary>
    public TimeSpan Elapsed => TimeSpan.FromSeconds((Stopwatch.GetTimestamp() - _start) / (double)Stopwatch.Frequency);

    /// <summary>Tries to send, if the packet's turn has come or the queue is closed.</summary>
    /// <returns>Queued or Closed; Full: wait again.</returns>
    /// <exception cref="TransportException"><see cref="TransportFault.HandlerBlocked"/>.</exception>
    public SendOutcome Try()
    {
        if (Place.Reserved > 0 || _queue.IsClosed)
        {
            SendOutcome answer = _queue.TrySend(_body, _lane, LanePolicy.Refuse, Place);
            if (answer.Result != SendResult.Full)
            {
                return answer;
            }

            _queue.Capacity.EnterAgain(Place, answer.Needed);
        }

        _watch?.ThrowIfStuck();
        if (_isEndless && _waits.Block is { IsOver: false } block)
        {
            _ = _queue.RefusedFor(_lane, PacketLevel.None, LanePolicy.Refuse);
            throw new TransportException(TransportFault.HandlerBlocked, block.Why);
        }

        return new SendOutcome(SendResult.Full);
    }

    /// <summary>Leaves the line. Nothing may signal the place any more: another sender gets it.</summary>
    public void Dispose()
    {
        if (_watch is not null)
        {
            _waits.End(OwnWaits.Call.Send);
        }

        _queue.Capacity.Leave(Place);
        _counters.Waited(Stopwatch.GetTimestamp() - _start);
    }
}
