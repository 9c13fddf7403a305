using System;

namespace Transport;

/// <content>The crash-surviving tail: what is committed is copied there first.</content>
internal sealed partial class FrameWriter
{
    /// <summary>Gets how many packets of the tables go in front of the packet that was ended. Before <see cref="Commit"/>.</summary>
    public int TablePackets => _mayRefer ? _tables!.Packets : 0;

    /// <summary>Copies the packet that was ended, with what its tables put in front of it, as it will be written; a control frame in front is no part of it. Before <see cref="Commit"/>: sealed segments may be gone at once.</summary>
    public void Record(TailLane tail, int packets)
    {
        packets += TablePackets;
        long length = _at - _packetStart - _prefix;
        foreach (Segment segment in _full)
        {
            length += segment.Used;
        }

        if (!tail.Begin(length, packets))
        {
            return;
        }

        int skip = _packetStart + _prefix;
        for (int i = 0; i <= _full.Count; i++)
        {
            Segment segment = i < _full.Count ? _full[i] : _open!;
            int used = i < _full.Count ? segment.Used : _at;
            int from = Math.Min(skip, used);
            skip -= from;
            tail.Append(segment.Array, from, used - from);
        }

        tail.Complete();
    }
}
