namespace Transport.Nats;

/// <summary>Packets of a journal that did not come.</summary>
/// <param name="From">The first position that may be missing.</param>
/// <param name="To">The last one. Not every number between is a packet: a journal skips positions after an unclean end.</param>
/// <param name="Reason">Why, for a person.</param>
public sealed record JournalGap(long From, long To, string Reason);
