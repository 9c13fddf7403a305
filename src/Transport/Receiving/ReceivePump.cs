using System;
using System.IO;
using System.Threading;
using System.Threading.Tasks;

namespace Transport;

/// <summary>The one reader of a link: reads into a rented window, cuts frames out of it without copying, and gives each packet to its handler before the next.</summary>
internal sealed partial class ReceivePump
{
    private const int AckPackets = 1024;
    private const int AckBytes = 1 << 20;

    private readonly IWire _wire;
    private readonly IDirectWire? _direct;
    private readonly SegmentPool _pool;
    private readonly PacketRouter _router;
    private readonly IReceiveSink _sink;
    private readonly LinkCounters _counters;
    private readonly TimeProvider _clock;
    private readonly LaneTables _tables;
    private readonly FrameReader _frames = new();
    private readonly PacketAssembly[] _assemblies;
    private readonly ReadThread _thread;
    private Segment? _window;        // none while an idle link waits
    private int _end;
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
    private bool _goodbye;
    private bool _short;            // the last read emptied the stream
    private volatile bool _waiting;
    private volatile bool _stopped;

    public ReceivePump(IWire wire, SegmentPool pool, PacketRouter router, IReceiveSink sink, LinkCounters counters, TimeProvider clock, int maxPacket, LaneTables tables, ThreadBudget threads)
    {
        _wire = wire;
        _direct = wire as IDirectWire;
        _pool = pool;
        _router = router;
        _sink = sink;
        _gate = router.Keeper is { } keeper ? new AckGate(keeper, sink.OnAckDue, sink.OnKeeperFailed) : null;
        _counters = counters;
        _clock = clock;
        _tables = tables;
        _assemblies = [new(pool, maxPacket), new(pool, maxPacket), new(pool, maxPacket), new(pool, maxPacket)];
        _thread = new ReadThread(_direct, threads, OnInputExhausted);
        _lastFrame = clock.GetTimestamp();
    }

    /// <summary>Gets the packets of lanes 1 to 3 handled.</summary>
    public long Handled => Volatile.Read(ref _handled);

    /// <summary>Gets when the last whole frame came, as the clock's timestamp.</summary>
    public long LastFrame => Volatile.Read(ref _lastFrame);

    /// <summary>Gets a value indicating whether everything that was read is handled, and a read waits for more.</summary>
    public bool IsWaiting => _waiting;

    /// <summary>Gets how often the stream was found empty and all that had come before was handled. Of two such moments the second is one after the first was seen here.</summary>
    public long Dry => Volatile.Read(ref _dry);

    /// <summary>Gets the type of the last packet that came to its handler; 0 before the first.</summary>
    public ushort LastType => Volatile.Read(ref _lastType);

    /// <summary>Gets since when this side has been waiting for the peer's next whole frame, as the clock's timestamp; 0 while frames are handled. Bytes that are no whole frame change nothing.</summary>
    public long PendingSince => Volatile.Read(ref _pendingSince);

    /// <summary>Gets the last packets that came; null where none has.</summary>
    public RecentPackets? Recent => Volatile.Read(ref _recent);

    /// <summary>Lets no further packet reach a handler; safe from any thread. What ends the loop is the wire.</summary>
    public void Stop() => _stopped = true;

    private async Task<bool> ReadStreamAsync(byte[] leftover)
    {
        _window = _pool.Rent(leftover.Length);
        leftover.CopyTo(_window.Array, 0);
        _end = leftover.Length;
        try
        {
            int start = 0;
            while (true)
            {
                _frames.Feed(_window.Array, start, _end);
                bool any = false;
                while (!_stopped && _frames.TryRead(out Frame frame))
                {
                    if (!any)
                    {
                        any = true;
                        MarkFrame();
                    }

                    ValueTask handling = Take(frame);
                    if (!handling.IsCompletedSuccessfully)
                    {
                        await handling.ConfigureAwait(false);
                        MarkFrame();
                    }
                }

                start = MakeRoom(_frames.Start);
                if (_thread.ShouldMove())
                {
                    await _thread;
                }

                if (_short)
                {
                    _short = false;
                    Volatile.Write(ref _dry, _dry + 1);
                }

                // Awaited here and nowhere deeper: a method of its own would allocate its state at each wait.
                int count;
                if (_direct is not null)
                {
                    count = ReadHere(_direct);
                }
                else
                {
                    ValueTask<int> read = _wire.ReadAsync(_window.Array, _end, _window.Capacity - _end);
                    if (!read.IsCompleted)
                    {
                        OnInputExhausted();
                    }

                    count = await read.ConfigureAwait(false);
                }

                while (count < 0)
                {
                    OnInputExhausted();
                    ValueTask wait = _direct!.WaitAsync();
                    if (!wait.IsCompleted)
                    {
                        LetGoOfWindow();
                    }

                    await wait.ConfigureAwait(false);
                    _waiting = false;   // before what has come is taken: who looks must not find neither
                    _window ??= _pool.Rent(SegmentPool.Smallest);
                    count = _direct.TryRead(_window.Array, _end, _window.Capacity - _end);
                }

                _waiting = false;
                if (count == 0)
                {
                    return _end > start || IsInsidePacket();
                }

                _counters.Read(count);
                _end += count;
                _short = _direct is not null && _end < _window!.Capacity;   // a socket gives all that it has, as far as there is room
            }
        }
        finally
        {
            _waiting = false;
        }
    }

