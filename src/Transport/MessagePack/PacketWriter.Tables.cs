using System;
using System.Buffers;

namespace Transport;

/// <content>Texts and maps that stand in a table of the link's (PROTOCOL.md, "Tables").</content>
public ref partial struct PacketWriter
{
    /// <summary>A map of more pairs is written out: it hardly ever comes again.</summary>
    private const int MostTablePairs = 2048;

    /// <summary>Gets a value indicating whether texts of this packet may be referred to, so that preparing them for it is worth
    /// something.</summary>
    public bool HasTable => Tables is { HasTexts: true };

    /// <summary>Writes a text that may come again; null as nil. In a packet whose type uses tables, on a link whose sides both have the
    /// capability <c>strings</c> (and <c>tables</c> for applications' types), it travels once and is then referred to by 4 bytes; anywhere
    /// else this is <see cref="WriteString(string)"/>.</summary>
    /// <param name="value">The text; a surrogate without its other half becomes U+FFFD. The link may keep it for as long as it
    /// lives.</param>
    /// <param name="mayBeUnique">True for texts of which many come once, such as messages with numbers in them: they enter the table when
    /// they come for the second time. Names and paths enter at once.</param>
    /// <remarks>A text that is different each time costs a few ten ns more than with <see cref="WriteString(string)"/>.</remarks>
    public void WriteTableString(string? value, bool mayBeUnique = false)
    {
        if (value is { Length: >= TableSink.ShortestText } && Tables is { } tables)
        {
            int id = tables.IdOf(value.AsSpan(), value, mayBeUnique);
            if (id >= 0)
            {
                WriteRef(TableRef.String, (uint)id);
                return;
            }
        }

        WriteString(value);
    }

    /// <summary>Writes a text that may come again, as <see cref="WriteTableString(string, bool)"/> does.</summary>
    /// <param name="value">The text, copied before the call returns.</param>
    /// <param name="mayBeUnique">True for texts of which many come once.</param>
    public void WriteTableString(scoped ReadOnlySpan<char> value, bool mayBeUnique = false)
    {
        if (value.Length >= TableSink.ShortestText && Tables is { } tables)
        {
            int id = tables.IdOf(value, whole: null, mayBeUnique);
            if (id >= 0)
            {
                WriteRef(TableRef.String, (uint)id);
                return;
            }
        }

        WriteString(value);
    }

    /// <summary>Writes the start of a map that may come again as a whole; exactly as many pairs of key and value must follow, then
    /// <see cref="EndTableMap"/>. In a packet whose type uses tables, on a link whose sides both have the capability <c>maps</c> (and
    /// <c>tables</c> for applications' types), it travels once and is then referred to by 4 bytes;
    /// anywhere else this is <see cref="WriteMapHeader"/>.</summary>
    /// <param name="count">How many pairs, from 0.</param>
    /// <remarks>Write its texts with <see cref="WriteTableString(string, bool)"/>. A map inside of another is a part of that one.</remarks>
    /// <exception cref="ArgumentOutOfRangeException"><paramref name="count"/> is negative.</exception>
    public void BeginTableMap(int count)
    {
        if (_openMaps++ == 0 && count is > 0 and <= MostTablePairs && Tables is { HasMaps: true } tables)
        {
            Flush();
            _behind = _output;
            _output = tables.BeginMap(_behind);
            _span = _output.GetSpan(Hint);
        }

        WriteMapHeader(count);
    }

    /// <summary>Ends the map that <see cref="BeginTableMap"/> began.</summary>
    /// <param name="mayBeUnique">True for maps of which many come once: they enter the table when they come for the second time.</param>
    /// <exception cref="InvalidOperationException">There is none.</exception>
    public void EndTableMap(bool mayBeUnique = false)
    {
        if (_openMaps == 0)
        {
            throw new InvalidOperationException("There is no map to end: BeginTableMap begins one.");
        }

        if (--_openMaps > 0 || _behind is null)
        {
            return;
        }

        Flush();
        _output = _behind;
        _behind = null;
        _span = _output.GetSpan(Hint);
        int id = _tables!.EndMap(mayBeUnique, out ReadOnlySpan<byte> map);
        if (id >= 0)
        {
            WriteRef(TableRef.Map, (uint)id);
        }
        else
        {
            WriteRaw(map);
        }
    }

    /// <summary>Writes a reference in its shortest form.</summary>
    internal void WriteRef(sbyte type, uint id)
    {
        ref byte to = ref Capacity(6);
        System.Runtime.CompilerServices.Unsafe.Add(ref to, 1) = (byte)type;
        if (id <= byte.MaxValue)
        {
            to = MessagePackCode.FixExt1;
            System.Runtime.CompilerServices.Unsafe.Add(ref to, 2) = (byte)id;
            _used += 3;
        }
        else if (id <= ushort.MaxValue)
        {
            to = MessagePackCode.FixExt1 + 1;
            BigEndian.Put(ref to, 2, (ushort)id);
            _used += 4;
        }
        else
        {
            to = MessagePackCode.FixExt4;
            BigEndian.Put(ref to, 2, id);
            _used += 6;
        }
    }

    private TableSink? Tables
    {
        get
        {
            if (!_looked)
            {
                _looked = true;
                _tables = (_output as ITableOutput)?.Tables;
            }

            return _tables;
        }
    }
}
