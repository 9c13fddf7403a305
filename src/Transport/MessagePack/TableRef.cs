using System;
using System.Buffers.Binary;

namespace Transport;

/// <summary>A reference to a table: MessagePack extension 1 (a text) or 2 (a map) that holds an id of 1, 2 or 4 bytes, big
/// endian.</summary>
internal readonly struct TableRef(sbyte type, uint id, int size)
{
    /// <summary>The extension that stands for a text.</summary>
    public const sbyte String = 1;

    /// <summary>The extension that stands for a map.</summary>
    public const sbyte Map = 2;

    /// <summary>Gets <see cref="String"/> or <see cref="Map"/>.</summary>
    public sbyte Type => type;

    public uint Id => id;

    /// <summary>Gets its bytes in all; 0 if an extension of such a type has no id of 1, 2 or 4 bytes.</summary>
    public int Size => size;

    /// <summary>Reads what stands at an offset, if it is an extension of type 1 or 2. Of a value that is all there.</summary>
    public static bool TryRead(ReadOnlySpan<byte> data, int offset, out TableRef reference)
    {
        reference = default;
        byte code = data[offset];
        if (code is MessagePackCode.FixExt1 or MessagePackCode.FixExt1 + 1)
        {
            // Nearly all of them.
            int type = data[offset + 1];
            int id = data[offset + 2];
            reference = code == MessagePackCode.FixExt1 ? new TableRef((sbyte)type, (uint)id, 3)
                : new TableRef((sbyte)type, (uint)((id << 8) | data[offset + 3]), 4);
            return type is String or Map;
        }

        if (code is >= MessagePackCode.FixExt1 and <= MessagePackCode.FixExt16)
        {
            return TryRead(data, offset + 1, 1 << (code - MessagePackCode.FixExt1), offset, out reference);
        }

        if (code == MessagePackCode.Ext8)
        {
            return TryRead(data, offset + 2, data[offset + 1], offset, out reference);
        }

        return code is MessagePackCode.Ext16 or MessagePackCode.Ext32
            && TryRead(data, offset + (code == MessagePackCode.Ext16 ? 3 : 5), length: 0, offset, out reference);
    }

    /// <summary>Checks whether a reference of a type is next. Of bytes that nobody has looked at yet.</summary>
    /// <exception cref="TransportException"><see cref="TransportFault.PacketMalformed"/>: its id has not 1, 2 or 4 bytes.</exception>
    public static bool IsNext(ReadOnlySpan<byte> data, int offset, sbyte type, out TableRef reference)
    {
        reference = default;
        if ((uint)offset >= (uint)data.Length
            || data[offset] is not ((>= MessagePackCode.FixExt1 and <= MessagePackCode.FixExt16)
                or (>= MessagePackCode.Ext8 and <= MessagePackCode.Ext32))
            || MessagePackValue.EndOfToken(data, offset) < 0
            || !TryRead(data, offset, out reference)
            || reference.Type != type)
        {
            return false;
        }

        return reference.Size > 0 ? true : throw TableSource.Unset(offset, reference);
    }

    private static bool TryRead(ReadOnlySpan<byte> data, int at, int length, int offset, out TableRef reference)
    {
        sbyte type = (sbyte)data[at];
        if (type is not (String or Map))
        {
            reference = default;
            return false;
        }

        ReadOnlySpan<byte> id = data.Slice(at + 1);
        reference = length switch
        {
            1 => new TableRef(type, id[0], at + 2 - offset),
            2 => new TableRef(type, BinaryPrimitives.ReadUInt16BigEndian(id), at + 3 - offset),
            4 => new TableRef(type, BinaryPrimitives.ReadUInt32BigEndian(id), at + 5 - offset),
            _ => new TableRef(type, 0, 0),
        };
        return true;
    }
}
