using System.Threading.Tasks;

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
