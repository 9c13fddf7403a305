using System;
using System.Buffers;
using System.Diagnostics;
using System.Threading;
using System.Threading.Tasks;

namespace Transport;

/// <summary>Takes the frames of a link one by one: puts packets together, gives each to the store, to its handler or to the link, and
/// counts it for the next Ack.</summary>
/// <remarks>On the receive thread, if nothing else is said.</remarks>
internal sealed class PacketDispatcher
{
    /// <summary>After so many packets an Ack is due, also while more comes. Each wakes two threads: one for each 1,024 packets cost a tenth
    /// of the CPU of small ones.</summary>
    public const int AckPackets = 4096;

    private const int AckBytes = 1 << 20;   // what a sender that keeps its packets can spare

    private readonly IReceiveSink _sink;
    private readonly LinkCounters _counters;
    private readonly IReceiveTables _tables;
    private readonly PacketAssembly[] _assemblies;
    private readonly HandlerCalls _calls;
    private readonly FieldReader _fields = new();
    private readonly LaneCount[] _taken = new LaneCount[4];
    private PacketRouter _router = new();   // set with the next before the receive thread runs
    private IAckGate? _store;        // of the router's store
    private IAckGate? _gate;         // before the Acks: the loops', that of the store, or none
    private long _reported;
    private long _bytesSinceReported;
    private PacketHandler? _lastHandler;

    // These are written by the receive thread and looked at by any other, each by itself: they order nothing else.
    private long _arrived;              // once for each packet, before it is handled
    private long _handled;              // once for each packet, behind that: handled, or given to a loop
    private long _broken;               // a packet that ended the reading: 1 at most in the stream, and 1 in each lane of a tail
    private long _peerSent = -1;        // not -1 once Goodbye has come
    private RecentPackets? _recent;     // made with the first packet; safe from any thread
    private ushort _lastType;           // before its handler is called
    private UnhandledPacket? _firstUnhandled;   // set once
    private volatile bool _isStoring;   // around the store's call

    /// <summary>Initializes a new instance of the <see cref="PacketDispatcher"/> class.</summary>
    /// <param name="sink">Hears of control packets, requests and Acks that are due.</param>
    /// <param name="pool">Gives memory to packets of several frames.</param>
    /// <param name="counters">Counts packets.</param>
    /// <param name="maxPacket">The most bytes of a packet.</param>
    /// <param name="tables">What the peer has put into this side's tables.</param>
    /// <param name="calls">Calls the handlers; null: one of its own.</param>
    public PacketDispatcher(
        IReceiveSink sink, SegmentPool pool, LinkCounters counters, int maxPacket, IReceiveTables tables, HandlerCalls? calls = null)
    {
        _calls = calls ?? new HandlerCalls();
        _sink = sink;
        _counters = counters;
        _tables = tables;
        _assemblies = [new(pool, maxPacket), new(pool, maxPacket), new(pool, maxPacket), new(pool, maxPacket)];
    }

    /// <summary>Gets the number of packets of lanes 1 to 3 that arrived whole, handled or not. Any thread.</summary>
    public long Arrived => Volatile.Read(ref _arrived);

    /// <summary>Gets the number of packets that arrived whole and ended the link: their handler or the store threw, or their body is
    /// malformed. They are not among <see cref="Handled"/>. Any thread.</summary>
    public long Broken => Volatile.Read(ref _broken);

    /// <summary>Gets the number of packets of lanes 1 to 3 that were handled or given to a loop, among them those without a handler, and
    /// those whose handler threw if the link goes on all the same. Any thread.</summary>
    public long Dispatched => Volatile.Read(ref _handled);

    /// <summary>Gets how many of <see cref="Dispatched"/> are handled: all but those that stand in loops. Any thread.</summary>
    public long Handled => Dispatched is var dispatched && Unread is { } unread ? dispatched - unread.Among(dispatched) : dispatched;

