using System;
using System.Runtime.CompilerServices;

namespace Transport;

/// <content>Numbers and timestamps.</content>
public ref partial struct PacketWriter
{
    /// <summary>Writes an integer in 1 to 9 bytes.</summary>
    /// <param name="value">The value.</param>
    public void WriteInt(long value)
    {
        if (value >= 0)
        {
            WritePositive((ulong)value);
        }
        else
        {
            WriteNegative(value);
        }
    }

    /// <summary>Writes an unsigned integer in 1 to 9 bytes.</summary>
    /// <param name="value">The value.</param>
    public void WriteUInt(ulong value) => WritePositive(value);

    /// <summary>Writes a floating point number of 64 bits in 9 bytes; never shortened, so that it comes back bit by bit.</summary>
    /// <param name="value">The value.</param>
    public void WriteDouble(double value) => WriteCode(MessagePackCode.Float64, (ulong)BitConverter.DoubleToInt64Bits(value));

    /// <summary>Writes a floating point number of 32 bits in 5 bytes.</summary>
    /// <param name="value">The value.</param>
    public void WriteSingle(float value) => WriteCode(MessagePackCode.Float32, Unsafe.As<float, uint>(ref value));

    /// <summary>Writes a point in time as MessagePack timestamp (extension -1), in UTC and in the shortest of its 32, 64 and 96 bit forms:
    /// 6, 10 or 15 bytes.</summary>
    /// <param name="value">The time; its offset from UTC is not kept.</param>
    public void WriteTimestamp(DateTimeOffset value)
    {
        (long seconds, uint nanoseconds) = Timestamp.Split(value);
        Capacity(Timestamp.LongestSize);
        _used += Timestamp.Write(_span.Slice(_used), seconds, nanoseconds);
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private void WritePositive(ulong value)
    {
        if (value <= MessagePackCode.MaxFixInt)
        {
            WriteByte((byte)value);
        }
        else if (value <= ushort.MaxValue)
        {
            if (value <= byte.MaxValue)
            {
                WriteCode(MessagePackCode.UInt8, (byte)value);
            }
            else
            {
                WriteCode(MessagePackCode.UInt16, (ushort)value);
            }
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
        if (value >= -32)
        {
            WriteByte((byte)value);
            return;
        }

        ref byte to = ref Capacity(9);
        int width = (value < sbyte.MinValue ? 1 : 0) + (value < short.MinValue ? 1 : 0) + (value < int.MinValue ? 1 : 0);
        int bytes = 1 << width;
        to = (byte)(MessagePackCode.Int8 + width);
        BigEndian.Put(ref to, 1, (ulong)value << (64 - (8 * bytes)));
        _used += 1 + bytes;
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private void WriteCode(byte code, byte value)
    {
        ref byte to = ref Capacity(2);
        to = code;
        Unsafe.Add(ref to, 1) = value;
        _used += 2;
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private void WriteCode(byte code, ushort value)
    {
        ref byte to = ref Capacity(3);
        to = code;
        BigEndian.Put(ref to, 1, value);
        _used += 3;
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private void WriteCode(byte code, uint value)
    {
        ref byte to = ref Capacity(5);
        to = code;
        BigEndian.Put(ref to, 1, value);
        _used += 5;
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private void WriteCode(byte code, ulong value)
    {
        ref byte to = ref Capacity(9);
        to = code;
        BigEndian.Put(ref to, 1, value);
        _used += 9;
    }
}
