using System;
using System.IO;
using System.Threading.Tasks;

namespace Transport;

/// <summary>The one reader of a link: reads into a rented window, cuts frames out of it without copying, and has each packet handled before
/// the next.</summary>
/// <remarks>Runs on the link's receive thread; handlers run on it too. Other threads look at <see cref="Progress"/> and stop it.</remarks>
internal sealed class ReceivePump
{
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
    private readonly FrameReader _frames = new();
    private long _frameCame;         // when the frames at hand came
    private volatile bool _stopped;   // set once, by the thread that ends the link; the receive thread looks before each packet

    public ReceivePump(IWire wire, SegmentPool pool, IReceiveSink sink, LinkCounters counters, TimeProvider clock, PacketDispatcher packets)
    {
        _wire = wire;
        _pool = pool;
        _sink = sink;
        _counters = counters;
        Packets = packets;
        Progress = new ReceiveProgress(clock);
    }

    /// <summary>Gets what takes the packets.</summary>
    public PacketDispatcher Packets { get; }

    /// <summary>Gets where reading stands. Any thread.</summary>
    public ReceiveProgress Progress { get; }

    /// <summary>Gets what hears of all that comes but packets.</summary>
    public IReceiveSink Sink => _sink;

    /// <summary>Gets a value indicating whether no further packet reaches a handler. Any thread.</summary>
    public bool IsStopped => _stopped;

    /// <summary>Lets no further packet reach a handler or a loop's channel. Any thread. What ends the pump is the wire.</summary>
    public void Stop()
    {
        _stopped = true;
        if (Packets.Unread is not { Count: > 0 })
        {
            LetGo();
        }
    }

    /// <summary>Waits no longer for handlers and loops: their token is cancelled, and loops step over what they have not taken. Behind
    /// <see cref="Stop"/>.</summary>
    public void LetGo()
    {
        Packets.Unread?.Close();
        Packets.Context?.End();
    }

    /// <summary>Reads to the end of the stream, and then what the peer's tail adds to it. Once, on the receive thread.</summary>
    /// <param name="leftover">What the handshake had read too much.</param>
    /// <param name="remainder">What goes on if the stream of an exited peer has ended early; null: nothing.</param>
    /// <exception cref="TransportException">A fault of the bytes or of a handler; valid packets before it are handled.</exception>
    public void Run(byte[] leftover, IReplay? remainder = null)
    {
        Progress.Begin();
        var window = new ReceiveWindow(_pool, leftover);
        try
        {
            if (IsReplayedAtEnd(window))
            {
                Packets.StopReporting();
                Progress.StreamEnded();
                remainder?.Run(this);
            }
        }
        finally
        {
            Progress.End();
            Packets.Close();
            window.Return();
        }
    }

    /// <summary>Takes the frames of one lane after the stream; on the receive thread.</summary>
    /// <param name="bytes">The lane's next bytes.</param>
    /// <param name="lane">The lane.</param>
    /// <returns>What was wrong with them; null if nothing. It ends the lane's replay, not the link, which has ended.</returns>
    public string? Replay(byte[] bytes, Lane lane)
    {
        var frames = new FrameReader();
        frames.Feed(bytes, 0, bytes.Length);
        try
        {
            while (!_stopped && frames.TryRead(out Frame frame))
            {
                if (frame.Lane != lane)
                {
                    return $"a frame of lane {(int)frame.Lane} stands in the ring of lane {(int)lane}";
                }

                Packets.Take(frame, bytes, _frameCame);
            }

            return frames.InsideFrame && !_stopped ? $"its ring of lane {(int)lane} ends inside a frame" : null;
        }
        catch (TransportException fault) when (fault.Fault != TransportFault.HandlerFailed)
        {
            return fault.Message;
        }
    }

    /// <summary>Reads to the end of the stream, and reports it.</summary>
    /// <returns>Whether what remains goes on.</returns>
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
            _frames.Feed(window.Array, 0, window.End);
            TakeFrames(window.Array);
            if (_stopped)
            {
                return false;   // what would still be read would only make capacity for more that nobody handles
            }

            window.Keep(_frames.Start);
            int count = Read(window, emptied);
            if (count == 0)
            {
                return window.End > 0 || Packets.IsInsidePacket;
            }

            _counters.Read(count);
            ByteMoves.Note("4 packet: recv, copied by the kernel", count, count);
            window.Add(count);
            emptied = window.Capacity > 0;
        }
    }

    private void TakeFrames(byte[] bytes)
    {
        bool any = false;
        while (!_stopped && _frames.TryRead(out Frame frame))
        {
            if (!any)
            {
                any = true;
                _frameCame = Progress.FrameCame();
            }

            if (Packets.Take(frame, bytes, _frameCame))
            {
                _frameCame = Progress.FrameCame();
            }
        }
    }

    private int Read(ReceiveWindow window, bool isDry)
    {
        Progress.ReadBegins(isDry);

        // With nothing to report or to give back, a time would only wake this thread for nothing.
        int patience = Packets.IsReported && window.IsSmall ? 0 : Patience;
        int count = _wire.Read(window.Array, window.End, window.Capacity, patience);
        if (count >= 0)
        {
            return count;
        }

        window.Shrink();
        if (Packets.HasStore)
        {
            Progress.ReportBegins();
            Packets.ReportHandled();   // the store may block in its call
            Progress.ReportEnds();
            Progress.WaitBegins();
        }
        else
        {
            Progress.WaitBegins();
            Packets.ReportHandled();
        }

        try
        {
            return _wire.Read(window.Array, window.End, window.Capacity, NoLimit);
        }
        finally
        {
            Progress.WaitEnds();   // before what has come is taken; also if the wire broke: the replay of the peer's tail is work
        }
    }
}
