using System;

namespace Transport.Journal;

/// <summary>Compacts a journal that nobody has open for writing (else: <see cref="PacketJournal.Compact"/>).</summary>
public static class JournalCompactor
{
    /// <summary>
    /// Drops whole old segments; the last one always stays, as it is: a torn tail is not repaired, no close record is written.
    /// </summary>
    /// <param name="directory">The directory.</param>
    /// <param name="retention">What is kept.</param>
    /// <param name="clock">For ages; null: <see cref="TimeProvider.System"/>.</param>
    /// <returns>What was done.</returns>
    /// <exception cref="JournalException">
    /// <see cref="JournalFault.InUse"/>, <see cref="JournalFault.NotAJournal"/>, <see cref="JournalFault.NoAccess"/>,
    /// <see cref="JournalFault.TooNew"/>, <see cref="JournalFault.Damaged"/>: a segment cannot be read as it was written;
    /// <see cref="JournalFault.WriteFailed"/>.
    /// </exception>
    /// <exception cref="ArgumentException">An argument is null, or <paramref name="retention"/> has a negative number.</exception>
    public static JournalCompaction Compact(string directory, JournalRetention retention, TimeProvider? clock = null) =>
        Compact(StoreChoice.For(directory ?? throw new ArgumentNullException(nameof(directory))),
            (retention ?? throw new ArgumentNullException(nameof(retention))).Checked(), clock ?? TimeProvider.System);

    internal static JournalCompaction Compact(IJournalStore store, JournalRetention retention, TimeProvider clock)
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
