using System;
using System.Buffers;
using System.Buffers.Binary;
using System.Text;

namespace Transport.Benchmarks;

/// <summary>The floor: fields of fixed size by BinaryPrimitives, texts behind a length of 4 bytes. What a program of one purpose would
/// do.</summary>
internal static class HandWritten
{
    private const int Fixed = 28;
    private const int MaxSize = 2048;

    public static void Write(IBufferWriter<byte> output, BuildEvent e)
    {
        Span<byte> to = output.GetSpan(MaxSize);
        BinaryPrimitives.WriteInt64LittleEndian(to, e.Id);
        BinaryPrimitives.WriteInt64LittleEndian(to.Slice(8), e.Ticks);
        BinaryPrimitives.WriteInt32LittleEndian(to.Slice(16), e.Importance);
        BinaryPrimitives.WriteInt32LittleEndian(to.Slice(20), e.Project);
        BinaryPrimitives.WriteInt32LittleEndian(to.Slice(24), e.Target);
        int sender = Encoding.UTF8.GetBytes(e.Sender, to.Slice(Fixed + 4));
        BinaryPrimitives.WriteInt32LittleEndian(to.Slice(Fixed), sender);
        int at = Fixed + 4 + sender;
        int message = Encoding.UTF8.GetBytes(e.Message, to.Slice(at + 4));
        BinaryPrimitives.WriteInt32LittleEndian(to.Slice(at), message);
        output.Advance(at + 4 + message);
    }

    public static BuildEvent Read(ReadOnlySpan<byte> from)
    {
        int sender = BinaryPrimitives.ReadInt32LittleEndian(from.Slice(Fixed));
        int at = Fixed + 4 + sender;
        int message = BinaryPrimitives.ReadInt32LittleEndian(from.Slice(at));
        return new BuildEvent(
            BinaryPrimitives.ReadInt64LittleEndian(from),
            BinaryPrimitives.ReadInt64LittleEndian(from.Slice(8)),
            BinaryPrimitives.ReadInt32LittleEndian(from.Slice(16)),
            BinaryPrimitives.ReadInt32LittleEndian(from.Slice(20)),
            BinaryPrimitives.ReadInt32LittleEndian(from.Slice(24)),
            Encoding.UTF8.GetString(from.Slice(Fixed + 4, sender)),
            Encoding.UTF8.GetString(from.Slice(at + 4, message)));
    }
}
