using System;
using System.Collections.Generic;

namespace Transport;

/// <summary>The Types, Strings or Maps packets that go in front of the packet being written: whole frames, one packet each.</summary>
internal sealed class TablePackets(ushort type, Lane lane)
{
    /// <summary>What is kept from packet to packet; a first evaluation's thousand texts should not be paid forever.</summary>
    private const int MostKept = 16 << 10;

    private const int ArrayHeader = 3;
    private const int MostFixed = 15;

    private readonly List<(int Start, int Length)> _closed = [];
    private ArrayWriter? _bytes;
    private int _start;      // of the open frame's header
    private int _entries;    // in the open frame
    private int _length;     // of the closed frames

    /// <summary>Gets the frames, in their order; valid until <see cref="Clear"/>.</summary>
    public int Count => _closed.Count;

    public ReadOnlySpan<byte> this[int index] => _bytes!.Written.Slice(_closed[index].Start, _closed[index].Length);

    /// <summary>Adds an entry.</summary>
    /// <param name="id">Its id.</param>
    /// <param name="text">The text.</param>
    /// <param name="bytes">Its bytes in UTF-8; far less than a frame.</param>
    public void Add(int id, string text, int bytes)
    {
        Open(bytes);
        var writer = new PacketWriter(_bytes!);
        writer.WriteArrayHeader(2);
        writer.WriteInt(id);
        writer.WriteString(text);
        writer.Flush();
    }

    /// <summary>Adds an entry.</summary>
    /// <param name="id">Its id.</param>
    /// <param name="map">The whole map in MessagePack; far less than a frame.</param>
    public void Add(int id, ReadOnlySpan<byte> map)
    {
        Open(map.Length);
        var writer = new PacketWriter(_bytes!);
        writer.WriteArrayHeader(2);
        writer.WriteInt(id);
        writer.WriteRaw(map);
        writer.Flush();
    }

    /// <summary>Adds a packet type.</summary>
    public void Add(ushort type)
    {
        Open(0);
        var writer = new PacketWriter(_bytes!);
        writer.WriteInt(type);
        writer.Flush();
    }

    /// <summary>Ends the last frame.</summary>
    /// <returns>The bytes of all frames.</returns>
    public int Close()
    {
        if (_entries == 0)
        {
            return _length;
        }

        // A count of up to 15 takes 1 byte of the 3 that were left for it: the frame then begins later.
        int unused = _entries <= MostFixed ? ArrayHeader - 1 : 0;
        int start = _start + unused;
        Span<byte> frame = _bytes!.Written.Slice(start);
        FrameHeader.Write(frame, lane, more: false, type, frame.Length - FrameHeader.Size);
        if (unused > 0)
        {
            frame[FrameHeader.Size] = (byte)(MessagePackCode.FixArray | _entries);
        }
        else
        {
            frame[FrameHeader.Size] = MessagePackCode.Array16;
            frame[FrameHeader.Size + 1] = (byte)(_entries >> 8);
            frame[FrameHeader.Size + 2] = (byte)_entries;
        }

        _closed.Add((start, frame.Length));
        _entries = 0;
        return _length += frame.Length;
    }

    /// <summary>Forgets all frames.</summary>
    public void Clear()
    {
        if (_bytes is not null)
        {
            _bytes = _bytes.Array.Length > MostKept ? null : _bytes;
            _bytes?.Clear();
        }

        _closed.Clear();
        _entries = 0;
        _length = 0;
    }

    private void Open(int bytes)
    {
        const int Around = 12;   // the entry's own array header, its id and the text's header
        _bytes ??= new ArrayWriter(512);
        if (_entries > 0 && _bytes.Length - _start - FrameHeader.Size + bytes + Around > FrameHeader.MaxBody)
        {
            Close();
        }

        if (_entries == 0)
        {
            _start = _bytes.Length;
            _bytes.GetSpan(FrameHeader.Size + ArrayHeader);
            _bytes.Advance(FrameHeader.Size + ArrayHeader);
        }

        _entries++;
    }
}
