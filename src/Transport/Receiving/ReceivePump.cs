using System;
using System.IO;
using System.Threading;
using System.Threading.Tasks;

namespace Transport;

/// <summary>The one reader of a link: reads into a rented window, cuts frames out of it without copying, and gives each packet to its
/// handler before the next.</summary>
/// <remarks>Runs on the link's receive thread; handlers run on it too. Other threads only look at its counters and stop it.</remarks>
internal sealed partial class ReceivePump
{
    private const int AckPackets = 1024;
    private const int AckBytes = 1 << 20;

    /// <summary>
    /// How long a read waits before the input counts as exhausted, in ms: an answer that comes at once is not worth an Ack of its own. Not
    /// shorter than the kernel's tick: a timer of 1 ms has to be programmed into the clock hardware at each wait, measured as 10 µs of a
    /// round trip of 34 on a virtual machine.
    /// </summary>
    private const int Patience = 10;

    private const int NoLimit = -1;

    private readonly IWire _wire;
    private readonly SegmentPool _pool;
    private readonly IReceiveSink _sink;
    private readonly LinkCounters _counters;
    private readonly TimeProvider _clock;
    private readonly LaneTables _tables;
    private readonly FrameReader _frames = new();
    private readonly PacketAssembly[] _assemblies;
    private readonly HandlerCalls _calls = new();
    private PacketRouter _router = new();   // set with the next before the receive thread runs
    private AckGate? _gate;
    private readonly LaneCount[] _taken = new LaneCount[4];
    private byte[] _bytes = [];     // what _frames reads: the window's array, or a lane of a replay
    private long _handled;
    private long _told;
    private long _bytesSinceTold;
    private long _lastFrame;
    private long _pendingSince;
    private long _quietSince;
    private long _dry;
    private RecentPackets? _recent;
    private PacketHandler? _lastHandler;
    private ushort _lastType;
    private volatile bool _isRunning; // written by the receive thread around Run; others only look
    private volatile bool _waiting;   // written by the receive thread around the read without limit; others only look
    private volatile bool _storing;   // written by the receive thread around the store's call; others only look
    private volatile bool _stopped;   // set once, by whoever ends the link; the receive thread looks before each packet

    public ReceivePump(
        IWire wire,
        SegmentPool pool,
        IReceiveSink sink,
        LinkCounters counters,
        TimeProvider clock,
        int maxPacket,
        LaneTables tables)
    {
        _wire = wire;
        _pool = pool;
        _sink = sink;
        _counters = counters;
        _clock = clock;
        _tables = tables;
        _assemblies = [new(pool, maxPacket), new(pool, maxPacket), new(pool, maxPacket), new(pool, maxPacket)];
        _lastFrame = clock.GetTimestamp();
    }

    /// <summary>Gets the packets of lanes 1 to 3 handled.</summary>
    public long Handled => Volatile.Read(ref _handled);

    /// <summary>Gets how many packets are handled, and flushed if there is a store.</summary>
    public long Safe => _gate is null ? Handled : _gate.Safe;

    /// <summary>Gets a value indicating whether packets are stored before they are acknowledged.</summary>
    public bool HasStore => _gate is not null;

    /// <summary>Gets a value indicating whether the store has not taken the packet at hand yet.</summary>
    public bool IsKeeping => _storing;

    /// <summary>Gets when the last whole frame came, as the clock's timestamp.</summary>
    public long LastFrame => Volatile.Read(ref _lastFrame);

    /// <summary>Gets a value indicating whether everything that was read is handled, nothing came for a while, and a read waits for more.
    /// </summary>
    public bool IsWaiting => _waiting;

    /// <summary>Gets a value indicating whether a packet is with its handler, or will be at once.</summary>
    public bool IsBusy => _isRunning && !_waiting;

    /// <summary>Gets a value indicating whether the pump runs: it was started and has not ended.</summary>
    public bool IsRunning => _isRunning;

    /// <summary>Gets who takes which packet; empty before <see cref="Open"/>.</summary>
    public PacketRouter Router => _router;

    /// <summary>Gets how often the stream was found empty and all that had come before was handled. Of two such moments the second is one
    /// after the first was seen here.</summary>
    public long Dry => Volatile.Read(ref _dry);

    /// <summary>Gets the type of the last packet that came to its handler; 0 before the first.</summary>
    public ushort LastType => Volatile.Read(ref _lastType);

    /// <summary>Gets since when this side has been waiting for the peer's next whole frame, as the clock's timestamp; 0 while frames are
    /// handled. Bytes that are no whole frame change nothing.</summary>
    public long PendingSince => Volatile.Read(ref _pendingSince);

    /// <summary>Gets the last packets that came; null if none has.</summary>
    public RecentPackets? Recent => Volatile.Read(ref _recent);

    /// <summary>
    /// Gets what takes the failure of a handler (type, name, exception), after which the pump goes on; null: a failure ends it.
    /// </summary>
    public Action<int, string, Exception>? HandlerFailed
    {
        init => _calls.Failed = value;
    }

