using System;
using System.Buffers;
using System.Collections.Generic;
using System.Linq;
using Transport.Testing.Buffers;
using Transport.Testing.Sending;

namespace Transport.Testing.Links;

/// <summary>One lane from a formatter to the handler, without a wire: what is committed is cut into frames and read at once.</summary>
internal sealed class TableLane : IDisposable
{
    private readonly AccusingPool _pool = new();
    private readonly LaneSegments _segments;
    private readonly DropLedger _drops = new(Lane.Normal);
    private readonly FrameWriter _writer;
    private readonly PacketTables _tables;

    public TableLane(bool strings = true, bool maps = true, int maxBytes = 4 << 20, int maxPacket = 16 << 20, bool types = true)
    {
        var caps = new TableCaps(strings, maps, types);
        _tables = new PacketTables(Lane.Normal, caps, maxBytes, maxPacket);
        _segments = new LaneSegments(_pool);
        _writer = new FrameWriter(_pool, Lane.Normal, _segments, _drops, _tables);
        Receiver = new LaneTables(caps, maxPacket);
    }

    public LaneTables Receiver { get; }

    public SendTables? Tables => _tables.All;

    /// <summary>Gets the types of all packets, in order, those of the tables too.</summary>
    public List<int> Types { get; } = [];

    /// <summary>Gets what arrived.</summary>
    public List<Words> Came { get; } = [];

    /// <summary>Gets what the bodies of the packets that arrived say once they are written out.</summary>
    public List<Words> WrittenOut { get; } = [];

    /// <summary>Gets the body of the last packet as it came, and written out.</summary>
    public (byte[] Encoded, byte[] Body) Last { get; private set; }

    /// <summary>Gets how many packets the segments said they end.</summary>
    public int Counted { get; private set; }

    /// <summary>Sends a packet.</summary>
    /// <param name="packet">The packet; one of the text "throw" makes its formatter throw.</param>
    /// <param name="full">There is no capacity: it is rolled back once it is written.</param>
    /// <param name="type">Its type.</param>
    /// <param name="dropped">The lane has dropped something before.</param>
    /// <returns>The bytes that it takes, with all that goes in front of it.</returns>
    public long Send(Words packet, bool full = false, PacketType<Words>? type = null, bool dropped = false)
    {
        type ??= Words.Type;
        if (dropped)
        {
            _drops.Add(PacketLevel.None, bytes: 9);
        }

        try
        {
            _writer.Begin(type.Id, 64 << 20, type.UsesTables);
            type.Formatter.Write(_writer, packet);
            _writer.TryEnd(full ? Asks.InVain : Asks.Granted, out long size);
            return size;
        }
        catch
        {
            _writer.Rollback();
            throw;
        }
    }

    /// <summary>Lets all that was committed arrive.</summary>
    /// <returns>The bytes on the wire.</returns>
    public long Receive()
    {
        var bytes = new List<byte>();
        while ((_segments.TryTakeFull(out Segment? full) ? full : _segments.TakeOpen()) is { } segment)
        {
            bytes.AddRange(segment.Array.Take(segment.Used));
            Counted += segment.PacketsEnding;
            _pool.Return(segment);
        }

        var parts = new List<byte>();
        foreach (RawFrame frame in RawFrame.ParseAll([.. bytes]))
        {
            parts.AddRange(frame.Body);
            if (!frame.HasMore)
            {
                Take(frame, [.. parts]);
                parts.Clear();
            }
        }

        return bytes.Count;
    }

    public void Dispose()
    {
        _writer.Discard();
        _pool.Judge("the lane");
    }

    private void Take(RawFrame frame, byte[] body)
    {
        Types.Add(frame.Type);
        if (frame.Lane == 0)
        {
            return;
        }

        RawPacket packet = Receiver.Checked(new RawPacket((ushort)frame.Type, (Lane)frame.Lane, body));
        if (TableTypes.IsOne(packet.Type))
        {
            Receiver.Take(packet);
            return;
        }

        Came.Add(packet.Read(Words.Type));
        WrittenOut.Add(Words.Type.Formatter.Read(new ReadOnlySequence<byte>(packet.ToArray())));
        Last = (packet.Encoded.ToArray(), packet.Body.ToArray());
    }
}