    /// <summary>Gets how many packets are handled, and flushed if there is a store. Any thread.</summary>
    public long Safe => _store is null ? Handled : _store.Safe;

    /// <summary>Gets what stands in loops; null if the router has none. Any thread.</summary>
    public UnreadPackets? Unread => Context?.Unread;

    /// <summary>Gets the number of packets sent according to the peer's Goodbye, unverified; null before a readable Goodbye. Any
    /// thread.</summary>
    public long? PeerSent => Volatile.Read(ref _peerSent) is var said and >= 0 ? said : null;

    /// <summary>Gets the type of the last packet that came to its handler; 0 before the first. Any thread.</summary>
    public ushort LastType => Volatile.Read(ref _lastType);

    /// <summary>Gets the first packet for which there was no handler; null if there was none. Any thread.</summary>
    public UnhandledPacket? FirstUnhandled => Volatile.Read(ref _firstUnhandled);

    /// <summary>Gets the last packets that came; null if none has. Any thread.</summary>
    public RecentPackets? Recent => Volatile.Read(ref _recent);

    /// <summary>Gets a value indicating whether the store has not taken the packet at hand yet. Any thread.</summary>
    public bool IsStoring => _isStoring;

    /// <summary>Gets a value indicating whether packets are stored before they are acknowledged. Any thread.</summary>
    public bool HasStore => _store is not null;

    /// <summary>Gets a value indicating whether everything that was dispatched is handled, and flushed. Any thread.</summary>
    public bool IsSettled => _gate is null || (Unread is not { Count: > 0 } && Safe >= Dispatched);

    /// <summary>Gets who takes which packet; empty before <see cref="Open"/>. Any thread.</summary>
    public PacketRouter Router => _router;

    /// <summary>Gets what takes the failure of a handler, after which the next packet is taken; null: a failure ends the link.</summary>
    public HandlerFailures? Failures { get; init; }

    /// <summary>Gets what counts the packets that no handler has taken.</summary>
    public MissCounts Misses { get; init; } = new();

    /// <summary>Gets where the packets come from; null: from no link.</summary>
    public PacketSource? Source { get; init; }

    /// <summary>Gets what handlers see of the link; null before <see cref="Open"/>, and without a link.</summary>
    public ReceiveContext? Context { get; private set; }

    /// <summary>Gets a value indicating whether a packet has come in part.</summary>
    public bool IsInsidePacket => PacketAssembly.IsAnyOpen(_assemblies);

    /// <summary>Says who takes which packet. Once, before the receive thread runs.</summary>
    /// <param name="router">The router.</param>
    /// <param name="gate">What says when the packets in the router's store are flushed; null without a store.</param>
    public void Open(PacketRouter router, IAckGate? gate)
    {
        UnreadPackets? unread = Source is not null && router.Uses.HasLoops
            ? new UnreadPackets(() => _handled, _sink.OnAckDue, Misses, gate) : null;
        (_router, _store, _gate) = (router, gate, unread ?? gate);
        Context = Source is { } link ? new ReceiveContext(link.Sender, link.Node, link.Clock, unread: unread) : null;
    }

    /// <summary>Returns what has come of a lane, replayed packets included. On the receive thread, or when it has ended.</summary>
    public LaneCount Taken(Lane lane) => _taken[(int)lane];

    /// <summary>Allows the peer to be notified that so many packets are handled, once they are flushed. Any thread.</summary>
    public void Acknowledge(long handled)
    {
        if (_gate is null)
        {
            _sink.OnAckDue(handled);
        }
        else
        {
            _gate.Ask(handled);
        }
    }

    /// <summary>Waits until everything that was dispatched is handled and flushed. Any thread.</summary>
    /// <returns>Whether it is; at once if there is neither a loop nor a store.</returns>
    public Task<bool> SettleAsync() => _gate is null ? Task.FromResult(true) : _gate.SettleAsync(Dispatched);

