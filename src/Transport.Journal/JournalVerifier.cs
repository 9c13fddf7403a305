using System;

namespace Transport.Journal;

/// <summary>Looks at a journal whole, while a writer may be at work: <see cref="PacketJournal.Verify"/>.</summary>
internal static class JournalVerifier
{
    public static JournalReport Verify(IJournalStore store)
    {
        var names = new NodeNames();
        (JournalState state, bool isBeingWritten) = Scan(store, () => JournalScan.Run(store, names: names = new NodeNames()));
        return ReportOf(state, isBeingWritten, names);
    }

    public static JournalSurvey Survey(IJournalStore store)
    {
        var count = new SurveyCount();
        (JournalState state, bool isBeingWritten) = Scan(store, () => JournalScan.Run(store, count = new SurveyCount()));
        return count.ToSurvey(ReportOf(state, isBeingWritten, count.Names), state.Id);
    }

    /// <summary>A live journal may drop and recycle segments while they are looked at, or be closed: then it is looked at anew.</summary>
    private static (JournalState State, bool IsBeingWritten) Scan(IJournalStore store, Func<JournalState> look)
    {
        const int Most = 10;
        using (store)
        {
            for (int left = Most; ; left--)
            {
                try
                {
                    bool wasWritten = IsBeingWritten(store);
                    JournalState state = look();
                    bool isWritten = IsBeingWritten(store);
                    bool hasChanged = state.Condition switch
                    {
                        JournalCondition.Damaged => !state.Segments.TrueForAll(s => IsStillThere(store, s)),
                        JournalCondition.Closed => false,
                        _ => wasWritten && !isWritten,
                    };
                    if (!hasChanged || left == 0)
                    {
                        return (state, isWritten);
                    }
                }
                catch (StoreException e) when (e.Error == StoreError.Missing && left > 0)
                {
                    // A segment that was listed has gone; or the directory, and the next look says so.
                }
                catch (StoreException e)
                {
                    throw Faults.From(e, JournalFault.ReadFailed);
                }
            }
        }
    }

    private static bool IsBeingWritten(IJournalStore store)
    {
        try
        {
            return store.IsLocked(FileNames.Lock);
        }
        catch (StoreException)
        {
            return false;   // not to be found out; the scan says what is wrong with the directory
        }
    }

    private static bool IsStillThere(IJournalStore store, SegmentState segment)
    {
        if (segment.IsNoFile)
        {
            return true;   // no writer does that
        }

        var now = SegmentHead.Read(store, segment.Sequence, segment.Name);
        return now.Failure is { } failure ? throw failure : now.State == segment.HeaderState && now.Header == segment.Header;
    }

    private static JournalReport ReportOf(JournalState state, bool isBeingWritten, NodeNames names) => new()
    {
        Condition = names.Wrong is not null ? JournalCondition.Damaged
            : isBeingWritten && state.Condition == JournalCondition.Torn ? JournalCondition.NotClosed : state.Condition,
        IsBeingWritten = isBeingWritten,
        FirstPosition = state.FirstPacket,
        LastPosition = state.LastPacket,
        SyncedPosition = state.Synced,
        Packets = state.Packets,
        Segments = state.Segments.ConvertAll(static s => s.ToPublic()),
        Found =
        [
            .. isBeingWritten && state.Ending is { } ending ? state.Findings.FindAll(f => f != ending) : state.Findings,
            .. names.Wrong is null ? Array.Empty<JournalFinding>() : [WrongName(state, names)],
        ],
    };

    private static JournalFinding WrongName(JournalState state, NodeNames names) => new()
    {
        File = state.Segments.FindLast(segment => segment.Header.FirstPosition <= names.WrongAt)?.Name ?? string.Empty,
        Position = names.WrongAt,
        Message = names.Wrong!,
    };
}
