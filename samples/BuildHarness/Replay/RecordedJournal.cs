using System;
using System.IO;
using BuildHarness.Packets;
using Transport;
using Transport.Journal;
using Transport.MSBuild;

namespace BuildHarness.Replay;

/// <summary>A journal, read packet by packet. Left out is what was said about the work itself: the packets of harness and worker beside the
/// build events, and requests.</summary>
internal static class RecordedJournal
{
    /// <summary>The last number that PROTOCOL.md keeps for a build engine.</summary>
    private const int LastId = 575;

    /// <param name="directory">The journal's directory.</param>
    /// <param name="through">The last position to read.</param>
    /// <param name="node">The recorded node whose packets are read; null: all.</param>
    /// <param name="take">Takes the node and a build event; on this thread.</param>
    /// <param name="takeRaw">Takes the node, the type and the body of any other packet; the body is a copy.</param>
    /// <exception cref="InvalidDataException">It cannot be read up to there. What the takers throw comes as it is.</exception>
    public static void Read(string directory, long through, string? node, Action<string, BuildEvent> take,
        Action<string, ushort, ReadOnlyMemory<byte>> takeRaw)
    {
        try
        {
            using JournalReader reader = JournalReader.Open(
                directory, new JournalReaderOptions { Nodes = node is null ? null : [node] });
            while (reader.Position < through && reader.TryRead(out JournalRecord record) && record.Position <= through)
            {
                if (record.Type == BuildEvent.PacketType.Id)
                {
                    take(record.Node, Event(record));
                }
                else if (IsReplayed(record.Type))
                {
                    takeRaw(record.Node, record.Type, record.ToArray());
                }
            }
        }
        catch (JournalException e)
        {
            throw new InvalidDataException(e.Message, e);
        }
    }

    private static BuildEvent Event(in JournalRecord record)
    {
        try
        {
            return record.Read(BuildEvent.PacketType);
        }
        catch (TransportException e)
        {
            throw new InvalidDataException(e.Message, e);
        }
    }

    /// <summary>Whether packets of a type are replayed.</summary>
    public static bool IsReplayed(int type) =>
        type is not (>= 272 and <= 274) && (type <= BuildEvent.PacketType.Id || type > LastId);
}
