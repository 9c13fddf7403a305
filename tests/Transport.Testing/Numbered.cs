using System;
using System.Collections.Generic;
using System.Text;
using Transport.Journal;

namespace Transport.Testing;

/// <summary>Packets of a journal whose body reports their number.</summary>
internal static class Numbered
{
    public static readonly JournalNode Node = new("n1");

    private const byte BinHead = 0xc4;   // bin 8: one byte of length behind it

    public static byte[] Body(long number, int length = 0)
    {
        byte[] text = Encoding.ASCII.GetBytes($"packet {number}");
        byte[] body = new byte[Math.Max(length, text.Length)];
        text.CopyTo(body, 0);
        return body;
    }

    /// <summary>Makes the same as one byte string of MessagePack, so that it may go over a link.</summary>
    /// <param name="number">The number.</param>
    /// <param name="length">Its bytes, at most 255.</param>
    public static byte[] Packed(long number, int length) => [BinHead, (byte)length, .. Body(number, length)];

    public static long Append(this PacketJournal journal, long number, int length = 0) => journal.Append(Node, 1024, Body(number, length));

    /// <summary>Reads everything: positions and the numbers that bodies report.</summary>
    public static List<(long Position, long Number)> ReadAll(this JournalReader reader)
    {
        var all = new List<(long, long)>();
        while (reader.TryRead(out JournalRecord record))
        {
            all.Add((record.Position, NumberOf(record)));
        }

        return all;
    }

    public static List<(long Position, long Number)> ReadAll(string directory, bool pastDamage = false)
    {
        using var reader = JournalReader.Open(directory, new JournalReaderOptions { PastDamage = pastDamage });
        return reader.ReadAll();
    }

    public static long NumberOf(in JournalRecord record)
    {
        byte[] body = record.Body.ToArray();
        int head = body[0] == BinHead ? 2 : 0;
        string text = Encoding.ASCII.GetString(body, head, body.Length - head).TrimEnd('\0');
        return long.Parse(text.Substring("packet ".Length), System.Globalization.CultureInfo.InvariantCulture);
    }
}
