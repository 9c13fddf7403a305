using System;
using System.Buffers;
using System.Collections.Generic;
using System.Linq;
using System.Threading;

namespace Transport;

/// <summary>Everything that waits to be written on one link: four lanes, one byte budget, one reader (the send loop).</summary>
/// <remarks>Callers on any thread serialize into their lane's open segment under its lock. Nothing here waits for the wire.</remarks>
internal sealed partial class SendQueue
{
    /// <summary>What the control lane may hold on top of the budget, in bytes, so that throttling cannot deadlock. Over it Ping and Pong
    /// are left out, and only the latest Ack and level are kept; Goodbye is always composed.</summary>
    private const int ControlReserve = 64 << 10;

    private readonly LaneQueue[] _lanes;
    private readonly SegmentPool _pool;
    private readonly ByteBudget _budget;
    private readonly Admission _admission;
    private readonly LinkCounters _counters;
    private readonly FullAnswerEvent _fullAnswers = new();
    private readonly Action<bool> _ring;   // true if a batch that gathers must not be waited for
    private Segment? _goodbyeSegment;
    private string _goodbyeReason = string.Empty;
    private string _goodbyeDetail = string.Empty;
    private long _refused;
    private long _maxBody = long.MaxValue;
    private long _controlBytes;
    private long _ackWanted;
    private long _ackComposed;
    private long _packetsWritten;
    private bool _ackForced;
    private PacketLevel? _levelWanted;       // what the peer does not know yet; with the Ack's numbers under the control lane's lock
    private volatile bool _isControlDue;     // an Ack or a level is to be composed; written under that lock, looked at by the pump
    private volatile SendState _state;   // with the next: written under the control lane's lock, looked at by senders and the pump
    private volatile bool _goodbyeDue;   // Goodbye is to be composed as soon as nothing is queued
    private volatile bool _goodbyeWritten;
    private Segment? _answerSegment;
    private volatile bool _answerWritten;

    public SendQueue(SegmentPool pool, long maxQueuedBytes, LanePolicy urgent, LanePolicy normal, LanePolicy bulk, LinkCounters counters,
        Action<bool> ring)
    {
        _pool = pool;
        _budget = new ByteBudget(maxQueuedBytes);
        Room = new WaitingLine(_budget);
        _admission = new Admission(_budget, Room);
        _counters = counters;
        _ring = ring;
        _lanes =
        [
            new LaneQueue(pool, Lane.Control, LanePolicy.Refuse),
            new LaneQueue(pool, Lane.Urgent, urgent),
            new LaneQueue(pool, Lane.Normal, normal),
            new LaneQueue(pool, Lane.Bulk, bulk),
        ];
    }

    /// <summary>Gets the line of the callers that wait for room.</summary>
    public WaitingLine Room { get; }

    /// <summary>Gets or sets what is called after each whole write, on the send thread, with the packets that ended in it.</summary>
    public Action<Lane, int>? LaneWritten { get; set; }

    /// <summary>Gets a value indicating whether sends are answered Closed.</summary>
    public bool IsClosed => _state != SendState.Accepting;

    public bool IsGoodbyeWritten => _goodbyeWritten;

    /// <summary>Gets a value indicating whether the Ack that answers the peer's Goodbye is written.</summary>
    public bool IsAnswerWritten => _answerWritten;

    /// <summary>Gets the packets of lanes 1 to 3 written.</summary>
    public long PacketsWritten => Volatile.Read(ref _packetsWritten);

    /// <summary>Gets the packets that were answered Full and given back to their sender.</summary>
    public long Refused => Volatile.Read(ref _refused);

    /// <summary>Gets the most bytes that may wait.</summary>
    public long MaxQueuedBytes => _budget.Limit;

    /// <summary>Gets the bytes that wait to be written.</summary>
    public long QueuedBytes => _budget.Used;

    /// <summary>Sets the most body bytes a packet may have: what the peer takes.</summary>
    public void SetMaxBody(int bytes) => _maxBody = bytes;