    /// <summary>Waits until what is handled is flushed; not for loops. Any thread.</summary>
    public Task FlushAsync()
    {
        _gate?.Ask(Dispatched);
        return Unread is { } unread ? unread.FlushAsync() : _store is null ? Task.CompletedTask : _store.SettleAsync(Dispatched);
    }

    /// <summary>Takes a frame of the stream or of a replay.</summary>
    /// <param name="frame">The frame.</param>
    /// <param name="bytes">What its offset is in; on loan during the call.</param>
    /// <param name="at">When it came, as the clock's timestamp.</param>
    /// <returns>Whether the thread waited for a handler or a store.</returns>
    /// <exception cref="TransportException">A fault of the bytes or of a handler.</exception>
    public bool Take(in Frame frame, byte[] bytes, long at)
    {
        if (frame.Lane == Lane.Control)
        {
            TakeControl(frame, bytes);
            return false;
        }

        if (_peerSent >= 0)
        {
            string came = $"After Goodbye only Ack or Pong may follow; got a frame of type {frame.Type} on lane {(int)frame.Lane}.";
            throw new TransportException(TransportFault.FrameCorrupt, came);
        }

        ref LaneCount taken = ref _taken[(int)frame.Lane];
        taken = new LaneCount(taken.Bytes + FrameHeader.Size + frame.Length, taken.Packets + (frame.More ? 0 : 1));
        PacketAssembly assembly = _assemblies[(int)frame.Lane];
        if (frame.More || assembly.IsOpen)
        {
            ReadOnlySpan<byte> chunk = bytes.AsSpan(frame.Offset, frame.Length);
            assembly.Append(frame.Type, chunk, inPieces: !assembly.IsOpen && MayStandInPieces(frame.Type, chunk));
            if (frame.More)
            {
                return false;
            }
        }

        Volatile.Write(ref _arrived, _arrived + 1);
        try
        {
            return RouteWhole(frame, bytes, assembly, at);
        }
        catch
        {
            Context?.EndLoan();
            Volatile.Write(ref _broken, _broken + 1);
            throw;
        }
    }

    /// <summary>Gets a value indicating whether <see cref="ReportHandled"/> has nothing to report.</summary>
    public bool IsReported => _handled <= _reported;

    /// <summary>Lets the peer be notified of what is handled, if that is more than it knows.</summary>
    public void ReportHandled()
    {
        if (!IsReported)
        {
            _reported = _handled;
            _bytesSinceReported = 0;
            Acknowledge(_handled);
        }
    }

    /// <summary>Reports to the peer nothing more: nobody is left there.</summary>
    public void StopReporting() => (_reported, _bytesSinceReported) = (long.MaxValue, long.MinValue / 2);

    /// <summary>Returns what was put together in part, and forgets the tables.</summary>
    public void Close()
    {
        _tables.Clear();
        foreach (PacketAssembly assembly in _assemblies)
        {
            assembly.Close();
        }
    }

    private RawPacket Packet(in Frame frame, ArraySegment<byte> body) => new(frame.Type, frame.Lane, body)
    {
        Source = Context, Loan = Context is null ? default : new Loan(Context),
    };

    private bool RouteWhole(in Frame frame, byte[] bytes, PacketAssembly assembly, long at)
    {
        if (!assembly.IsOpen)
        {
            return Route(Packet(frame, new ArraySegment<byte>(bytes, frame.Offset, frame.Length)), at);
        }

        bool waited = assembly.IsInPieces ? RoutePieces(frame, assembly, at) : Route(Packet(frame, assembly.Body), at);
        assembly.Close();
        return waited;
    }

    private bool Route(in RawPacket whole, long at)
    {
        int bytes = whole.EncodedLength;
        (_recent ??= new RecentPackets()).Add(whole.Type, whole.Lane, bytes, at);
        PacketHandler? handler = Find(whole.Type);
        bool isChecked = handler is { ChecksBody: true } && _store is null;
        LentBody? lent = isChecked ? _tables.Attach(whole) : Check(whole);
        NoteMoves(whole, handler, isChecked);
        bool waited = lent is null ? Handle(whole, handler) : Handle(whole with { Lent = lent }, handler);
        Count(whole.Lane, bytes);
        Context?.EndLoan();   // before the memory is used again
        return waited;
    }

