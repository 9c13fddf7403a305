namespace Transport.Spill;

/// <summary>Where a main node listens now, and the secret that it has issued for one connection. Immutable.</summary>
/// <param name="Endpoint">The endpoint.</param>
/// <param name="Secret">The secret; spent by the link that it brings.</param>
public sealed record SpillTarget(WireEndpoint Endpoint, LinkSecret Secret);

/// <summary>An attempt to get a link.</summary>
/// <param name="Number">Which one since something was last acknowledged, from 1.</param>
/// <param name="LastProblem">Why the one before came to nothing, or how its link ended; null before the first.</param>
public readonly record struct SpillAttempt(int Number, string? LastProblem);
