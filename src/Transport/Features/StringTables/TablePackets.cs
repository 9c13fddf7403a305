using System;
using System.Collections.Generic;

namespace Transport;

/// <summary>The Types, Strings or Maps packets that go in front of the packet being written, as whole frames.</summary>
/// <remarks>A packet is one frame, unless its only entry is a text that is longer.</remarks>
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

    /// <summary>Gets how many packets there are.</summary>
    public int Packets { get; private set; }

    /// <summary>Gets how many frames they are in.</summary>
    public int Frames => _closed.Count;

    /// <summary>Gets a frame; valid until <see cref="Clear"/>.</summary>
    public ReadOnlySpan<byte> this[int index] => _bytes!.Written.Slice(_closed[index].Start, _closed[index].Length);

    /// <summary>Adds an entry.</summary>
    /// <param name="id">Its id.</param>
    /// <param name="text">The text.</param>
    /// <param name="bytes">Its bytes in UTF-8.</param>
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
        Span<byte> body = _bytes!.Written.Slice(start + FrameHeader.Size);
        if (unused > 0)
        {
            body[0] = (byte)(MessagePackCode.FixArray | _entries);
        }
        else
        {
            body[0] = MessagePackCode.Array16;
            body[1] = (byte)(_entries >> 8);
            body[2] = (byte)_entries;
        }

        _length += CloseFrames(start, body.Length);
        Packets++;
        _entries = 0;
        return _length;
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
        (_entries, _length, Packets) = (0, 0, 0);
    }

    /// <summary>Writes the headers of a body's frames, the last frame first: what follows a header that was not thought of moves.</summary>
    /// <returns>The bytes of its frames.</returns>
    private int CloseFrames(int start, int body)
    {
        const int Whole = FrameHeader.Size + FrameHeader.MaxBody;
        int more = (body - 1) / FrameHeader.MaxBody, first = _closed.Count;
        _bytes!.GetSpan(more * FrameHeader.Size);
        _bytes.Advance(more * FrameHeader.Size);
        Span<byte> frames = _bytes.Written.Slice(start);
        for (int i = more; i >= 0; i--)
        {
            int length = Math.Min(FrameHeader.MaxBody, body - (i * FrameHeader.MaxBody));
            Span<byte> frame = frames.Slice(i * Whole, FrameHeader.Size + length);
            frames.Slice(FrameHeader.Size + (i * FrameHeader.MaxBody), length).CopyTo(frame.Slice(FrameHeader.Size));
            FrameHeader.Write(frame, lane, more: i < more, type, length);
            _closed.Insert(first, (start + (i * Whole), frame.Length));
        }

        return frames.Length;
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
