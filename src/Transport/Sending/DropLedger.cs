using System;
using System.Collections.Generic;

namespace Transport;

/// <summary>Counts what a lane gave up, and how much of that the peer has not been told yet. Under the lane's lock, but for
/// <see cref="Sum"/>.</summary>
internal sealed class DropLedger(Lane lane)
{
    /// <summary>How many levels are counted: <see cref="PacketLevel.None"/> is the last.</summary>
    public const int Levels = (int)PacketLevel.None + 1;

    private readonly object _sumLock = new();   // over _all; the last that is taken: a formatter, which holds its lane's, may ask for sums
    private long[]? _all;                       // both made with the first drop
    private long[]? _unreported;
    private long _untoldBytes;
    private ArrayWriter? _frame;

    /// <summary>Gets a value indicating whether the peer does not know everything yet.</summary>
    public bool HasUnreported { get; private set; }

    /// <summary>Counts packets.</summary>
    /// <param name="level">Their log level; one that has no name counts as <see cref="PacketLevel.None"/>.</param>
    /// <param name="bytes">Their bytes, 0 if they were never serialized.</param>
    /// <param name="packets">How many.</param>
    public void Add(PacketLevel level, long bytes, long packets = 1)
    {
        int index = (int)(level is >= PacketLevel.Trace and < PacketLevel.None ? level : PacketLevel.None);
        _unreported ??= new long[Levels];
        lock (_sumLock)
        {
            _all ??= new long[Levels];
            _all[index] += packets;
        }

        _unreported[index] += packets;
        _untoldBytes += bytes;
        HasUnreported = true;
    }

    /// <summary>Makes the whole frame of Dropped (PROTOCOL.md) for what is unreported.</summary>
    /// <returns>The frame; valid until the next call.</returns>
    public ReadOnlySpan<byte> Frame()
    {
        _frame ??= new ArrayWriter(192);
        _frame.Clear();
        _frame.GetSpan(FrameHeader.Size);
        _frame.Advance(FrameHeader.Size);
        ControlBody.WriteDropped(_frame, lane, _untoldBytes, _unreported!);
        FrameHeader.Write(_frame.Written, Lane.Control, more: false, ControlType.Dropped, _frame.Length - FrameHeader.Size);
        return _frame.Written;
    }

    /// <summary>Forgets what was unreported: the frame is in the queue.</summary>
    public void MarkReported()
    {
        Array.Clear(_unreported!, 0, Levels);
        _untoldBytes = 0;
        HasUnreported = false;
    }

    /// <summary>Adds up what several lanes have dropped. Without their locks: a formatter, which holds one, may ask too.</summary>
    public static (long Packets, IReadOnlyDictionary<PacketLevel, long> ByLevel) Sum(IEnumerable<DropLedger> lanes)
    {
        var byLevel = new SortedDictionary<PacketLevel, long>();
        long packets = 0;
        foreach (DropLedger lane in lanes)
        {
            packets += lane.AddTo(byLevel);
        }

        return (packets, byLevel);
    }

    /// <summary>Adds what was dropped in all to a sum by level.</summary>
    /// <returns>How many packets that is.</returns>
    private long AddTo(IDictionary<PacketLevel, long> sum)
    {
        long packets = 0;
        lock (_sumLock)
        {
            for (PacketLevel level = PacketLevel.Trace; _all is not null && level <= PacketLevel.None; level++)
            {
                long dropped = _all[(int)level];
                packets += dropped;
                if (dropped > 0)
                {
                    sum[level] = (sum.TryGetValue(level, out long before) ? before : 0) + dropped;
                }
            }
        }

        return packets;
    }
}
