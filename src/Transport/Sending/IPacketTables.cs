using System;
using System.Collections.Generic;

namespace Transport;

/// <summary>The tables of a lane, as its <see cref="FrameWriter"/> uses them: what a packet adds to them goes in front of it, and goes or
/// stays with it. The lane's lock is held.</summary>
internal interface IPacketTables
{
    /// <summary>Gets the tables, if the packet being written may refer to them.</summary>
    TableSink? Current { get; }

    /// <summary>Gets how many packets go in front of the packet that was ended. Before <see cref="Commit"/>.</summary>
    int Packets { get; }

    /// <summary>Gets the bytes that stand for the references of the packet being written, where it is written out.</summary>
    long WrittenOut { get; }

    /// <summary>Begins a packet whose type asks for the tables.</summary>
    /// <param name="type">Its type.</param>
    void Begin(ushort type);

    /// <summary>Ends the packet.</summary>
    /// <returns>How many bytes go in front of it.</returns>
    int End();

    /// <summary>Writes the frames that go in front of the packet that was ended.</summary>
    void CopyTo(Span<byte> to);

    /// <summary>Writes the frames that go in front into segments of their own.</summary>
    /// <param name="pool">Gives the segments.</param>
    /// <param name="segments">Gets them; its owner owns them from then on.</param>
    /// <param name="index">Where they go in it.</param>
    /// <param name="bytes">How many bytes the frames have.</param>
    void Insert(SegmentPool pool, List<Segment> segments, int index, int bytes);

    /// <summary>Keeps what the packet added.</summary>
    void Commit();

    /// <summary>Forgets what the packet added; also if its <see cref="Begin"/> threw.</summary>
    void Rollback();

    /// <summary>Forgets everything: the lane takes nothing any more.</summary>
    void Discard();
}