    /// <summary>Returns whether a packet that begins like this may stand in pieces: a bin, which needs no look behind its head, for an
    /// asynchronous handler of bytes, who may read it as a stream, and has not asked for a whole body yet. A store needs the packet whole,
    /// and puts it into its journal as it is.</summary>
    private bool MayStandInPieces(ushort type, ReadOnlySpan<byte> chunk) =>
        _store is null && LeaseStream.IsBin(chunk) && _router.Find(type) is RawHandler { IsAsync: true, WantsWholeBodies: false };

    private bool RoutePieces(in Frame frame, PacketAssembly assembly, long at)
    {
        (_recent ??= new RecentPackets()).Add(frame.Type, frame.Lane, assembly.Length, at);
        ReadOnlySequence<byte> pieces = assembly.Pieces;
        CheckBin(frame.Type, pieces);
        var handler = (RawHandler)Find(frame.Type)!;
        var body = new PiecedBody(pieces, assembly.Pool, handler);
        try
        {
            bool waited = Invoke(handler, Packet(frame, default) with { Lent = body });
            Count(frame.Lane, assembly.Length);
            return waited;
        }
        finally
        {
            Context?.EndLoan();
            body.Close();
        }
    }

    private void CheckBin(ushort type, in ReadOnlySequence<byte> pieces)
    {
        try
        {
            _ = LeaseStream.OfBin(pieces, default);
        }
        catch (TransportException malformed)
        {
            throw new TransportException(malformed.Fault, $"Packet {_router.NameOf(type)}: {malformed.Message}", malformed);
        }
    }

    [Conditional("COUNT_MOVES")]
    private static void NoteMoves(in RawPacket packet, PacketHandler? handler, bool isChecked)
    {
        ByteMoves.Note("7 packet: checked to be one value",
            isChecked || LeaseStream.IsBin(packet.Encoded) ? 0 : packet.EncodedLength, 0);
        ByteMoves.Note("8 packet: read by the formatter or handler", handler is null ? 0 : packet.EncodedLength, 0);
    }

    /// <summary>Gives a packet to the store, if there is one, and then to whom it is for.</summary>
    /// <returns>Whether the thread had to wait.</returns>
    private bool Handle(in RawPacket packet, PacketHandler? handler)
    {
        if (TableTypes.IsOne(packet.Type))
        {
            TakeTables(packet);
            return false;
        }

        bool waited = _store is not null && Store(packet);
        if (RequestTypes.IsOne(packet.Type))
        {
            _sink.OnRequestPacket(packet.Type, packet.Lane, packet.EncodedBlock);
            return waited;
        }

        return (handler ?? Unknown(packet)) is { } taker ? Invoke(taker, packet) || waited : waited;
    }

    private bool Invoke(PacketHandler handler, in RawPacket packet)
    {
        if (Failures is null)
        {
            return _calls.Invoke(handler, packet);
        }

        try
        {
            return _calls.Invoke(handler, packet);
        }
        catch (TransportException failed) when (failed.Fault == TransportFault.HandlerFailed && failed.Code != HandlerCalls.Ending)
        {
            Failures.Take(_router, packet.Type, handler.Name, failed.InnerException ?? failed);
            return true;
        }
    }

    /// <summary>Gives a packet to the store before its handler, and waits until the store has it.</summary>
    /// <returns>Whether the thread had to wait.</returns>
    private bool Store(in RawPacket packet)
    {
        try
        {
            ValueTask storing = _router.Store!.AppendAsync(packet, Context?.CancellationToken ?? CancellationToken.None);
            if (storing.IsCompletedSuccessfully)
            {
                return false;
            }

            _isStoring = true;
            return _calls.Wait(storing);
        }
        catch (Exception e)
        {
            throw new TransportException(
                TransportFault.HandlerFailed,
                $"Packet {_router.NameOf(packet.Type)} could not be stored (PacketRouter.UseStore), {ExceptionText.Brief(e)}",
                e);
        }
        finally
        {
            _isStoring = false;
        }
    }

