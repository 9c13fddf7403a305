using System;

namespace Transport.Journal;

/// <summary>What stands in the journal of a lane that spills, beside the packets themselves: which packets were in the link's memory when
/// it ended, and how far the main node is.</summary>
internal static class SpillRecords
{
    /// <summary>The type of a packet that had been sent directly when its link ended: the record is what had travelled, with its number in
    /// it.</summary>
    public const ushort Saved = SpillPacket.Type;

    /// <summary>The type of a note of what is acknowledged: <c>[position, opening, index]</c>. It never travels.</summary>
    public const ushort Acknowledged = SpillPacket.Type + 1;

    public static bool IsOne(ushort type) => type is Saved or Acknowledged;

    /// <summary>Makes the body of a note.</summary>
    public static byte[] Note(SpillNumber number)
    {
        var output = new ArrayWriter(32);
        var writer = new PacketWriter(output);
        writer.WriteArrayHeader(3);
        writer.WriteInt(number.Position);
        writer.WriteInt(number.Opening);
        writer.WriteInt(number.Index);
        writer.Flush();
        return output.Written.ToArray();
    }

    /// <summary>Reads what earlier openings left.</summary>
    /// <param name="journal">The journal, just opened.</param>
    /// <exception cref="JournalException"><see cref="JournalFault.NotAJournal"/>: it is not that of a sender.</exception>
    public static SpillFindings Find(PacketJournal journal)
    {
        using JournalReader reader = journal.OpenReader();
        return Find(reader, journal.Id);
    }

    /// <summary>Counts the packets that are not known to be acknowledged in a journal that was set aside, as far as they can be
    /// read.</summary>
    public static long CountValid(string directory)
    {
        try
        {
            using var reader = JournalReader.Open(directory, new JournalReaderOptions { PastDamage = true });
            return Find(reader, null).Count;
        }
        catch (JournalException)
        {
            return 0;   // nothing of it can be read
        }
    }

    private static SpillFindings Find(JournalReader reader, Guid? journal)
    {
        var findings = new SpillFindings();
        foreach (JournalRecord record in reader)
        {
            try
            {
                Take(findings, record, journal);
            }
            catch (TransportException e)
            {
                throw NotOurs(record, e);
            }
        }

        findings.Settle();
        return findings;
    }

    private static void Take(SpillFindings findings, in JournalRecord record, Guid? journal)
    {
        switch (record.Type)
        {
            case Acknowledged:
                findings.Acknowledge(ReadNote(record.Body));
                break;
            case Saved:
                SpillPacket.Read(record.Body, out Guid of, out _, out _, out _, out _);
                if (journal is { } own && of != own)
                {
                    throw NotOurs(record, null);
                }

                findings.Save(record.ToArray());
                break;
            default:
                findings.Spill(record.Position);
                break;
        }
    }

    /// <summary>A main node's journal, for one, has spilled packets of others in it: sent from here, they would be taken for doubles of
    /// theirs.</summary>
    private static JournalException NotOurs(in JournalRecord record, Exception? cause) => new(
        JournalFault.NotAJournal,
        "The journal is not that of a sender that spills: "
            + FormattableString.Invariant($"the packet at position {record.Position}, of type {record.Type}, is not what one puts there. ")
            + "Name another directory.",
        cause);

    private static SpillNumber ReadNote(ReadOnlySpan<byte> body)
    {
        var reader = new PacketReader(body);
        reader.ReadArrayHeader(3);
        return new SpillNumber(reader.ReadInt64(), reader.ReadInt64(), reader.ReadInt64());
    }
}
