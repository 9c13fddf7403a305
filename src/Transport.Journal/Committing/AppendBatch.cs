using System;
using System.Buffers.Binary;

namespace Transport.Journal;

/// <summary>Records that wait to be written by one call. Belongs to the queue while it is filled, then to who commits.</summary>
internal sealed class AppendBatch(byte[] bytes)
{
    public byte[] Bytes { get; } = bytes;

    public int Used { get; set; }

    /// <summary>Gets or sets how much of it is written.</summary>
    public int Done { get; set; }

    public AppendBatch? Next { get; set; }

    /// <summary>Reads the length of a record that waits, and what it says of itself.</summary>
    /// <returns>Its bytes in all.</returns>
    public static int WholeOf(ReadOnlySpan<byte> record, out int body, out AppendNote note)
    {
        body = BinaryPrimitives.ReadInt32LittleEndian(record.Slice(4));
        note = RecordHeader.NoteOf(record);
        return (int)RecordHeader.WholeSize(record[30], body);
    }

    /// <summary>Adds up the records of the append that begins at an offset, in this batch and those behind it.</summary>
    /// <param name="at">The offset.</param>
    /// <param name="perBatch">Bytes that each batch takes besides.</param>
    /// <param name="most">The most that is of interest.</param>
    /// <returns>Their bytes; 0 if they are more.</returns>
    public long SizeOfAppend(int at, int perBatch, long most)
    {
        long size = 0;
        for (AppendBatch? batch = this; batch is not null && size <= most; batch = batch.Next, at = batch?.Done ?? 0)
        {
            size += perBatch;
            while (at < batch.Used && size <= most)
            {
                int whole = WholeOf(batch.Bytes.AsSpan(at), out _, out AppendNote note);
                size += whole;
                at += whole;
                if ((note & AppendNote.Last) != 0)
                {
                    return size <= most ? size : 0;
                }
            }
        }

        return 0;
    }
}
