using System;

namespace Transport.Journal;

/// <summary>Where a main node listens now, and the secret that it has issued for one connection. Immutable.</summary>
/// <param name="Endpoint">The endpoint.</param>
/// <param name="Secret">The secret; spent by the link that it brings.</param>
public sealed record SpillTarget(WireEndpoint Endpoint, LinkSecret Secret)
{
    /// <summary>Returns the endpoint; never the secret.</summary>
    public override string ToString() => $"{Endpoint} (secret)";
}

/// <summary>An attempt to get a link.</summary>
/// <param name="Number">Which one since something was last acknowledged, from 1.</param>
/// <param name="LastProblem">Why the one before came to nothing, or how its link ended; null before the first.</param>
public readonly record struct SpillAttempt(int Number, string? LastProblem)
{
    /// <summary>Returns the number and the problem.</summary>
    public override string ToString() =>
        FormattableString.Invariant($"attempt {Number}{(LastProblem is null ? string.Empty : ": before it, " + LastProblem)}");
}
