using System;

namespace Transport.Journal;

/// <summary>Says how sound a journal is; never changes a file. Made for journals that nobody writes to: beside a writer it may tell of records that are just being written.</summary>
public static class JournalVerifier
{
    /// <summary>Reads all of a journal.</summary>
    /// <param name="directory">The directory.</param>
    /// <returns>The report; a damaged journal is a report, not an exception.</returns>
    /// <exception cref="JournalException"><see cref="JournalFault.NotAJournal"/>, <see cref="JournalFault.NoAccess"/>, <see cref="JournalFault.TooNew"/>, <see cref="JournalFault.ReadFailed"/>.</exception>
    /// <exception cref="ArgumentNullException"><paramref name="directory"/> is null.</exception>
    public static JournalReport Verify(string directory) => throw new NotSupportedException();

    /// <summary>Reads all of a journal, and counts what it holds.</summary>
    /// <param name="directory">The directory.</param>
    /// <returns>The survey, with the report.</returns>
    /// <exception cref="JournalException">As with <see cref="Verify"/>.</exception>
    /// <exception cref="ArgumentNullException"><paramref name="directory"/> is null.</exception>
    public static JournalSurvey Survey(string directory) => throw new NotSupportedException();
}
