using System.Collections.Generic;

namespace Transport.Nats;

/// <summary>Where a receiver stands. A snapshot.</summary>
public sealed record ReceiverStatus
{
    /// <summary>Gets the journals that it has received something of since it started, by machine and id; of those of which nothing has come
    /// for a minute the last thousand.</summary>
    public IReadOnlyList<ReceivedJournal> Journals { get; init; } = [];

    /// <summary>Gets how many messages could not be used and were put aside, since it started.</summary>
    public long Quarantined { get; init; }

    /// <summary>Gets why nothing is received at the moment; null if it is.</summary>
    public string? Problem { get; init; }
}
