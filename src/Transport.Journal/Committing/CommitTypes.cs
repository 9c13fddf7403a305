using System.Threading.Tasks;
using System;

namespace Transport.Journal;

/// <summary>What is to be reported once the gate is left.</summary>
internal struct CommitReport
{
    /// <summary>Gets or sets those whose wait is over, linked by <see cref="Waiter.Next"/>.</summary>
    public Waiter? Done { get; set; }

    /// <summary>Gets or sets the task of readers that wait for progress; null without any.</summary>
    public TaskCompletionSource<bool>? Progress { get; set; }

    /// <summary>Gets or sets the failure, or the lack of capacity, that nobody was notified of yet; null without any.</summary>
    public JournalException? News { get; set; }
}

/// <summary>There is no space for another segment: what waits is refused, and may be tried again.</summary>
internal sealed class CommitRefused(JournalException fault) : Exception(fault.Message, fault)
{
    public JournalException Fault { get; } = fault;
}

/// <summary>Somebody who waits until a position is committed.</summary>
internal abstract class Waiter
{
    /// <summary>
    /// Gets or sets the first position that was appended with this wait; 0 if it appended nothing. Refused are from here to
    /// <see cref="Position"/>.
    /// </summary>
    public long First { get; set; }

    /// <summary>Gets or sets the position that is waited for.</summary>
    public long Position { get; set; }

    /// <summary>Gets or sets why it will not be committed, or null.</summary>
    public JournalException? Fault { get; set; }

    public Waiter? Next { get; set; }
}
