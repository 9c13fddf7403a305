using System;
using System.Buffers.Binary;
using System.Text;

namespace Transport.Loads.Events;

/// <summary>The codec of every rival: a length of 4 bytes, fields of fixed size, texts behind their lengths. Faster than MessagePack, so
/// the comparison leans their way.</summary>
internal static class HandCodec
{
    /// <summary>The most bytes an event takes.</summary>
    public const int MaxSize = 2048;

    private const int Fixed = 32;   // length of the whole, then id, ticks, importance, project, target

    /// <summary>Counts the bytes an event takes.</summary>
    public static int SizeOf(LoadEvent e) => Fixed + 4 + Encoding.UTF8.GetByteCount(e.Sender) + 4 + Encoding.UTF8.GetByteCount(e.Message);

    /// <summary>Writes an event with its length in front.</summary>
    /// <returns>How many bytes it took.</returns>
    public static int Write(Span<byte> to, LoadEvent e)
    {
        int sender = Encoding.UTF8.GetBytes(e.Sender, to.Slice(Fixed + 4));
        int at = Fixed + 4 + sender;
        int message = Encoding.UTF8.GetBytes(e.Message, to.Slice(at + 4));
        int size = at + 4 + message;
        BinaryPrimitives.WriteInt32LittleEndian(to, size);
        BinaryPrimitives.WriteInt64LittleEndian(to.Slice(4), e.Id);
        BinaryPrimitives.WriteInt64LittleEndian(to.Slice(12), e.Ticks);
        BinaryPrimitives.WriteInt32LittleEndian(to.Slice(20), e.Importance);
        BinaryPrimitives.WriteInt32LittleEndian(to.Slice(24), e.Project);
        BinaryPrimitives.WriteInt32LittleEndian(to.Slice(28), e.Target);
        BinaryPrimitives.WriteInt32LittleEndian(to.Slice(Fixed), sender);
        BinaryPrimitives.WriteInt32LittleEndian(to.Slice(at), message);
        return size;
    }

    /// <summary>Reads the event at the start, if it is there whole.</summary>
    /// <param name="from">What has come.</param>
    /// <param name="e">The event.</param>
    /// <returns>How many bytes it took; 0 if some are still missing.</returns>
    public static int Read(ReadOnlySpan<byte> from, out LoadEvent? e)
    {
        e = null;
        int size = from.Length < 4 ? int.MaxValue : BinaryPrimitives.ReadInt32LittleEndian(from);
        if (size > from.Length)
        {
            return 0;
        }

        int sender = BinaryPrimitives.ReadInt32LittleEndian(from.Slice(Fixed));
        int at = Fixed + 4 + sender;
        int message = BinaryPrimitives.ReadInt32LittleEndian(from.Slice(at));
        e = new LoadEvent
        {
            Id = BinaryPrimitives.ReadInt64LittleEndian(from.Slice(4)),
            Ticks = BinaryPrimitives.ReadInt64LittleEndian(from.Slice(12)),
            Importance = BinaryPrimitives.ReadInt32LittleEndian(from.Slice(20)),
            Project = BinaryPrimitives.ReadInt32LittleEndian(from.Slice(24)),
            Target = BinaryPrimitives.ReadInt32LittleEndian(from.Slice(28)),
            Sender = Encoding.UTF8.GetString(from.Slice(Fixed + 4, sender)),
            Message = Encoding.UTF8.GetString(from.Slice(at + 4, message)),
        };
        return size;
    }
}
