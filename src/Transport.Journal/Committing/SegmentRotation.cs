using System;
using System.Threading;

namespace Transport.Journal;

/// <summary>Goes from a full segment to the next one, and has that one's file made ahead of time.</summary>
internal sealed class SegmentRotation(SegmentDirectory directory, JournalOptions options)
{
    private long _preparedFor;

    /// <summary>Under the gate: has the pool make the next segment's file when this one is half full, once for each.</summary>
    public void PrepareNext(SegmentWriter writer, CommitQueue queue)
    {
        if (writer.IsHalfFull && _preparedFor != writer.Sequence && !queue.IsClosing)
        {
            _preparedFor = writer.Sequence;
            _ = ThreadPool.UnsafeQueueUserWorkItem(static state => ((SegmentDirectory)state!).Prepare(), directory);
        }
    }

    /// <summary>Begins the next segment; the one before it is synced.</summary>
    /// <param name="next">The header but for length and flags of the file.</param>
    /// <param name="capacity">The bytes of records that it must hold.</param>
    /// <param name="filled">Writes what comes with the segment, before it has its name; or null.</param>
    /// <param name="used">Called with its name once that is durable; or null. If it throws, the segment is taken back.</param>
    /// <exception cref="CommitRefused">There is no capacity for it. May be tried again.</exception>
    /// <exception cref="StoreException">The journal has failed.</exception>
    public (IJournalFile File, SegmentHeader Header) Begin(
        in SegmentHeader next, long capacity, Action<IJournalFile, SegmentHeader>? filled, Action<string>? used)
    {
        try
        {
            return directory.Begin(next, capacity, filled, used);
        }
        catch (StoreException e) when (e.MayPass)
        {
            throw new CommitRefused(Faults.Refused(e));
        }
        catch (JournalException e) when (e.Fault == JournalFault.JournalFull)
        {
            throw new CommitRefused(e);
        }
    }

    /// <summary>Drops what need not be kept, now that a segment has been begun.</summary>
    public void DropOld(long now)
    {
        if (options.Retention is not { } retention)
        {
            return;
        }

        try
        {
            _ = directory.Compact(retention, now);
        }
        catch (StoreException)
        {
            // What is not dropped now is dropped with the next segment.
        }
    }
}
