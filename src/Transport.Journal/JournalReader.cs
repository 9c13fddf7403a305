using System;
using System.Threading;
using System.Threading.Tasks;

namespace Transport.Journal;

/// <summary>Reads a journal's packets in order. Takes no lock, changes nothing, may run beside the writer, also in another process. For one thread at a time.</summary>
public sealed class JournalReader : IDisposable
{
    /// <summary>Opens the journal in a directory for reading; it may be in use by a writer, closed, killed or damaged.</summary>
    /// <param name="directory">The directory.</param>
    /// <param name="options">What to show; null: everything there is.</param>
    /// <returns>The reader.</returns>
    /// <exception cref="JournalException"><see cref="JournalFault.NotAJournal"/>, <see cref="JournalFault.NoAccess"/>, <see cref="JournalFault.BadOptions"/>, <see cref="JournalFault.TooNew"/>, <see cref="JournalFault.ReadFailed"/>.</exception>
    /// <exception cref="ArgumentNullException"><paramref name="directory"/> is null.</exception>
    public static JournalReader Open(string directory, JournalReaderOptions? options = null) => throw new NotSupportedException();

    /// <summary>Gets the position of the last packet that was looked at, shown or not; reading goes on after it.</summary>
    public long Position => throw new NotSupportedException();

    /// <summary>Gets what ended reading, once <see cref="TryRead"/> was false: Closed, NotClosed, Torn or Damaged. Damaged is one for what stands before sound records of which it is known that they were synced.</summary>
    public JournalCondition Condition => throw new NotSupportedException();

    /// <summary>Gets, once <see cref="TryRead"/> was false, where and why reading ended, for a person; null where the journal was closed.</summary>
    public string? Ending => throw new NotSupportedException();

    /// <summary>Reads the next packet that the filters let through.</summary>
    /// <param name="record">The packet; its body is valid until the next call.</param>
    /// <returns>Whether there was one. False is the end of a reader that does not follow; for one that follows it means: nothing more that is committed, now.</returns>
    /// <exception cref="JournalException"><see cref="JournalFault.Compacted"/>: it has been dropped meanwhile; <see cref="JournalFault.ReadFailed"/>; <see cref="JournalFault.Closed"/>: this reader.</exception>
    public bool TryRead(out JournalRecord record) => throw new NotSupportedException();

    /// <summary>For a reader that follows: waits until <see cref="TryRead"/> may find more.</summary>
    /// <param name="cancellation">Ends the wait.</param>
    /// <returns>False where there will be no more: the writer has closed the journal, or is dead, or the journal is damaged (<see cref="Condition"/>). True otherwise, now and then too often.</returns>
    /// <exception cref="OperationCanceledException"><paramref name="cancellation"/>.</exception>
    /// <exception cref="JournalException">As with <see cref="TryRead"/>; <see cref="JournalFault.BadOptions"/>: the reader does not follow.</exception>
    public ValueTask<bool> WaitAsync(CancellationToken cancellation = default) => throw new NotSupportedException();

    /// <summary>Ends reading and gives the files free.</summary>
    public void Dispose() => throw new NotSupportedException();
}
