using System;
using System.Buffers;
using System.Text;

namespace Transport;

/// <summary>Reads a map from its header on.</summary>
/// <typeparam name="T">What is made of it.</typeparam>
/// <param name="reader">Stands before the map, or nil.</param>
/// <returns>What was made.</returns>
public delegate T MapReader<out T>(ref PacketReader reader);

/// <content>Texts and maps that stand in a table of the link's (PROTOCOL.md, "Tables").</content>
public ref partial struct PacketReader
{
    private PacketReader(ReadOnlySpan<byte> data, TableSource? tables)
        : this(data) => _tables = tables;

    /// <summary>Reads a map that may stand in the link's table.</summary>
    /// <typeparam name="T">What is made of it.</typeparam>
    /// <param name="read">Reads the map. Give the same method each time, and one that depends on nothing else.</param>
    /// <param name="isShared">True: a map of the table is read for the first packet that refers to it, and the others share what was made,
    /// so it must never change. False: it is read anew for each reference, up to as many bytes as a packet may have.</param>
    /// <returns>What <paramref name="read"/> made, now or before.</returns>
    /// <exception cref="TransportException"><see cref="TransportFault.PacketMalformed"/>, also from <paramref name="read"/>.</exception>
    public T ReadTableMap<T>(MapReader<T> read, bool isShared = true)
        where T : class?
    {
        if (read is null)
        {
            throw new ArgumentNullException(nameof(read));
        }

        if (!IsRef(TableRef.Map, out TableRef reference))
        {
            return read(ref this);
        }

        TableMap map = isShared ? _tables!.MapAt(_position, reference) : _tables!.MapToCopy(_position, reference);
        if (!isShared || map.Made is not T made)
        {
            var inside = new PacketReader(map.Body, map) { _nested = isShared ? 0 : _nested };
            try
            {
                made = read(ref inside);
            }
            catch (TransportException fault) when (fault.Fault == TransportFault.PacketMalformed)
            {
                throw TableSource.Unfit(_position, reference, fault);
            }

            map.Made = isShared ? made : map.Made;
        }

        _position += reference.Size;
        return made;
    }

    private static TableSource? TablesOf(in ReadOnlySequence<byte> data) => (data.Start.GetObject() as ReferringBody)?.BeginReading();

    /// <summary>Checks whether a reference is next. Without tables none is: the extension is then what the packet's shape says.</summary>
    private readonly bool IsRef(sbyte type, out TableRef reference)
    {
        reference = default;
        return _tables is not null && TableRef.IsNext(_data, _position, type, out reference);
    }

    private string ReadRef(in TableRef reference)
    {
        string text = _tables!.TextOf(reference.Id) ?? throw TableSource.Unset(_position, reference);
        _position += reference.Size;
        return text;
    }

    private ReadOnlySpan<byte> ReadRefUtf8(TableRef reference) => Encoding.UTF8.GetBytes(ReadRef(reference));
}