    /// <summary>Gets what handlers see of the link.</summary>
    public ReceiveContext? Context { get; init; }

    /// <summary>Gets or sets what goes on if the stream of a dead peer has ended early. Set before the receive thread runs.</summary>
    public IReplay? Remainder { get; set; }

    /// <summary>Gets a value indicating whether no further packet reaches a handler.</summary>
    public bool IsStopped => _stopped;

    /// <summary>Returns what has come of a lane, replayed packets included. On the receive thread, or when it has ended.</summary>
    public LaneCount Taken(Lane lane) => _taken[(int)lane];

    /// <summary>Takes the frames of one lane after the stream; on the receive thread.</summary>
    /// <param name="bytes">The lane's next bytes.</param>
    /// <param name="lane">The lane.</param>
    /// <returns>What was wrong with them; null if nothing. It ends the lane's replay, not the link, which has ended.</returns>
    public string? Replay(byte[] bytes, Lane lane)
    {
        var frames = new FrameReader();
        _bytes = bytes;
        frames.Feed(bytes, 0, bytes.Length);
        try
        {
            while (!_stopped && frames.TryRead(out Frame frame))
            {
                if (frame.Lane != lane)
                {
                    return $"a frame of lane {(int)frame.Lane} stands in the ring of lane {(int)lane}";
                }

                Take(frame);
            }

            return frames.InsideFrame && !_stopped ? $"its ring of lane {(int)lane} ends inside a frame" : null;
        }
        catch (TransportException fault) when (fault.Fault != TransportFault.HandlerFailed)
        {
            return fault.Message;
        }
    }

    /// <summary>Lets no further packet reach a handler. Any thread. What ends the pump is the wire.</summary>
    public void Stop()
    {
        _stopped = true;
        Context?.End();
    }

    /// <summary>Returns the running handler that the calling code belongs to; null for any other code.</summary>
    public HandlerScope? FindOwnHandler() => _calls.FindOwn();

    /// <summary>Marks the beginning of a callback of the link that counts as a handler, on the receive thread.</summary>
    public void EnterHandler() => _calls.Enter();

    /// <summary>Marks the end of that callback.</summary>
    public void LeaveHandler() => _calls.Leave();

    /// <summary>Lets the peer be told that so many packets are handled, once they are flushed. Any thread.</summary>
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

    /// <summary>Waits until what is handled is flushed.</summary>
    /// <returns>Whether it is; at once if there is no store.</returns>
    public Task<bool> SettleAsync() => _gate is null ? Task.FromResult(true) : _gate.SettleAsync(Handled);

    /// <summary>Says who takes which packet. Once, before the receive thread runs this.</summary>
    public void Open(PacketRouter router)
    {
        _router = router;
        _gate = router.Store is { } store ? new AckGate(store, _sink.OnAckDue, _sink.OnKeeperFailed) : null;
    }

    /// <summary>Reads to the end of the stream, and then what the peer's tail adds to it. Once, on the receive thread.</summary>
    /// <param name="leftover">What the handshake had read too much.</param>
    /// <exception cref="TransportException">A fault of the bytes or of a handler; valid packets before it are handled.</exception>
    public void Run(byte[] leftover)
    {
        _isRunning = true;
        var window = new ReceiveWindow(_pool, leftover);
        try
        {
            if (IsReplayedAtEnd(window))
            {
                // Nobody is left to be told.
                _told = long.MaxValue;
                _bytesSinceTold = long.MinValue / 2;
                Volatile.Write(ref _pendingSince, 0);
                Remainder!.Run(this);
            }
        }
        finally
        {
            _isRunning = false;
            _waiting = false;
            _tables.Clear();
            window.Return();
            foreach (PacketAssembly assembly in _assemblies)
            {
                assembly.Close();
            }
        }
    }

    /// <summary>Reads to the end of the stream, and tells it.</summary>
    /// <returns>Whether <see cref="Remainder"/> goes on.</returns>
    private bool IsReplayedAtEnd(ReceiveWindow window)
    {
        bool inside;
        try
        {
            inside = ReadStream(window);
        }
        catch (IOException broken)
        {
            return _sink.OnEndOfStream(inside: false, broken);
        }

        return _sink.OnEndOfStream(inside, null);
    }

    private bool ReadStream(ReceiveWindow window)
    {
        bool emptied = false;   // the last read took all that had arrived
        while (true)
        {
            _bytes = window.Array;
            _frames.Feed(window.Array, 0, window.End);
            TakeFrames();
            if (_stopped)
            {
                return false;   // what would still be read would only make room for more that nobody handles
            }

            window.Keep(_frames.Start);
            if (emptied)
            {
                Volatile.Write(ref _dry, _dry + 1);
            }

            int count = Read(window);
            if (count == 0)
            {
                return window.End > 0 || PacketAssembly.IsAnyOpen(_assemblies);
            }

            _counters.Read(count);
            window.Add(count);
            emptied = window.Room > 0;
        }
    }

