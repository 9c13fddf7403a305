using System;
using System.Buffers;
using System.Collections.Generic;

namespace Transport;

/// <summary>What one lane of a sender has put into its peer's tables, and what the packet being written adds. The lane's lock is
/// held.</summary>
internal sealed class SendTables(TableCaps caps, int maxBytes, int maxPacket, Lane lane) : TableSink
{
    private readonly TextTable? _texts = caps.Strings ? new TextTable(maxBytes, maxPacket, lane) : null;
    private readonly MapTable? _maps = caps.Maps ? new MapTable(maxBytes, lane) : null;
    private readonly TablePackets _types = new(TableTypes.Types, lane);
    private HashSet<ushort>? _announced;   // made with the first packet of an application
    private ushort _announcing;            // the type that the packet being written announces, or 0

    /// <summary>Gets the bytes that stand for the references of the packet being written, where it is written out.</summary>
    public long WrittenOut { get; private set; }

    /// <summary>Checks whether packets of a type that asks for it may refer to tables at all.</summary>
    public static bool Allow(TableCaps caps, ushort type) => (caps.Strings || caps.Maps)
        && (caps.Types || type < TableTypes.FirstAnnounced);

    /// <inheritdoc/>
    public override bool HasTexts => _texts is not null;

    /// <inheritdoc/>
    public override bool HasMaps => _maps is not null;

    /// <summary>Gets the bytes that the peer holds of this lane's texts and maps.</summary>
    public (long Texts, long Maps) Bytes => (_texts?.Bytes ?? 0, _maps?.Bytes ?? 0);

    /// <summary>Gets how many texts and maps the peer holds.</summary>
    public (int Texts, int Maps) Count => (_texts?.Count ?? 0, _maps?.Count ?? 0);

    /// <summary>Gets how many packets go in front of the one that was ended.</summary>
    public int Packets => _types.Packets + (_texts?.Packets.Packets ?? 0) + (_maps?.Packets.Packets ?? 0);

    /// <summary>Gets how many frames these are in.</summary>
    public int Frames => _types.Frames + (_texts?.Packets.Frames ?? 0) + (_maps?.Packets.Frames ?? 0);

    /// <summary>Begins a packet. One of an application's type is announced before the first of its type.</summary>
    /// <returns>False: too many types were announced, so it must not refer to anything.</returns>
    public bool Begin(ushort type)
    {
        WrittenOut = 0;
        if (type < TableTypes.FirstAnnounced || _announced?.Contains(type) is true)
        {
            return true;
        }

        _announced ??= [];
        if (_announced.Count == TableTypes.MaxTypes)
        {
            return false;
        }

        _announced.Add(type);
        _announcing = type;
        _types.Add(type);
        return true;
    }

    /// <summary>Ends the packet.</summary>
    /// <returns>How many bytes go in front of it.</returns>
    /// <exception cref="InvalidOperationException">The formatter left a map open.</exception>
    public int End()
    {
        if (_maps is { Scratch.IsOpen: true })
        {
            throw new InvalidOperationException(
                "The formatter began a map for the table and did not end it: call PacketWriter.EndTableMap after its last value.");
        }

        return _types.Close() + (_texts?.Packets.Close() ?? 0) + (_maps?.Packets.Close() ?? 0);
    }

    /// <summary>Returns one of the frames that go in front: types, then texts, then maps, because maps refer to texts.</summary>
    public ReadOnlySpan<byte> Frame(int index)
    {
        if (index < _types.Frames)
        {
            return _types[index];
        }

        index -= _types.Frames;
        int texts = _texts?.Packets.Frames ?? 0;
        return index < texts ? _texts!.Packets[index] : _maps!.Packets[index - texts];
    }

    /// <summary>Keeps what the packet added: it and what goes in front of it are on their way.</summary>
    public void Commit()
    {
        _texts?.Commit();
        _maps?.Commit();
        EndAnnouncing();
    }

    /// <summary>Forgets what the packet added, as if it had never been.</summary>
    public void Rollback()
    {
        _maps?.Scratch.Close();
        _texts?.Rollback();
        _maps?.Rollback();
        _announced?.Remove(_announcing);
        EndAnnouncing();
    }

    /// <inheritdoc/>
    public override int IdOf(ReadOnlySpan<char> text, string? whole, bool mayBeUnique)
    {
        int id = _texts is null ? -1 : _texts.IdOf(text, whole, mayBeUnique);
        WrittenOut += id < 0 ? 0 : _texts!.SizeOf(id);
        return id;
    }

    /// <inheritdoc/>
    public override IBufferWriter<byte> BeginMap(IBufferWriter<byte> behind)
    {
        _maps!.Scratch.Open(behind);
        return _maps.Scratch;
    }

    /// <inheritdoc/>
    public override int EndMap(bool mayBeUnique, out ReadOnlySpan<byte> map)
    {
        _maps!.Scratch.Close();
        map = _maps.Scratch.Map;
        int id = map.IsEmpty ? -1 : _maps.IdOf(map, mayBeUnique);
        WrittenOut += id < 0 ? 0 : map.Length;   // its texts were counted when they were written
        return id;
    }

    private void EndAnnouncing()
    {
        if (_announcing != 0)
        {
            _announcing = 0;
            _types.Clear();
        }
    }
}
