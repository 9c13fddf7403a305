using System;
using System.Buffers;
using System.Text;

namespace Transport;

/// <summary>Reads a map from its header on.</summary>
/// <typeparam name="T">What is made of it.</typeparam>
/// <param name="reader">Stands before the map, or nil.</param>
/// <returns>What was made.</returns>
public delegate T MapReader<out T>(ref MessagePackReader reader);

/// <content>Texts and maps that stand in a table of the link's (PROTOCOL.md, "Log packets").</content>
public ref partial struct MessagePackReader
{
    private MessagePackReader(ReadOnlySpan<byte> data, TableSource? tables)
        : this(data) => _tables = tables;

    /// <summary>Reads a map that may stand in the link's table: then it is read for the first packet that refers to it, and the others share what was made of it.</summary>
    /// <typeparam name="T">What is made of it: must never change, because packets share it.</typeparam>
    /// <param name="read">Reads the map. Give the same method each time, and one that depends on nothing else.</param>
    /// <returns>What <paramref name="read"/> made, now or before.</returns>
    /// <exception cref="TransportException"><see cref="TransportFault.PacketMalformed"/>, also from <paramref name="read"/>.</exception>
    public T ReadTableMap<T>(MapReader<T> read)
        where T : class?
    {
        if (read is null)
        {
            throw new ArgumentNullException(nameof(read));
        }

        if (!IsRef(TableTypes.MapRef, out TableRef reference))
        {
            return read(ref this);
        }

        TableMap map = _tables!.MapOf(reference.Id) ?? throw TableSource.Unset(_position, reference);
        if (map.Made is not T made)
        {
            var inside = new MessagePackReader(map.Body, map);
            made = read(ref inside);
            map.Made = made;
        }

        _position += reference.Size;
        return made;
    }

    private static TableSource? TablesOf(in ReadOnlySequence<byte> data) => (data.Start.GetObject() as TablePacket)?.Tables;

    /// <summary>Says whether a reference is next. Without tables none is: the extension is then whatever the packet's shape says.</summary>
    private readonly bool IsRef(sbyte type, out TableRef reference)
    {
        reference = default;
        if (_tables is null || (uint)_position >= (uint)_data.Length)
        {
            return false;
        }

        byte code = _data[_position];
        if (code is not ((>= MessagePackCode.FixExt1 and <= MessagePackCode.FixExt16) or (>= MessagePackCode.Ext8 and <= MessagePackCode.Ext32)))
        {
            return false;
        }

        if (MessagePackValue.EndOfToken(_data, _position) < 0 || !TableRef.TryRead(_data, _position, out reference) || reference.Type != type)
        {
            return false;
        }

        return reference.Size > 0 ? true : throw TableSource.Unset(_position, reference);
    }

    private string ReadRef(in TableRef reference)
    {
        string text = _tables!.TextOf(reference.Id) ?? throw TableSource.Unset(_position, reference);
        _position += reference.Size;
        return text;
    }

    private ReadOnlySpan<byte> ReadRefUtf8(TableRef reference) => Encoding.UTF8.GetBytes(ReadRef(reference));
}
