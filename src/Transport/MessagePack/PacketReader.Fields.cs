using System;
using System.Buffers.Text;
using System.ComponentModel;

namespace Transport;

/// <content>What formatters of whole objects need: the smaller numbers, .NET's own values, how deep they are, and which field to
/// blame.</content>
public ref partial struct PacketReader
{
    /// <summary>Reads an integer.</summary>
    /// <returns>The value.</returns>
    /// <exception cref="TransportException"><see cref="TransportFault.PacketMalformed"/>: no integer of 0 to 255.</exception>
    public byte ReadByte() => (byte)ReadLongInteger(byte.MinValue, byte.MaxValue);

    /// <summary>Reads an integer.</summary>
    /// <returns>The value.</returns>
    /// <exception cref="TransportException"><see cref="TransportFault.PacketMalformed"/>: no integer of -128 to 127.</exception>
    public sbyte ReadSByte() => (sbyte)ReadLongInteger(sbyte.MinValue, sbyte.MaxValue);

    /// <summary>Reads an integer.</summary>
    /// <returns>The value.</returns>
    /// <exception cref="TransportException"><see cref="TransportFault.PacketMalformed"/>: no integer of -32,768 to 32,767.</exception>
    public short ReadInt16() => (short)ReadLongInteger(short.MinValue, short.MaxValue);

    /// <summary>Reads a number: a floating point number of 32 or 64 bits, or an integer.</summary>
    /// <returns>The value, rounded if it has more digits than 32 bits hold; infinite if it is too large for them.</returns>
    /// <exception cref="TransportException"><see cref="TransportFault.PacketMalformed"/>: the next value is no number.</exception>
    public float ReadSingle() => (float)ReadDouble();

    /// <summary>Reads a MessagePack timestamp (extension -1).</summary>
    /// <returns>The time, in UTC and marked as such, cut down to whole 100 ns.</returns>
    /// <exception cref="TransportException"><see cref="TransportFault.PacketMalformed"/>: as <see cref="ReadTimestamp"/>.</exception>
    public DateTime ReadDateTime() => ReadTimestamp().UtcDateTime;

    /// <summary>Reads a length of time: an integer, in units of 100 ns.</summary>
    /// <returns>The value.</returns>
    /// <exception cref="TransportException"><see cref="TransportFault.PacketMalformed"/>: no integer of 64 bits with sign.</exception>
    public TimeSpan ReadTimeSpan() => new(ReadInt64());

    /// <summary>Reads a GUID: 16 bytes (bin) in the order in which it is written as text (RFC 9562).</summary>
    /// <returns>The value.</returns>
    /// <exception cref="TransportException"><see cref="TransportFault.PacketMalformed"/>: it is not bin of 16 bytes.</exception>
    public Guid ReadGuid()
    {
        int start = _position;
        ReadOnlySpan<byte> bytes = ReadBin();
        return bytes.Length == GuidBytes.Size ? GuidBytes.Read(bytes)
            : throw CreateFormatException(start, "bin of 16 bytes (a GUID)", $"bin of {bytes.Length}");
    }

    /// <summary>Reads a decimal number: a text such as <c>-12.50</c>, whose places after the point are kept.</summary>
    /// <returns>The value.</returns>
    /// <exception cref="TransportException"><see cref="TransportFault.PacketMalformed"/>: no such text, or too large a number.</exception>
    public decimal ReadDecimal()
    {
        int start = _position;
        ReadOnlySpan<byte> bytes = ReadStr("a decimal number as a string");
        return Utf8Parser.TryParse(bytes, out decimal value, out int used) && used == bytes.Length
            ? value
            : throw CreateFormatException(start, "a decimal number as a string", $"a string of {bytes.Length} bytes that is not a number");
    }

    /// <summary>Notes that what is read next stands inside one more array or map; <see cref="LeaveNested"/> belongs to it. For formatters
    /// of types that may hold themselves: without it a hostile body could nest deeper than the stack.</summary>
    /// <exception cref="TransportException"><see cref="TransportFault.PacketMalformed"/>: that would be deeper than 64, the outermost array
    /// or map included.</exception>
    public void EnterNested()
    {
        if (++_nested >= MessagePackValue.MaxDepth)
        {
            throw MessagePackFault.Wrong(_position, $"values nested at most {MessagePackValue.MaxDepth} deep", "one more array or map");
        }
    }

    /// <summary>Ends what <see cref="EnterNested"/> began.</summary>
    public void LeaveNested() => _nested--;

    /// <summary>Makes sure that all was read.</summary>
    /// <exception cref="TransportException"><see cref="TransportFault.PacketMalformed"/>: there are more bytes.</exception>
    public readonly void ReadEnd()
    {
        if (!AtEnd)
        {
            throw MessagePackFault.Wrong(_position, "the end of the body", $"{Remaining} more bytes");
        }
    }

    /// <summary>Creates the exception for a value that was read but that the packet may not have, and puts the reader back to it.</summary>
    /// <param name="offset">The offset of the value in bytes: <see cref="Consumed"/> before it was read.</param>
    /// <param name="expected">What was expected, for a person.</param>
    /// <param name="actual">The actual value, for a person.</param>
    /// <returns>The exception to throw, with <see cref="TransportFault.PacketMalformed"/>.</returns>
    public TransportException CreateFormatException(int offset, string expected, string actual)
    {
        _position = offset;
        return MessagePackFault.Wrong(offset, expected, actual);
    }

    /// <summary>Adds to an exception of this reader which field it is about. For generated code.</summary>
    /// <param name="fault">The exception; the reader stands where it was thrown.</param>
    /// <param name="start">Where the object's array begins: <see cref="Consumed"/> before it was read.</param>
    /// <param name="packet">The object's name, for a person.</param>
    /// <param name="fields">The names of its fields, in their order.</param>
    /// <returns>The exception to throw instead.</returns>
    /// <exception cref="ArgumentNullException">An argument is null.</exception>
    [EditorBrowsable(EditorBrowsableState.Never)]
    public readonly TransportException InField(TransportException fault, int start, string packet, string[] fields)
    {
        if (fault is null || fields is null)
        {
            throw new ArgumentNullException(fault is null ? nameof(fault) : nameof(fields));
        }

        int field = FieldAt(start);
        string name = field < 0 ? packet : field < fields.Length ? $"{packet}.{fields[field]}" : $"{packet}, field {field}";
        string what = fault.Message.StartsWith("At byte", StringComparison.Ordinal) ? "a" + fault.Message.Substring(1) : fault.Message;
        return new TransportException(fault.Fault, $"{name}: {what}", fault.InnerException);
    }

    /// <summary>Finds which element of the array at an offset the reader stands in; -1 if it stands in none.</summary>
    private readonly int FieldAt(int start)
    {
        var walker = new PacketReader(_data) { _position = start };
        int field = -1;
        try
        {
            int count = walker.ReadArrayHeader();
            for (field = 0; field < count && walker._position < _position; field++)
            {
                walker.Skip();
                if (walker._position > _position)
                {
                    return field;
                }
            }

            return field < count && walker._position == _position ? field : -1;
        }
        catch (TransportException)
        {
            return field;   // the header is what is wrong, or this element
        }
    }
}
