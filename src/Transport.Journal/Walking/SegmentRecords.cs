using System;

namespace Transport.Journal;

/// <summary>What the records of one segment come to, looked at apart from all others: any thread may do it.</summary>
internal sealed class SegmentRecords
{
    private readonly IRecordVisitor? _visitor;

    private SegmentRecords(SegmentWalk walk, IRecordVisitor? visitor) => (Walk, _visitor) = (walk, visitor);

    /// <summary>Gets the walk, behind the last valid record. Its file is closed and its memory let go.</summary>
    public SegmentWalk Walk { get; }

    /// <summary>Gets a value indicating whether the next segment follows the last record.</summary>
    public bool IsJoined { get; private set; }

    private RecordScanner Scanner => Walk.Scanner;

    public long Packets { get; private set; }

    /// <summary>Gets the first packet's position; 0 without one.</summary>
    public long FirstPacket { get; private set; }

    /// <summary>Gets the last packet's position; 0 without one.</summary>
    public long LastPacket { get; private set; }

    /// <summary>Gets the last packet's time; null without one.</summary>
    public long? LastTime { get; private set; }

    /// <summary>
    /// Gets how many positions above the highest may have been given out, as the last opening says here; null without one.
    /// </summary>
    public long? Reach { get; private set; }

    /// <summary>Gets what stands behind the last valid record; of the last segment, if nothing is joined to it.</summary>
    public TailSearch? Tail { get; private set; }

    /// <summary>Looks at them.</summary>
    /// <param name="store">The directory.</param>
    /// <param name="segment">The segment, with a valid header; only read.</param>
    /// <param name="successor">The header of the segment after it, or null.</param>
    /// <param name="isLast">Whether it is the last: only then what stands behind its records counts.</param>
    /// <param name="visitor">Sees every valid record, or null.</param>
    /// <param name="names">Looks at the names of nodes, or null.</param>
    /// <exception cref="StoreException">The system.</exception>
    public static SegmentRecords Look(
        IJournalStore store, SegmentState segment, SegmentHeader? successor, bool isLast, IRecordVisitor? visitor, NodeNames? names)
    {
        using IJournalFile file = store.Open(segment.Name, writable: false);
        var walk = new SegmentWalk(segment.Name, new RecordScanner(file, segment.Header));
        walk.Join(successor);
        walk.Scanner.Names = names;
        var records = new SegmentRecords(walk, visitor);
        records.Look(file, isLast);
        records.Scanner.Release();   // those looked at ahead wait for their turn, up to all of a journal's
        return records;
    }

    private void Look(IJournalFile file, bool isLast)
    {
        IsJoined = Walk.IsJoined;
        for (bool more = true; more;)
        {
            IsJoined = IsJoined || CountValid();

            // Beside a writer, what was not there a moment ago has come before whatever is found behind it; damage stays.
            Tail = IsJoined || !isLast ? null : TailSearch.Behind(file, Scanner);
            more = Tail is not null && Tail.Synced > Scanner.Position && Scanner.HasCome();
        }
    }

    /// <summary>Goes on over valid records, to the one that the next segment follows: true; or to the last one.</summary>
    private bool CountValid()
    {
        while (true)
        {
            int packets = _visitor is null ? Walk.NextPackets() : 0;
            if (packets == 0)
            {
                if (!Walk.TryNext())
                {
                    return false;
                }

                if (Scanner.Kind == RecordKind.Packet)
                {
                    Scanner.Names?.Look(Scanner.Node, Scanner.Position);
                }
            }

            Count(Math.Max(packets, 1));
            if (Walk.IsJoined)
            {
                return true;
            }
        }
    }

    /// <summary>Counts the record that the scanner has passed; or so many, all of them packets.</summary>
    private void Count(int records)
    {
        if (Scanner.Kind == RecordKind.Open)
        {
            Reach = Math.Max(Scanner.Segment.Reach, OpenNotes.From(Scanner.Body.Span).Reach);
        }
        else if (Scanner.Kind == RecordKind.Packet)
        {
            Packets += records;
            LastTime = Scanner.Time;
            LastPacket = Scanner.Position;
            FirstPacket = FirstPacket == 0 ? Scanner.Position - records + 1 : FirstPacket;
        }

        _visitor?.Visit(Scanner);
    }
}