    /// <summary>Writes a packet into its lane. Never waits. Every way to send ends here.</summary>
    /// <param name="body">The packet.</param>
    /// <param name="lane">The lane.</param>
    /// <param name="policy">What becomes of it if there is no room; null: the lane's own. Packets that are dropped leave room to those of
    /// higher levels.</param>
    /// <param name="waiter">The sender's place in the line, if it has waited: its bytes are reserved.</param>
    /// <param name="measures">Whether <see cref="SendAnswer.Needed"/> is the packet's size even if there is no room for anything.</param>
    /// <exception cref="TransportException"><see cref="TransportFault.PacketTooLarge"/>.</exception>
    /// <exception cref="InvalidOperationException">Called by a formatter of this very link.</exception>
    public SendAnswer TrySend<TBody>(in TBody body, Lane lane, LanePolicy? policy, Waiter? waiter = null, bool measures = false)
        where TBody : struct, IPacketBody
    {
        int thread = ThrowIfInsideFormatter();
        LaneQueue queue = _lanes[(int)lane];
        long most = (policy ?? queue.Policy) == LanePolicy.Drop ? LevelShares.Of(_budget.Limit, body.Level) : _budget.Limit;

        // Bytes that the peer does not take at all go on, to be told so.
        if (waiter is null && body.KnownSize <= _maxBody && !_admission.MayFit(body, lane, most, measures))
        {
            return NoRoom(body.KnownSize > 0 ? FrameHeader.SizeOnWire(body.KnownSize) : 1);
        }

        bool taken, urgent;
        long size, ordinal;
        lock (queue.Gate)
        {
            if (IsClosed || queue.HasFailed)
            {
                return new SendAnswer(SendResult.Closed);
            }

            queue.FormatterThread = thread;
            try
            {
                queue.Begin(body.Type, _maxBody, body.UsesTables);
                body.WriteTo(queue.Frames);
                size = queue.Frames.End();
                taken = _state != SendState.Broken && _admission.TryTake(lane, size, most, waiter);
            }
            catch
            {
                queue.Frames.Rollback();
                throw;
            }
            finally
            {
                queue.FormatterThread = 0;
            }

            if (taken)
            {
                queue.Commit(packets: 1);
            }
            else
            {
                queue.Frames.Rollback();
            }

            ordinal = queue.Packets;
            urgent = queue.TellSealed();
        }

        _pool.TellMisses();
        if (!taken)
        {
            return NoRoom(size);
        }

        _ring(lane == Lane.Urgent || urgent);
        return new SendAnswer(SendResult.Queued, size, ordinal);
    }

    /// <summary>Counts a packet that found no room: as dropped if the policy says so, else as refused.</summary>
    /// <returns>Full; Closed if the queue was closed meanwhile: Goodbye may already have told the peer what was lost.</returns>
    public SendResult RefusedFor(Lane lane, PacketLevel level, LanePolicy? policy)
    {
        LaneQueue queue = _lanes[(int)lane];
        bool drops = (policy ?? queue.Policy) == LanePolicy.Drop;

        // Goodbye is composed under both locks, and after closing: a later count would stay unreported.
        lock (_lanes[drops ? (int)lane : 0].Gate)
        {
            if (IsClosed)
            {
                return SendResult.Closed;
            }

            if (drops)
            {
                queue.Drops.Add(level, bytes: 0);
            }
            else
            {
                Volatile.Write(ref _refused, _refused + 1);
            }
        }

        _counters.AnsweredFull();
        _fullAnswers.Raise(lane, _budget.Used);
        return SendResult.Full;
    }

    /// <summary>Adds up what was dropped.</summary>
    public (long Packets, IReadOnlyDictionary<PacketLevel, long> ByLevel) Dropped() => DropLedger.Sum(_lanes.Select(lane => lane.Drops));

    /// <summary>A formatter holds its lane's lock; if it took another's, two of them could wait for each other for ever.</summary>
    /// <returns>This thread's id.</returns>
    /// <exception cref="InvalidOperationException">A formatter of this link runs on this thread.</exception>
    public int ThrowIfInsideFormatter()
    {
        int thread = Environment.CurrentManagedThreadId;
        return _lanes[1].FormatterThread == thread || _lanes[2].FormatterThread == thread || _lanes[3].FormatterThread == thread
            ? throw new InvalidOperationException(
                "A packet formatter must not call the link that it writes for: it holds the lock of its lane.")
            : thread;
    }

    /// <summary>Has what is queued written soon. Not under a lane's lock.</summary>
    private SendAnswer NoRoom(long needed)
    {
        _ring(true);
        return new SendAnswer(IsClosed ? SendResult.Closed : SendResult.Full, needed);
    }
}
