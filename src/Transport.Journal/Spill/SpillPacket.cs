using System;

namespace Transport.Journal;

/// <summary>The packet in which each packet of a lane that spills travels (PROTOCOL.md, "Spilled packets"):
/// <c>[journal, position, opening, index, type, body]</c>.</summary>
internal static class SpillPacket
{
    /// <summary>Its number on the wire.</summary>
    public const ushort Type = 288;

    /// <summary>The most bytes in front of the body.</summary>
    public const int MostHead = 1 + 2 + GuidBytes.Size + 9 + 9 + 9 + 3 + 5;

    /// <summary>What it makes a packet larger by, at most; a round number for options.</summary>
    public const int Overhead = 64;

    private const int Elements = 6;

    /// <summary>Puts the head directly in front of a body.</summary>
    /// <param name="bytes">The memory in which the body is.</param>
    /// <param name="at">Where the body begins, <see cref="MostHead"/> or more.</param>
    /// <param name="body">The body's length.</param>
    /// <param name="head">A buffer for what is put there.</param>
    /// <param name="journal">The journal's id.</param>
    /// <param name="number">The packet's number.</param>
    /// <param name="type">The packet's type.</param>
    /// <returns>Where the whole begins; it ends with the body.</returns>
    public static int PutHead(byte[] bytes, int at, int body, ArrayWriter head, Guid journal, SpillNumber number, ushort type)
    {
        head.Clear();
        var writer = new PacketWriter(head);
        writer.WriteArrayHeader(Elements);
        writer.WriteGuid(journal);
        writer.WriteInt(number.Position);
        writer.WriteInt(number.Opening);
        writer.WriteInt(number.Index);
        writer.WriteInt(type);
        writer.Flush();
        Span<byte> bin = head.GetSpan(5);
        bin[0] = MessagePackCode.Bin32;
        System.Buffers.Binary.BinaryPrimitives.WriteInt32BigEndian(bin.Slice(1), body);
        head.Advance(5);
        int start = at - head.Length;
        head.Written.CopyTo(bytes.AsSpan(start));
        return start;
    }

    /// <summary>Reads a whole one.</summary>
    /// <param name="packet">Its bytes.</param>
    /// <param name="journal">The journal's id.</param>
    /// <param name="number">The packet's number.</param>
    /// <param name="type">The type of the packet inside, one that travels on lanes 1 to 3.</param>
    /// <param name="at">Where the body of the packet inside begins.</param>
    /// <param name="length">Its length, 1 or more.</param>
    /// <exception cref="TransportException"><see cref="TransportFault.PacketMalformed"/>: another shape.</exception>
    public static void Read(
        ReadOnlySpan<byte> packet, out Guid journal, out SpillNumber number, out ushort type, out int at, out int length)
    {
        var reader = new PacketReader(packet);
        int count = ReadNumber(ref reader, out journal, out number);
        type = reader.ReadUInt16();
        length = reader.ReadBin().Length;
        at = reader.Consumed - length;
        reader.Skip(count - Elements);
        if (!number.IsAny || number.IsDirect != (number.Opening > 0) || length == 0 || type < FrameHeader.FirstFreeType || type == Type)
        {
            throw new TransportException(
                TransportFault.PacketMalformed,
                "Expected a spilled packet with a position or an opening and an index from 1, and a packet of type 256 or more inside, "
                    + $"came ({number.Position}, {number.Opening}, {number.Index}) and one of type {type} with {length} bytes.");
        }
    }

    /// <summary>Reads the number alone, also if only the packet's beginning is there.</summary>
    /// <exception cref="TransportException"><see cref="TransportFault.PacketMalformed"/>: another shape.</exception>
    public static SpillNumber NumberOf(ReadOnlySpan<byte> packet)
    {
        var reader = new PacketReader(packet);
        ReadNumber(ref reader, out _, out SpillNumber number);
        return number;
    }

    private static int ReadNumber(ref PacketReader reader, out Guid journal, out SpillNumber number)
    {
        int count = reader.ReadArrayHeader(Elements);
        journal = reader.ReadGuid();
        number = new SpillNumber(Natural(ref reader), Natural(ref reader), Natural(ref reader));
        return count;
    }

    private static long Natural(ref PacketReader reader)
    {
        long value = reader.ReadInt64();
        return value >= 0
            ? value
            : throw new TransportException(TransportFault.PacketMalformed, $"Expected a number from 0, got {value}.");
    }
}
