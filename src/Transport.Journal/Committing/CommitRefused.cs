using System;

namespace Transport.Journal;

/// <summary>There is no space for another segment: what waits is refused, and may be tried again.</summary>
internal sealed class CommitRefused(JournalException fault) : Exception(fault.Message, fault)
{
    public JournalException Fault { get; } = fault;
}
