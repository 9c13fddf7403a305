using System;
using System.Collections.Generic;

namespace Transport;

/// <summary>What a lane that spills has written and the peer has not acknowledged, segment by segment; at the link's end also what was never written. It stays in the byte budget, and can be sent again by another link.</summary>
/// <remarks>Added to by the link's one writer, released by what comes first: the Ack, or the note that the write which it answers has completed. Safe from any thread.</remarks>
internal sealed class HeldSegments
{
    private readonly object _gate = new();
    private readonly Queue<Held> _held = new();
    private readonly List<Held> _open = [];   // of these the last packet goes on in a later segment
    private long _acknowledgedPackets;
    private SpillNumber _acknowledged;
    private SpillNumber _begun;               // of the packet that goes on in the next segment
    private bool _inside;
    private long _bytes;

    /// <summary>What becomes of each packet that is taken out; the bytes are valid during the call.</summary>
    public delegate void Visitor(ushort type, ReadOnlySpan<byte> body);

    /// <summary>Gets the bytes of what was written and is not acknowledged.</summary>
    public long Bytes => System.Threading.Volatile.Read(ref _bytes);

    /// <summary>Gets the number up to which packets are acknowledged.</summary>
    public SpillNumber Acknowledged
    {
        get
        {
            lock (_gate)
            {
                return _acknowledged;
            }
        }
    }

    /// <summary>Holds a segment whose write has completed.</summary>
    /// <param name="segment">The segment; owned from here on.</param>
    /// <param name="upTo">How many packets the link has written with it, all lanes together.</param>
    /// <param name="release">Gets what need not be held any more.</param>
    /// <returns>Whether something was released.</returns>
    public bool Add(Segment segment, long upTo, Action<Segment> release)
    {
        lock (_gate)
        {
            var held = new Held(segment, _inside) { Needs = upTo };
            if (_open.Count > 0 && segment.PacketsEnding > 0)
            {
                // The packet that was open is the first of those that end in here.
                _open.ForEach(h => h.Needs = upTo - segment.PacketsEnding + 1);
                _open.Clear();
            }

            held.Last = Walk(segment);
            if (_inside)
            {
                held.Needs = long.MaxValue;
                _open.Add(held);
            }

            _held.Enqueue(held);
            _bytes += segment.Used;
            return Release(release);
        }
    }

    /// <summary>Holds a segment that was not written, or not whole: the link has ended.</summary>
    public void AddUnwritten(Segment segment)
    {
        lock (_gate)
        {
            var held = new Held(segment, _inside) { Needs = long.MaxValue };
            Walk(segment);
            _held.Enqueue(held);
        }
    }

    /// <summary>Lets go of what the peer has acknowledged.</summary>
    /// <param name="packets">So many packets of the link, all lanes together.</param>
    /// <param name="release">Gets what need not be held any more.</param>
    /// <returns>Whether something was released.</returns>
    public bool Acknowledge(long packets, Action<Segment> release)
    {
        lock (_gate)
        {
            _acknowledgedPackets = Math.Max(_acknowledgedPackets, packets);
            return Release(release);
        }
    }

    /// <summary>Takes out all that is still held, in order, once the link has ended.</summary>
    /// <param name="visit">Gets each packet.</param>
    /// <param name="giveBack">Gets each segment when its packets were visited.</param>
    public void TakeAll(Visitor visit, Action<Segment> giveBack)
    {
        lock (_gate)
        {
            var parts = new ArrayWriter(0);
            bool skip = _held.Count > 0 && _held.Peek().BeginsInside;   // that packet is acknowledged: else what it began in would be here
            while (_held.Count > 0)
            {
                Segment segment = _held.Dequeue().Segment;
                Visit(segment, parts, ref skip, visit);
                giveBack(segment);
            }

            _open.Clear();
            _bytes = 0;
        }
    }

    private static void Visit(Segment segment, ArrayWriter parts, ref bool skip, Visitor visit)
    {
        for (int at = 0; at < segment.Used;)
        {
            FrameHeader header = HeaderAt(segment, at);
            ReadOnlySpan<byte> body = segment.Array.AsSpan(at + FrameHeader.Size, header.Length);
            at += FrameHeader.Size + header.Length;
            if (header.Lane == Lane.Control)
            {
                continue;
            }

            if (skip)
            {
                skip = header.More;
            }
            else if (!header.More && parts.Length == 0)
            {
                visit(header.Type, body);
            }
            else
            {
                body.CopyTo(parts.GetSpan(body.Length));
                parts.Advance(body.Length);
                if (!header.More)
                {
                    visit(header.Type, parts.Written);
                    parts.Clear();
                }
            }
        }
    }

    private static FrameHeader HeaderAt(Segment segment, int at)
    {
        FrameHeaderState state = FrameHeader.Parse(segment.Array.AsSpan(at, segment.Used - at), out FrameHeader header, out string problem);
        return state == FrameHeaderState.Ok ? header : throw new InvalidOperationException($"A segment of this side's own holds no frame at {at}: {problem}");
    }

    private bool Release(Action<Segment> release)
    {
        bool any = false;
        while (_held.Count > 0 && _held.Peek().Needs <= _acknowledgedPackets)
        {
            Held held = _held.Dequeue();
            _acknowledged = held.Last.IsAny ? held.Last : _acknowledged;
            _bytes -= held.Segment.Used;
            release(held.Segment);
            any = true;
        }

        return any;
    }

    /// <summary>Finds out whether a segment ends inside of a packet, and the number of the last packet that ends in it.</summary>
    private SpillNumber Walk(Segment segment)
    {
        int lastAt = -1, lastLength = 0;
        SpillNumber last = default;
        for (int at = 0; at < segment.Used;)
        {
            FrameHeader header = HeaderAt(segment, at);
            int body = at + FrameHeader.Size;
            at = body + header.Length;
            if (header.Lane == Lane.Control)
            {
                continue;
            }

            if (!_inside && header.More)
            {
                _begun = header.Type == SpillPacket.Type ? SpillPacket.NumberOf(segment.Array.AsSpan(body, header.Length)) : default;
            }
            else if (!_inside && header.Type == SpillPacket.Type)
            {
                (lastAt, lastLength) = (body, header.Length);
            }
            else if (_inside && !header.More && _begun.IsAny)
            {
                (last, lastAt) = (_begun, -1);
            }

            _inside = header.More;
        }

        return lastAt >= 0 ? SpillPacket.NumberOf(segment.Array.AsSpan(lastAt, lastLength)) : last;
    }

    /// <summary>One segment.</summary>
    private sealed class Held(Segment segment, bool beginsInside)
    {
        public Segment Segment { get; } = segment;

        /// <summary>Gets a value indicating whether its first frame goes on with a packet of the segment before.</summary>
        public bool BeginsInside { get; } = beginsInside;

        /// <summary>Gets or sets how many packets must be acknowledged before nothing in it is needed.</summary>
        public long Needs { get; set; }

        /// <summary>Gets or sets the number of the last spilled packet that ends in it.</summary>
        public SpillNumber Last { get; set; }
    }
}
