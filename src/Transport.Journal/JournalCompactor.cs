using System;

namespace Transport.Journal;

/// <summary>Compacts a journal that nobody has open for writing (else: <see cref="Journal.Compact"/>).</summary>
public static class JournalCompactor
{
    /// <summary>Drops whole old segments; the last one always stays, as it is: a torn tail is not repaired, no close record is written.</summary>
    /// <param name="directory">The directory.</param>
    /// <param name="retention">What is kept.</param>
    /// <param name="clock">For ages; null: <see cref="TimeProvider.System"/>.</param>
    /// <returns>What was done.</returns>
    /// <exception cref="JournalException"><see cref="JournalFault.InUse"/>, <see cref="JournalFault.NotAJournal"/>, <see cref="JournalFault.NoAccess"/>, <see cref="JournalFault.TooNew"/>, <see cref="JournalFault.Damaged"/>: a segment's header cannot be read; <see cref="JournalFault.WriteFailed"/>.</exception>
    /// <exception cref="ArgumentNullException">An argument is null.</exception>
    public static JournalCompaction Compact(string directory, JournalRetention retention, TimeProvider? clock = null) => throw new NotSupportedException();
}
