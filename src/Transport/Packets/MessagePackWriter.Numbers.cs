using System;
using System.Buffers.Binary;
using System.Runtime.CompilerServices;

namespace Transport.Packets;

/// <content>Numbers and timestamps.</content>
public ref partial struct MessagePackWriter
{
    /// <summary>Writes an integer in 1 to 9 bytes.</summary>
    /// <param name="value">The value.</param>
    public void WriteInt(long value)
    {
        if (value >= 0)
        {
            WriteUInt((ulong)value);
        }
        else if (value >= -32)
        {
            WriteByte((byte)value);
        }
        else
        {
            WriteNegative(value);
        }
    }

    /// <summary>Writes an unsigned integer in 1 to 9 bytes.</summary>
    /// <param name="value">The value.</param>
    public void WriteUInt(ulong value)
    {
        if (value <= MessagePackCode.MaxFixInt)
        {
            WriteByte((byte)value);
        }
        else
        {
            WriteLongUInt(value);
        }
    }

    /// <summary>Writes a floating point number of 64 bits in 9 bytes; never shortened, so that it comes back bit by bit.</summary>
    /// <param name="value">The value.</param>
    public void WriteDouble(double value) => WriteCode(MessagePackCode.Float64, (ulong)BitConverter.DoubleToInt64Bits(value));

    /// <summary>Writes a floating point number of 32 bits in 5 bytes.</summary>
    /// <param name="value">The value.</param>
    public void WriteSingle(float value) => WriteCode(MessagePackCode.Float32, Unsafe.As<float, uint>(ref value));

    /// <summary>Writes a point in time as MessagePack timestamp (extension -1), in UTC and in the shortest of its 32, 64 and 96 bit forms: 6, 10 or 15 bytes.</summary>
    /// <param name="value">The time; its offset from UTC is not kept.</param>
    public void WriteTimestamp(DateTimeOffset value)
    {
        (long seconds, uint nanoseconds) = Timestamp.Split(value);
        Span<byte> to = Room(Timestamp.LongestSize);
        _used += Timestamp.Write(to, seconds, nanoseconds);
    }

    private void WriteLongUInt(ulong value)
    {
        if (value <= byte.MaxValue)
        {
            WriteCode(MessagePackCode.UInt8, (byte)value);
        }
        else if (value <= ushort.MaxValue)
        {
            WriteCode(MessagePackCode.UInt16, (ushort)value);
        }
        else if (value <= uint.MaxValue)
        {
            WriteCode(MessagePackCode.UInt32, (uint)value);
        }
        else
        {
            WriteCode(MessagePackCode.UInt64, value);
        }
    }

    private void WriteNegative(long value)
    {
        if (value >= sbyte.MinValue)
        {
            WriteCode(MessagePackCode.Int8, (byte)value);
        }
        else if (value >= short.MinValue)
        {
            WriteCode(MessagePackCode.Int16, (ushort)value);
        }
        else if (value >= int.MinValue)
        {
            WriteCode(MessagePackCode.Int32, (uint)value);
        }
        else
        {
            WriteCode(MessagePackCode.Int64, (ulong)value);
        }
    }

    private void WriteCode(byte code, byte value)
    {
        Span<byte> to = Room(2);
        to[1] = value;
        to[0] = code;
        _used += 2;
    }

    private void WriteCode(byte code, ushort value)
    {
        Span<byte> to = Room(3);
        BinaryPrimitives.WriteUInt16BigEndian(to.Slice(1), value);
        to[0] = code;
        _used += 3;
    }

    private void WriteCode(byte code, uint value)
    {
        Span<byte> to = Room(5);
        BinaryPrimitives.WriteUInt32BigEndian(to.Slice(1), value);
        to[0] = code;
        _used += 5;
    }

    private void WriteCode(byte code, ulong value)
    {
        Span<byte> to = Room(9);
        BinaryPrimitives.WriteUInt64BigEndian(to.Slice(1), value);
        to[0] = code;
        _used += 9;
    }
}
