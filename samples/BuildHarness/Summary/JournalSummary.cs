using System;
using Transport.Journal;

namespace BuildHarness.Summary;

/// <summary>What became of the journal of a command. Immutable.</summary>
internal sealed record JournalSummary
{
    public required string Directory { get; init; }

    public required JournalSync Sync { get; init; }

    /// <summary>Gets the journal's id; null if it could not be opened.</summary>
    public Guid? Id { get; init; }

    /// <summary>Gets how bytes got to the disk; null if it could not be opened.</summary>
    public string? BackEnd { get; init; }

    /// <summary>Gets what opening had to repair, or null.</summary>
    public string? Repaired { get; init; }

    /// <summary>Gets how many packets are kept, as safe as the policy says.</summary>
    public long Packets { get; init; }

    /// <summary>Gets the position of the first of them; null without any.</summary>
    public long? FirstPosition { get; init; }

    /// <summary>Gets the position of the last of them; null without any.</summary>
    public long? LastPosition { get; init; }

    /// <summary>Gets why and from where on it keeps nothing more, or null.</summary>
    public JournalFailure? Failure { get; init; }
}

/// <summary>How a journal failed.</summary>
/// <param name="Fault">The fault.</param>
/// <param name="Message">One sentence.</param>
/// <param name="FromPacket">The first packet that is not safe in the journal, counted from 1 over all nodes of this command.</param>
/// <param name="FromPosition">Its position; null if the journal could not be opened.</param>
internal sealed record JournalFailure(JournalFault Fault, string Message, long FromPacket, long? FromPosition);
