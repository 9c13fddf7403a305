using System;
using Transport.Packets;
using Transport.Sending.Spills;

namespace Transport.Journal.Spilling;

/// <summary>What stands in the journal of a lane that spills, beside the packets themselves: which packets were in the link's memory when it ended, and how far the main node is.</summary>
internal static class SpillRecords
{
    /// <summary>The type of a packet that had been sent directly when its link ended: the record is what had travelled, with its number in it.</summary>
    public const ushort Saved = SpillPacket.Type;

    /// <summary>The type of a note of what is acknowledged: <c>[position, opening, index]</c>. It never travels.</summary>
    public const ushort Acknowledged = SpillPacket.Type + 1;

    public static bool IsOne(ushort type) => type is Saved or Acknowledged;

    /// <summary>Makes the body of a note.</summary>
    public static byte[] Note(SpillNumber number)
    {
        var output = new ArrayWriter(32);
        var writer = new MessagePackWriter(output);
        writer.WriteArrayHeader(3);
        writer.WriteInt(number.Position);
        writer.WriteInt(number.Opening);
        writer.WriteInt(number.Index);
        writer.Flush();
        return output.Written.ToArray();
    }

    /// <summary>Reads what earlier openings left.</summary>
    /// <param name="journal">The journal, just opened.</param>
    public static SpillFindings Find(Journal journal)
    {
        var findings = new SpillFindings();
        using JournalReader reader = journal.OpenReader();
        while (reader.TryRead(out JournalRecord record))
        {
            switch (record.Type)
            {
                case Acknowledged:
                    findings.Acknowledge(ReadNote(record.Body.Span));
                    break;
                case Saved:
                    findings.Save(record.Body.ToArray());
                    break;
                default:
                    findings.Spill(record.Position);
                    break;
            }
        }

        findings.Settle();
        return findings;
    }

    private static SpillNumber ReadNote(ReadOnlySpan<byte> body)
    {
        var reader = new MessagePackReader(body);
        reader.ReadArrayHeader(3);
        return new SpillNumber(reader.ReadInt64(), reader.ReadInt64(), reader.ReadInt64());
    }
}