    /// <summary>Caches the last lookup: types usually repeat.</summary>
    private PacketHandler? Find(ushort type)
    {
        if (type != _lastType)
        {
            _lastHandler = _router.Find(type);
            _lastType = type;
        }

        return _lastHandler;
    }

    private LentBody? Check(in RawPacket packet)
    {
        try
        {
            return _tables.Check(packet);
        }
        catch (TransportException malformed)
        {
            throw new TransportException(malformed.Fault, $"Packet {_router.NameOf(packet.Type)}: {malformed.Message}", malformed);
        }
    }

    private void TakeTables(in RawPacket packet)
    {
        try
        {
            _tables.Take(packet);
        }
        catch (TransportException malformed)
        {
            string name = TableTypes.NameOf(packet.Type);
            throw new TransportException(malformed.Fault, $"Packet {name} ({packet.Type}): {malformed.Message}", malformed);
        }
    }

    private PacketHandler? Unknown(in RawPacket packet)
    {
        _counters.Unknown(packet.Type);
        TransportEventSource.Log.UnknownPacket(packet.Type);
        if (_router.Unknown is null)
        {
            Misses.AddUnhandled();
            if (_firstUnhandled is null)
            {
                Volatile.Write(ref _firstUnhandled, new UnhandledPacket(packet.Type, packet.Encoded));
            }
        }

        return _router.Unknown;
    }

    private void Count(Lane lane, int bytes)
    {
        Volatile.Write(ref _handled, _handled + 1);
        _counters.Handled((int)lane);
        _bytesSinceReported += bytes;
        if (_handled - _reported >= AckPackets || _bytesSinceReported >= AckBytes)
        {
            ReportHandled();
        }
    }

    private void TakeControl(in Frame frame, byte[] bytes)
    {
        if (frame.Type is 0 or (> ControlType.Dropped and not (ControlType.Stop or ControlType.AckNow)))
        {
            return;   // unknown on lane 0 (10 among them): skipped, so that later versions can add some
        }

        ReadOnlySpan<byte> body = bytes.AsSpan(frame.Offset, frame.Length);
        MessagePackValue.Check(body);
        if (frame.Type <= ControlType.Reject)
        {
            throw new TransportException(TransportFault.PacketMalformed, $"A handshake packet (type {frame.Type}) came on an open link.");
        }

        if (frame.Type == ControlType.AckNow)
        {
            ReportHandled();
            Unread?.AskNow(_handled);
            return;
        }

        _fields.Read(frame.Type, body);
        if (frame.Type == ControlType.Goodbye)
        {
            TakeGoodbye(_fields.NumberOrZero(Field.Packets), _fields.Text(Field.Reason) ?? string.Empty);
        }

        _sink.OnControl(frame.Type, _fields);
    }

    private void TakeGoodbye(long packets, string reason)
    {
        if (_peerSent >= 0)
        {
            throw new TransportException(TransportFault.PacketMalformed, "Goodbye came twice.");
        }

        Volatile.Write(ref _peerSent, packets);   // what it said, be it true or not

        // A peer that ends the link for a fault may have given up packets on its way; its reason is worth more than its count.
        if (packets != _handled && FaultNames.Parse(reason) == TransportFault.None)
        {
            string counts = $"Goodbye says that {packets} packets were sent, {_handled} came";
            throw new TransportException(TransportFault.PacketMalformed, counts + ": packets were lost or counted wrongly by the peer.");
        }

        if (IsInsidePacket && FaultNames.Parse(reason) == TransportFault.None)
        {
            throw new TransportException(TransportFault.PacketMalformed, "Goodbye came inside a packet: its last frame was never sent.");
        }
    }
}
