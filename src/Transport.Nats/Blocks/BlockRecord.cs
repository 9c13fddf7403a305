using System;
using System.Buffers;
using System.Buffers.Binary;
using System.Text;
using Transport.Journal;

namespace Transport.Nats;

/// <summary>One packet in the content of a block: 24 bytes, the node's name, the body (docs/reference/block-format.md).</summary>
/// <param name="Position">Its position in the journal that it comes from.</param>
/// <param name="Time">When it was taken: 100 ns ticks since 1970, UTC.</param>
/// <param name="Type">The packet's type.</param>
/// <param name="NodeBytes">The bytes of the node's name, behind <see cref="HeadSize"/>.</param>
/// <param name="BodyBytes">The bytes of the body, behind the name.</param>
internal readonly record struct BlockRecord(long Position, long Time, ushort Type, int NodeBytes, int BodyBytes)
{
    /// <summary>The bytes before the node's name.</summary>
    public const int HeadSize = 24;

    /// <summary>The characters of a node's name.</summary>
    private static readonly SearchValues<byte> s_nodeBytes =
        SearchValues.Create("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789._-"u8);

    /// <summary>Gets its bytes.</summary>
    public int Size => HeadSize + NodeBytes + BodyBytes;

    /// <summary>Returns the bytes that a packet of a journal takes.</summary>
    public static int SizeOf(in JournalRecord record) => HeadSize + record.Node.Length + record.Body.Length;

    /// <summary>Writes a packet of a journal.</summary>
    /// <param name="record">The packet.</param>
    /// <param name="to">At least <see cref="SizeOf"/> bytes.</param>
    public static void Write(in JournalRecord record, Span<byte> to)
    {
        BinaryPrimitives.WriteInt64LittleEndian(to, record.Position);
        BinaryPrimitives.WriteInt64LittleEndian(to[8..], RecordTime.Of(record.Time));
        BinaryPrimitives.WriteUInt16LittleEndian(to[16..], record.Type);
        to[18] = (byte)record.Node.Length;
        to[19] = 0;
        BinaryPrimitives.WriteInt32LittleEndian(to[20..], record.Body.Length);
        Encoding.ASCII.GetBytes(record.Node, to[HeadSize..]);
        record.Body.CopyTo(to[(HeadSize + record.Node.Length)..]);
    }

    /// <summary>Reads the packet at the beginning of some content.</summary>
    /// <param name="content">The content from there on.</param>
    /// <param name="record">The packet.</param>
    /// <returns>Whether it is one, and whole.</returns>
    public static bool TryRead(ReadOnlySpan<byte> content, out BlockRecord record)
    {
        record = default;
        if (content.Length < HeadSize)
        {
            return false;
        }

        record = new BlockRecord(
            BinaryPrimitives.ReadInt64LittleEndian(content),
            BinaryPrimitives.ReadInt64LittleEndian(content[8..]),
            BinaryPrimitives.ReadUInt16LittleEndian(content[16..]),
            content[18],
            BinaryPrimitives.ReadInt32LittleEndian(content[20..]));
        return record.NodeBytes is > 0 and <= JournalNode.MaxLength && record.BodyBytes >= 0
            && (long)HeadSize + record.NodeBytes + record.BodyBytes <= content.Length
            && record.NodeIn(content).IndexOfAnyExcept(s_nodeBytes) < 0;
    }

    /// <summary>Returns the node's name, as ASCII.</summary>
    /// <param name="content">The content from the packet's beginning on.</param>
    public ReadOnlySpan<byte> NodeIn(ReadOnlySpan<byte> content) => content.Slice(HeadSize, NodeBytes);

    /// <summary>Returns the body.</summary>
    /// <param name="content">The content from the packet's beginning on.</param>
    public ReadOnlySpan<byte> BodyIn(ReadOnlySpan<byte> content) => content.Slice(HeadSize + NodeBytes, BodyBytes);

    /// <summary>Returns when it was taken: a time from the year 1 to 9999, whatever the number.</summary>
    public DateTimeOffset TakenAt() => RecordTime.From(Time);

    /// <summary>Checks the whole content of a block against its header.</summary>
    /// <returns>Null if it can be used; otherwise what is wrong, in words that follow the block's name.</returns>
    public static string? Fault(in BlockHeader header, ReadOnlySpan<byte> content, int mostBody)
    {
        if (header.IsGap)
        {
            return null;   // it has none
        }

        long last = header.Previous;
        int count = 0;
        while (!content.IsEmpty)
        {
            if (!TryRead(content, out BlockRecord record))
            {
                return $"is malformed: behind position {last} there is no whole packet";
            }

            if (record.Position <= last || (count == 0 && record.Position != header.First))
            {
                return $"is malformed: position {record.Position} stands behind {last}";
            }

            if (record.BodyBytes > mostBody)
            {
                return $"has a packet of {record.BodyBytes} bytes at position {record.Position}; {mostBody} are taken at most "
                    + "(ReceiverOptions.MaxPacketBytes)";
            }

            last = record.Position;
            count++;
            content = content[record.Size..];
        }

        return last == header.Last && count == header.Count ? null
            : $"is malformed: it has {count} packets up to position {last}, and says {header.Count} up to {header.Last}";
    }
}
