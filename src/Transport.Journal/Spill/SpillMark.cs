using System;

namespace Transport.Journal;

/// <summary>Up to where a receiver has handled the packets of one journal: what it must know to drop what comes twice. Immutable.</summary>
/// <param name="Journal">The journal's id.</param>
/// <param name="Position">The position of the last packet that was handled, or, if that one was not spilled, the last one given out when
/// it was sent.</param>
/// <param name="Opening">0 if the last packet was spilled; else which opening of the journal sent it.</param>
/// <param name="Index">0 if the last packet was spilled; else its number among those that this opening did not spill.</param>
public sealed record SpillMark(Guid Journal, long Position, long Opening, long Index)
{
    /// <summary>Returns the journal and the last packet that was handled.</summary>
    public override string ToString() =>
        FormattableString.Invariant($"journal {Journal}, handled up to {Position}")
            + FormattableString.Invariant($"{(Index > 0 ? $" and {Index} of opening {Opening}" : "")}");
}
