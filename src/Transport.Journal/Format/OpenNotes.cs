using System;
using System.Buffers.Binary;
using System.Text;

namespace Transport.Journal;

/// <summary>The body of an Open record.</summary>
internal readonly record struct OpenNotes(long Reach, JournalSync Sync, int Process, string BackEnd)
{
    private const int Fixed = 16;

    public byte[] ToBytes()
    {
        byte[] text = Encoding.UTF8.GetBytes(BackEnd);
        byte[] bytes = new byte[Fixed + text.Length];
        BinaryPrimitives.WriteInt64LittleEndian(bytes, Reach);
        bytes[8] = (byte)Sync;
        BinaryPrimitives.WriteInt32LittleEndian(bytes.AsSpan(12), Process);
        text.CopyTo(bytes, Fixed);
        return bytes;
    }

    /// <summary>Reads what is there; a body that is too short says nothing.</summary>
    public static OpenNotes From(ReadOnlySpan<byte> body) => body.Length < Fixed
        ? default
        : new OpenNotes(
            Math.Min(Math.Max(BinaryPrimitives.ReadInt64LittleEndian(body), 0), SegmentHeader.MostReach), (JournalSync)body[8],
                BinaryPrimitives.ReadInt32LittleEndian(body.Slice(12)), Encoding.UTF8.GetString(body.Slice(Fixed).ToArray()));
}