    /// <summary>Notes that the peer is heard. Once for all the frames of a read: asking the clock for each would cost as much as reading it.</summary>
    private void MarkFrame()
    {
        _quietSince = 0;
        Volatile.Write(ref _pendingSince, 0);
        Volatile.Write(ref _lastFrame, _clock.GetTimestamp());
    }

    /// <summary>Reads without awaiting: on the loop's own thread for a while, elsewhere what is there.</summary>
    /// <returns>As the wire's read; -1 where the loop must wait.</returns>
    private int ReadHere(IDirectWire wire)
    {
        if (!_thread.IsHere)
        {
            return wire.TryRead(_window!.Array, _end, _window.Capacity - _end);
        }

        MarkPending();
        return _thread.Read(_window!.Array, _end, _window.Capacity - _end);
    }

    /// <summary>Everything that was read is handled, and nothing more has come.</summary>
    private void OnInputExhausted()
    {
        MarkPending();
        _waiting = true;
        Volatile.Write(ref _dry, _dry + 1);
        TellHandled();
    }

    /// <summary>A read is asked for: if nothing comes, it is the peer's silence from now on.</summary>
    private void MarkPending()
    {
        if (_quietSince == 0)
        {
            _quietSince = Math.Max(1, _clock.GetTimestamp());
        }

        Volatile.Write(ref _pendingSince, _quietSince);
    }

    /// <summary>Moves what is left of the window to where the next read has room behind it: a larger window where the last read filled this one, a smaller one where little came.</summary>
    /// <returns>Where the bytes that are left begin.</returns>
    private int MakeRoom(int start)
    {
        int left = _end - start;
        int capacity = _window!.Capacity;
        int wanted = capacity;
        if (_end == capacity)
        {
            wanted = Math.Min(capacity * 4, SegmentPool.Largest);
        }
        else if (left == 0 && _end < capacity / 8)
        {
            wanted = Math.Max(capacity / 2, SegmentPool.Smallest);
        }

        if (wanted != capacity && wanted > left)
        {
            Segment next = _pool.Rent(wanted);
            _window.Array.AsSpan(start, left).CopyTo(next.Array);
            _pool.Return(_window);
            _window = next;
        }
        else if (start > 0)
        {
            _window.Array.AsSpan(start, left).CopyTo(_window.Array);
        }

        _end = left;
        return 0;
    }

    /// <summary>An idle link keeps no window: of many links most are idle.</summary>
    private void LetGoOfWindow()
    {
        if (_end == 0)
        {
            _frames.Feed([], 0, 0);
            _pool.Return(_window!);
            _window = null;
        }
    }

    private ValueTask Take(in Frame frame)
    {
        if (frame.Lane == Lane.Control)
        {
            TakeControl(frame);
            return default;
        }

        if (_goodbye)
        {
            throw new TransportException(TransportFault.FrameCorrupt, $"After Goodbye expected Ack or Pong only, came a frame of type {frame.Type} on lane {(int)frame.Lane}.");
        }

        ref Taken taken = ref _taken[(int)frame.Lane];
        taken.Bytes += FrameHeader.Size + frame.Length;
        taken.Packets += frame.More ? 0 : 1;
        PacketAssembly assembly = _assemblies[(int)frame.Lane];
        if (!frame.More && !assembly.IsOpen)
        {
            return Route(new RawPacket(frame.Type, frame.Lane, _window!.Array.AsMemory(frame.Offset, frame.Length)));
        }

        assembly.Append(frame.Type, _window!.Array.AsSpan(frame.Offset, frame.Length));
        return frame.More ? default : RouteAssembledAsync(assembly, frame.Type, frame.Lane);
    }

    private async ValueTask RouteAssembledAsync(PacketAssembly assembly, ushort type, Lane lane)
    {
        await Route(new RawPacket(type, lane, assembly.Body)).ConfigureAwait(false);
        assembly.Close();
    }

    private ValueTask Route(RawPacket packet)
    {
        (_recent ??= new RecentPackets()).Add(packet.Type, packet.Lane, packet.Encoded.Length, _lastFrame);
        PacketHandler? handler = Find(packet.Type);
        packet = handler is { ChecksBody: true } && _gate is null ? _tables.Attach(packet) : Check(packet);
        return _gate is null || TableTypes.IsOne(packet.Type) ? Handle(packet, handler) : Keep(packet, handler);
    }

    private ValueTask Handle(RawPacket packet, PacketHandler? handler)
    {
        int bytes = packet.Encoded.Length;
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
            ValueTask handling = HandlerFailed is null ? Invoke(taker, packet) : InvokeAndReportAsync(taker, packet);
            if (!handling.IsCompletedSuccessfully)
            {
                return FinishAsync(handling, bytes);
            }
        }

        Count(bytes);
        return default;
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
            throw new TransportException(malformed.Fault, $"Packet {(packet.Type == TableTypes.Strings ? "Strings" : "Maps")} ({packet.Type}): {malformed.Message}", malformed);
        }
    }

    private async ValueTask FinishAsync(ValueTask handling, int bytes)
    {
        await handling.ConfigureAwait(false);
        Count(bytes);
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
