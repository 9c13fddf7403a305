using System;
using System.Buffers.Binary;
using System.Globalization;

namespace Transport;

/// <content>Numbers and timestamps.</content>
public ref partial struct PacketReader
{
    /// <summary>Reads an integer.</summary>
    /// <returns>The value.</returns>
    /// <exception cref="TransportException"><see cref="TransportFault.PacketMalformed"/>: no integer of -2^63 to 2^63-1.</exception>
    public long ReadInt64()
    {
        if ((uint)_position < (uint)_data.Length)
        {
            byte code = _data[_position];
            if (code is <= MessagePackCode.MaxFixInt or >= MessagePackCode.MinNegativeFixInt)
            {
                _position++;
                return (sbyte)code;
            }
        }

        return ReadLongInteger(long.MinValue, long.MaxValue);
    }

    /// <summary>Reads an integer.</summary>
    /// <returns>The value.</returns>
    /// <exception cref="TransportException"><see cref="TransportFault.PacketMalformed"/>: no integer of -2^31 to 2^31-1.</exception>
    public int ReadInt32()
    {
        if ((uint)_position < (uint)_data.Length)
        {
            byte code = _data[_position];
            if (code is <= MessagePackCode.MaxFixInt or >= MessagePackCode.MinNegativeFixInt)
            {
                _position++;
                return (sbyte)code;
            }
        }

        return (int)ReadLongInteger(int.MinValue, int.MaxValue);
    }

    /// <summary>Reads an integer.</summary>
    /// <returns>The value.</returns>
    /// <exception cref="TransportException"><see cref="TransportFault.PacketMalformed"/>: no integer of 0 to 2^32-1.</exception>
    public uint ReadUInt32() => (uint)ReadLongInteger(uint.MinValue, uint.MaxValue);

    /// <summary>Reads an integer.</summary>
    /// <returns>The value.</returns>
    /// <exception cref="TransportException"><see cref="TransportFault.PacketMalformed"/>: no integer of 0 to 65,535.</exception>
    public ushort ReadUInt16() => (ushort)ReadLongInteger(ushort.MinValue, ushort.MaxValue);

    /// <summary>Reads an integer.</summary>
    /// <returns>The value.</returns>
    /// <exception cref="TransportException"><see cref="TransportFault.PacketMalformed"/>: no integer of 0 to 2^64-1.</exception>
    public ulong ReadUInt64()
    {
        ulong bits = PeekInteger("an integer from 0 to 18446744073709551615", out bool negative, out int size);
        if (negative)
        {
            throw MessagePackFault.Wrong(
                _position, "an integer from 0 to 18446744073709551615", ((long)bits).ToString(CultureInfo.InvariantCulture));
        }

        _position += size;
        return bits;
    }

    /// <summary>Reads a number: a floating point number of 64 or 32 bits, or an integer.</summary>
    /// <returns>The value; an integer beyond 2^53 is rounded.</returns>
    /// <exception cref="TransportException"><see cref="TransportFault.PacketMalformed"/>: the next value is no number.</exception>
    public double ReadDouble()
    {
        byte code = Peek("a number");
        if (code == MessagePackCode.Float64)
        {
            long bits = BinaryPrimitives.ReadInt64BigEndian(PeekPayload(8));
            _position += 9;
            return BitConverter.Int64BitsToDouble(bits);
        }

        if (code == MessagePackCode.Float32)
        {
            int bits = BinaryPrimitives.ReadInt32BigEndian(PeekPayload(4));
            _position += 5;
            return System.Runtime.CompilerServices.Unsafe.As<int, float>(ref bits);
        }

        ulong integer = PeekInteger("a number", out bool negative, out int size);
        _position += size;
        return negative ? (long)integer : integer;
    }

    /// <summary>Reads a MessagePack timestamp (extension -1) of 32, 64 or 96 bits.</summary>
    /// <returns>The time, in UTC, cut down to whole 100 ns.</returns>
    /// <exception cref="TransportException"><see cref="TransportFault.PacketMalformed"/>: the next value is no timestamp, has more than
    /// 999,999,999 nanoseconds, or lies outside the years 1 to 9999.</exception>
    public DateTimeOffset ReadTimestamp()
    {
        const string Expected = "a timestamp (extension -1) of 4, 8 or 12 bytes, from the year 1 to 9999";
        int start = _position;
        ReadOnlySpan<byte> bytes = ReadExt(Expected, out sbyte type);
        string? actual = null;
        if (type == MessagePackCode.TimestampExt && Timestamp.TryRead(bytes, out DateTimeOffset value, out actual))
        {
            return value;
        }

        _position = start;
        throw MessagePackFault.Wrong(start, Expected, actual ?? $"extension {type.ToString(CultureInfo.InvariantCulture)}");
    }

    /// <summary>Any encoding of an integer within a range that fits 64 bits with sign.</summary>
    private long ReadLongInteger(long min, long max)
    {
        // Away from the end of the body, 8 bytes are loaded whatever the width, and the value is shifted down: no branch to be guessed.
        int at = _position;
        if (_data.Length - at > 8)
        {
            byte code = _data[at];
            int shift = 64 - (8 << (code & 3));
            ulong word = BinaryPrimitives.ReadUInt64BigEndian(_data.Slice(at + 1));
            long value = code <= MessagePackCode.UInt64 ? (long)(word >> shift) : (long)word >> shift;
            bool valid = code is >= MessagePackCode.UInt8 and <= MessagePackCode.Int64 && (code != MessagePackCode.UInt64 || value >= 0);
            if (valid && value >= min && value <= max)
            {
                _position = at + 1 + (1 << (code & 3));
                return value;
            }
        }

        return ReadAnyInteger(min, max);
    }

    private long ReadAnyInteger(long min, long max)
    {
        ulong bits = PeekInteger("an integer", out bool negative, out int size);
        long value = (long)bits;
        if ((!negative && value < 0) || value < min || value > max)
        {
            string actual = negative ? value.ToString(CultureInfo.InvariantCulture) : bits.ToString(CultureInfo.InvariantCulture);
            throw MessagePackFault.Wrong(
                _position,
                $"an integer from {min.ToString(CultureInfo.InvariantCulture)} to {max.ToString(CultureInfo.InvariantCulture)}",
                actual);
        }

        _position += size;
        return value;
    }

    private readonly ulong PeekInteger(string expected, out bool negative, out int size)
    {
        byte code = Peek(expected);
        negative = false;
        size = 1;
        if (code <= MessagePackCode.MaxFixInt)
        {
            return code;
        }

        if (code >= MessagePackCode.MinNegativeFixInt)
        {
            negative = true;
            return (ulong)(sbyte)code;
        }

        if (code is < MessagePackCode.UInt8 or > MessagePackCode.Int64)
        {
            throw Unexpected(expected);
        }

        // 1, 2, 4, 8 bytes: the codes without sign, then those with it, stand in this order.
        int bytes = 1 << (code & 3);
        ReadOnlySpan<byte> payload = PeekPayload(bytes);
        size = 1 + bytes;
        if (code <= MessagePackCode.UInt64)
        {
            return bytes switch
            {
                1 => payload[0],
                2 => BinaryPrimitives.ReadUInt16BigEndian(payload),
                4 => BinaryPrimitives.ReadUInt32BigEndian(payload),
                _ => BinaryPrimitives.ReadUInt64BigEndian(payload),
            };
        }

        long value = bytes switch
        {
            1 => (sbyte)payload[0],
            2 => BinaryPrimitives.ReadInt16BigEndian(payload),
            4 => BinaryPrimitives.ReadInt32BigEndian(payload),
            _ => BinaryPrimitives.ReadInt64BigEndian(payload),
        };
        negative = value < 0;
        return (ulong)value;
    }

    /// <summary>The bytes behind the code of the next value.</summary>
    private readonly ReadOnlySpan<byte> PeekPayload(int bytes) =>
        Remaining > bytes ? _data.Slice(_position + 1, bytes) : throw MessagePackFault.Short(_data, _position, 1 + bytes);
}
