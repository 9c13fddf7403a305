using System;
using System.Collections.Generic;

namespace Transport.Nats;

/// <summary>What a receiver has of one journal. A snapshot.</summary>
public sealed record ReceivedJournal
{
    /// <summary>Gets the journal's id.</summary>
    public Guid Id { get; init; }

    /// <summary>Gets the machine that ships it.</summary>
    public string Machine { get; init; } = string.Empty;

    /// <summary>Gets the directory of the journal that the packets were written to; its own positions and id are others.</summary>
    public string Directory { get; init; } = string.Empty;

    /// <summary>Gets the position, in the journal they come from, up to which all packets are on the disk here, but for
    /// <see cref="Gaps"/>.</summary>
    public long Position { get; init; }

    /// <summary>Gets how many packets were written, since the directory was made.</summary>
    public long Packets { get; init; }

    /// <summary>Gets how many packets came again and were dropped, since the receiver started.</summary>
    public long Doubles { get; init; }

    /// <summary>Gets what did not come, in order.</summary>
    public IReadOnlyList<JournalGap> Gaps { get; init; } = [];

    /// <summary>Gets why nothing of it is received at the moment; null if it is.</summary>
    public string? Problem { get; init; }
}
