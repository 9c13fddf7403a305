using System;
using System.Buffers.Binary;

namespace Transport;

/// <content>Texts, byte strings, extensions, and the counts and lengths that stand before values.</content>
public ref partial struct PacketReader
{
    /// <summary>Reads a text, or nil.</summary>
    /// <returns>The text; null for nil.</returns>
    /// <exception cref="TransportException"><see cref="TransportFault.PacketMalformed"/>: the next value is neither, is longer than the
    /// body, or is not UTF-8.</exception>
    public string? ReadString() => TryReadNil() ? null : ReadText("a string or nil");

    /// <summary>Reads a text that must be there.</summary>
    /// <returns>The text.</returns>
    /// <exception cref="TransportException"><see cref="TransportFault.PacketMalformed"/>: the next value is no string (nor may it be nil),
    /// is longer than the body, or is not UTF-8.</exception>
    public string ReadRequiredString() => ReadText("a string");

    /// <summary>Reads a text as the bytes it has on the wire.</summary>
    /// <returns>A part of the body, not checked to be UTF-8; of a text that stands in the link's table, a new array.</returns>
    /// <exception cref="TransportException"><see cref="TransportFault.PacketMalformed"/>: no string, or longer than the body.</exception>
    public ReadOnlySpan<byte> ReadUtf8() => IsRef(TableRef.String, out TableRef reference) ? ReadRefUtf8(reference)
        : ReadStr("a string");

    /// <summary>Reads bytes.</summary>
    /// <returns>A part of the body.</returns>
    /// <exception cref="TransportException"><see cref="TransportFault.PacketMalformed"/>: the next value is not of the bin family, or is
    /// longer than the body.</exception>
    public ReadOnlySpan<byte> ReadBin()
    {
        byte code = Peek("bin");
        if (code is < MessagePackCode.Bin8 or > MessagePackCode.Bin32)
        {
            throw Unexpected("bin");
        }

        int width = 1 << (code - MessagePackCode.Bin8);
        return Take(1 + width, PeekLength(width));
    }

    /// <summary>Reads an extension.</summary>
    /// <param name="type">Its type.</param>
    /// <returns>Its bytes, a part of the body.</returns>
    /// <exception cref="TransportException"><see cref="TransportFault.PacketMalformed"/>: no extension, or over the body's end.</exception>
    public ReadOnlySpan<byte> ReadExt(out sbyte type) => ReadExt("an extension", out type);

    private ReadOnlySpan<byte> ReadExt(string expected, out sbyte type)
    {
        byte code = Peek(expected);
        int header = 2;
        long length;
        if (code is >= MessagePackCode.FixExt1 and <= MessagePackCode.FixExt16)
        {
            length = 1 << (code - MessagePackCode.FixExt1);
        }
        else if (code is >= MessagePackCode.Ext8 and <= MessagePackCode.Ext32)
        {
            int width = 1 << (code - MessagePackCode.Ext8);
            length = PeekLength(width);
            header += width;
        }
        else
        {
            throw Unexpected(expected);
        }

        int start = _position;
        ReadOnlySpan<byte> bytes = Take(header, length);
        type = (sbyte)_data[start + header - 1];
        return bytes;
    }

    private string ReadText(string expected)
    {
        if (IsRef(TableRef.String, out TableRef reference))
        {
            return ReadRef(reference);
        }

        int start = _position;
        ReadOnlySpan<byte> bytes = ReadStr(expected);
        if (!Utf8.TryDecode(bytes, out string text))
        {
            _position = start;
            throw MessagePackFault.Wrong(start, "a string in UTF-8", $"{bytes.Length} bytes that are not");
        }

        return text;
    }

    private ReadOnlySpan<byte> ReadStr(string expected)
    {
        byte code = Peek(expected);
        if (code is >= MessagePackCode.FixStr and < MessagePackCode.Nil)
        {
            return Take(1, code & 31);
        }

        if (code is < MessagePackCode.Str8 or > MessagePackCode.Str32)
        {
            throw Unexpected(expected);
        }

        int width = 1 << (code - MessagePackCode.Str8);
        return Take(1 + width, PeekLength(width));
    }

    /// <summary>The length behind the code of the next value: 1, 2 or 4 bytes.</summary>
    private readonly long PeekLength(int width)
    {
        ReadOnlySpan<byte> bytes = PeekPayload(width);
        return width switch
        {
            1 => bytes[0],
            2 => BinaryPrimitives.ReadUInt16BigEndian(bytes),
            _ => BinaryPrimitives.ReadUInt32BigEndian(bytes),
        };
    }

    private ReadOnlySpan<byte> Take(int header, long length)
    {
        if (header + length > Remaining)
        {
            throw MessagePackFault.Short(_data, _position, header + length);
        }

        ReadOnlySpan<byte> bytes = _data.Slice(_position + header, (int)length);
        _position += header + (int)length;
        return bytes;
    }

    private int ReadCount(string expected, byte fixedCode, byte code16, int valuesEach)
    {
        byte code = Peek(expected);
        long count;
        int header = 1;
        if ((code & 0xf0) == fixedCode)
        {
            count = code & 15;
        }
        else if (code == code16 || code == code16 + 1)
        {
            int width = code == code16 ? 2 : 4;
            count = PeekLength(width);
            header += width;
        }
        else
        {
            throw Unexpected(expected);
        }

        if (count * valuesEach > Remaining - header)
        {
            throw MessagePackFault.Crowded(_data, _position, count * valuesEach, Remaining - header);
        }

        _position += header;
        return (int)count;
    }
}
