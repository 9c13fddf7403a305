using System;
using System.Collections.Generic;

namespace Transport;

/// <summary>What the peer has put into this side's tables of one lane. The receive loop's; bounded whatever the peer sends.</summary>
/// <param name="maxPacket">The most bytes of a packet.</param>
internal sealed class ReceiveTables(int maxPacket) : TableSource
{
    /// <summary>The most bytes of maps that are kept written out.</summary>
    private const int MostWrittenOut = 4 << 20;

    private readonly PagedSlots<string> _texts = new();
    private readonly PagedSlots<TableMap> _maps = new();
    private ArrayWriter _map = new();
    private readonly List<string> _mapTexts = [];
    private HashSet<ushort>? _types;
    private long _copied;   // bytes of maps that the packet being read has read anew
    private long _textBytes;
    private long _mapBytes;
    private long _writtenOut;

    /// <summary>Gets how many texts and maps are set, and their bytes.</summary>
    public (int Texts, long TextBytes, int Maps, long MapBytes) Held => (_texts.Count, _textBytes, _maps.Count, _mapBytes);

    /// <summary>Gets the bytes of maps that are kept written out.</summary>
    public long WrittenOutBytes => _writtenOut;

    public override string? TextOf(uint id) => _texts[id];

    public override TableMap? MapOf(uint id) => _maps[id];

    /// <summary>Begins to read a packet.</summary>
    public void BeginReading() => _copied = 0;

    /// <inheritdoc/>
    public override TableMap MapToCopy(int offset, in TableRef reference)
    {
        TableMap map = MapAt(offset, reference);
        _copied += map.Body.Length;
        return _copied <= maxPacket
            ? map
            : throw MessagePackFault.Wrong(offset, $"maps of the link's table of at most {maxPacket} bytes in one packet", "more");
    }

    /// <summary>Takes the body of Strings: an array of <c>[id, text]</c>.</summary>
    /// <exception cref="TransportException"><see cref="TransportFault.PacketMalformed"/>: another shape, or more than a table may
    /// hold.</exception>
    public void TakeStrings(ReadOnlySpan<byte> body)
    {
        var reader = new PacketReader(body);
        for (int left = reader.ReadArrayHeader(); left > 0; left--)
        {
            int fields = reader.ReadArrayHeader(atLeast: 2);
            uint id = reader.ReadUInt32();
            int at = reader.Consumed;
            ReadOnlySpan<byte> utf8 = reader.ReadUtf8();
            if (!Utf8.TryDecode(utf8, out string text))
            {
                throw MessagePackFault.Wrong(at, "a string in UTF-8", $"{utf8.Length} bytes that are not");
            }

            reader.Skip(fields - 2);
            string? before = _texts.Set(id, text);
            _textBytes += utf8.Length - (before is null ? 0 : Utf8.Count(before.AsSpan()));
            ExpectCapacity(at, _texts.Count, _textBytes);
        }
    }

    /// <summary>Takes the body of Maps: an array of <c>[id, map]</c>, whose texts may refer to the string table.</summary>
    /// <exception cref="TransportException"><see cref="TransportFault.PacketMalformed"/>: another shape, a reference to an id never set, or
    /// more than a table may hold.</exception>
    public void TakeMaps(ReadOnlySpan<byte> body)
    {
        var reader = new PacketReader(body);
        for (int left = reader.ReadArrayHeader(); left > 0; left--)
        {
            int fields = reader.ReadArrayHeader(atLeast: 2);
            uint id = reader.ReadUInt32();
            int at = reader.Consumed;
            if (reader.PeekKind() != PacketValueKind.Map)
            {
                throw MessagePackFault.Unexpected(body, at, "a map");
            }

            TableMap map = Localize(reader.ReadRaw(), at);
            reader.Skip(fields - 2);
            TableMap? before = _maps.Set(id, map);
            _mapBytes += map.WireBytes - (before?.WireBytes ?? 0);
            _writtenOut -= before?.WrittenOut?.Length ?? 0;
            ExpectCapacity(at, _maps.Count, _mapBytes);
        }
    }

    /// <summary>Checks whether packets of a type refer to these tables, because the peer has announced it.</summary>
    public bool IsAnnounced(ushort type) => _types?.Contains(type) is true;

    /// <summary>Takes the body of Types: an array of packet types.</summary>
    /// <exception cref="TransportException"><see cref="TransportFault.PacketMalformed"/>: another shape, not an application's type,
    /// one for the second time, or too many.</exception>
    public void TakeTypes(ReadOnlySpan<byte> body)
    {
        var reader = new PacketReader(body);
        for (int left = reader.ReadArrayHeader(); left > 0; left--)
        {
            int at = reader.Consumed;
            uint type = reader.ReadUInt32();
            if (type is < TableTypes.FirstAnnounced or > ushort.MaxValue)
            {
                throw MessagePackFault.Wrong(at, $"a packet type of {TableTypes.FirstAnnounced} to {ushort.MaxValue}", $"{type}");
            }

            _types ??= [];
            if (!_types.Add((ushort)type))
            {
                throw MessagePackFault.Wrong(at, "a packet type that was not announced before in this lane", $"{type}");
            }

            if (_types.Count > TableTypes.MaxTypes)
            {
                string expected = $"at most {TableTypes.MaxTypes} announced packet types in a lane";
                throw MessagePackFault.Wrong(at, expected, $"type {type} as one more");
            }
        }
    }

    /// <summary>Keeps a map as it is written out, if there is capacity for that: packets that are kept or forwarded bring the same maps
    /// again and again.</summary>
    public void TryKeep(TableMap map, ReadOnlySpan<byte> writtenOut)
    {
        if (_writtenOut + writtenOut.Length <= MostWrittenOut)
        {
            _writtenOut += writtenOut.Length;
            map.WrittenOut = writtenOut.ToArray();
        }
    }

    private static void ExpectCapacity(int at, int count, long bytes)
    {
        if (count > TableTypes.MaxIds || bytes > TableTypes.MaxBytes)
        {
            throw MessagePackFault.Wrong(
                at, $"a table of at most {TableTypes.MaxIds} ids and {TableTypes.MaxBytes} bytes", $"entry {count}, byte {bytes}");
        }
    }

    /// <summary>Copies a map, its references changed to texts of its own: the ids may be set again while the map lives on.</summary>
    private TableMap Localize(ReadOnlySpan<byte> map, int offset)
    {
        const int MostKept = 64 << 10;
        _map = _map.Array.Length > MostKept ? new ArrayWriter() : _map;
        _map.Clear();
        _mapTexts.Clear();
        var writer = new PacketWriter(_map);
        int copied = 0;
        for (int at = 0; at < map.Length;)
        {
            int end = MessagePackValue.EndOfToken(map, at);
            if (TableRef.TryRead(map, at, out TableRef reference))
            {
                string? text = reference.Type == TableRef.String && reference.Size > 0 ? _texts[reference.Id] : null;
                if (text is null)
                {
                    throw Unset(offset + at, reference);
                }

                writer.WriteRaw(map.Slice(copied, at - copied));
                writer.WriteRef(TableRef.String, (uint)_mapTexts.Count);
                _mapTexts.Add(text);
                copied = end;
            }

            at = end;
        }

        writer.WriteRaw(map.Slice(copied));
        writer.Flush();
        return new TableMap(_map.Written.ToArray(), [.. _mapTexts], map.Length);
    }
}