    private void TakeFrames()
    {
        bool any = false;
        while (!_stopped && _frames.TryRead(out Frame frame))
        {
            if (!any)
            {
                any = true;
                MarkFrame();
            }

            if (Take(frame))
            {
                MarkFrame();
            }
        }
    }

    private int Read(ReceiveWindow window)
    {
        MarkPending();
        int count = _wire.Read(window.Array, window.End, window.Room, Patience);
        if (count >= 0)
        {
            return count;
        }

        window.Shrink();
        Volatile.Write(ref _dry, _dry + 1);
        _waiting = true;
        TellHandled();
        count = _wire.Read(window.Array, window.End, window.Room, NoLimit);
        _waiting = false;   // before what has come is taken: who looks must not find neither
        return count;
    }

    /// <summary>Notes that the peer is heard. Once for all the frames of a read: asking the clock for each would cost as much as reading
    /// it.
    /// </summary>
    private void MarkFrame()
    {
        _quietSince = 0;
        Volatile.Write(ref _pendingSince, 0);
        Volatile.Write(ref _lastFrame, _clock.GetTimestamp());
    }

    /// <summary>A read begins: if nothing comes, it is the peer's silence from now on.</summary>
    private void MarkPending()
    {
        if (_quietSince == 0)
        {
            _quietSince = Math.Max(1, _clock.GetTimestamp());
        }

        Volatile.Write(ref _pendingSince, _quietSince);
    }

    /// <summary>Takes a frame.</summary>
    /// <returns>Whether the thread waited for a handler or a store.</returns>
    private bool Take(in Frame frame)
    {
        if (frame.Lane == Lane.Control)
        {
            TakeControl(frame);
            return false;
        }

        if (_peerSent >= 0)
        {
            string came = $"After Goodbye expected Ack or Pong only, came a frame of type {frame.Type} on lane {(int)frame.Lane}.";
            throw new TransportException(TransportFault.FrameCorrupt, came);
        }

        ref LaneCount taken = ref _taken[(int)frame.Lane];
        taken = new LaneCount(taken.Bytes + FrameHeader.Size + frame.Length, taken.Packets + (frame.More ? 0 : 1));
        PacketAssembly assembly = _assemblies[(int)frame.Lane];
        if (!frame.More && !assembly.IsOpen)
        {
            return Route(Packet(frame, _bytes.AsMemory(frame.Offset, frame.Length)));
        }

        assembly.Append(frame.Type, _bytes.AsSpan(frame.Offset, frame.Length));
        if (frame.More)
        {
            return false;
        }

        bool waited = Route(Packet(frame, assembly.Body));
        assembly.Close();
        return waited;
    }

    private RawPacket Packet(in Frame frame, ReadOnlyMemory<byte> body) => new(frame.Type, frame.Lane, body) { Source = Context };

    private bool Route(RawPacket packet)
    {
        (_recent ??= new RecentPackets()).Add(packet.Type, packet.Lane, packet.Encoded.Length, _lastFrame);
        PacketHandler? handler = Find(packet.Type);
        packet = handler is { ChecksBody: true } && _gate is null ? _tables.Attach(packet) : Check(packet);
        bool waited = _gate is not null && !TableTypes.IsOne(packet.Type) && Store(packet);
        return Handle(packet, handler) || waited;
    }

    private bool Handle(RawPacket packet, PacketHandler? handler)
    {
        bool waited = false;
        if (TableTypes.IsOne(packet.Type))
        {
            TakeTables(packet);
        }
        else if (RequestTypes.IsOne(packet.Type))
        {
            _sink.OnRequestPacket(packet.Type, packet.Lane, packet.Encoded);
        }
        else if ((handler ?? Unknown(packet)) is { } taker)
        {
            waited = _calls.Invoke(taker, packet);
        }

        Count(packet.Encoded.Length);
        return waited;
    }

    /// <summary>Gives a packet to the store before its handler, and waits until the store has it.</summary>
    /// <returns>Whether the thread had to wait.</returns>
    private bool Store(in RawPacket packet)
    {
        try
        {
            ValueTask storing = _router.Store!.AppendAsync(packet);
            if (storing.IsCompletedSuccessfully)
            {
                return false;
            }

            _storing = true;
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
            _storing = false;
        }
    }

    /// <summary>Most packets are of the type of the one before.</summary>
    private PacketHandler? Find(ushort type)
    {
        if (type != _lastType)
        {
            _lastHandler = _router.Find(type);
            _lastType = type;
        }

        return _lastHandler;
    }

    private RawPacket Check(in RawPacket packet)
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
        return _router.Unknown;
    }

    private void Count(int bytes)
    {
        Volatile.Write(ref _handled, _handled + 1);
        _counters.Handled();
        _bytesSinceTold += bytes;
        if (_handled - _told >= AckPackets || _bytesSinceTold >= AckBytes)
        {
            TellHandled();
        }
    }

    private void TellHandled()
    {
        if (_handled > _told)
        {
            _told = _handled;
            _bytesSinceTold = 0;
            Acknowledge(_handled);
        }
    }
}
