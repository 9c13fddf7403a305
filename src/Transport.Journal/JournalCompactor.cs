using System;

namespace Transport.Journal;

/// <summary>Compacts a journal that nobody has open for writing.</summary>
internal static class JournalCompactor
{
    public static JournalCompaction Compact(IJournalStore store, JournalRetention retention, TimeProvider clock)
    {
        using (store)
        {
            try
            {
                JournalScan.CheckDirectory(store, mayBeEmpty: false);
                using IDisposable taken = WriterLock.Take(store, "Compact it there, or close it first.");
                JournalState state = JournalScan.Run(store, lastOnly: true);
                if (state.Condition == JournalCondition.Damaged)
                {
                    throw new JournalException(JournalFault.Damaged,
                        $"The journal in \"{store.Path}\" is damaged: {state.Findings[0].Message} Nothing was changed.");
                }

                // No segment length fits: what is dropped is removed, not kept to be used again.
                using var files = new SegmentDirectory(store, taken, new JournalOptions { SegmentBytes = 0 });
                files.TakeOver(state);
                return files.Compact(retention, RecordTime.Of(clock.GetUtcNow()));
            }
            catch (StoreException e)
            {
                throw Faults.From(e, JournalFault.WriteFailed);
            }
        }
    }
}
