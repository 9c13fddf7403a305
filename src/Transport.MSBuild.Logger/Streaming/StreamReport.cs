using System;
using System.Globalization;

namespace Transport.MSBuild;

/// <summary>What became of a build's events.</summary>
/// <param name="Events">How many there were.</param>
/// <param name="Taken">How many of them the link has taken.</param>
/// <param name="Full">How many it had no capacity for.</param>
/// <param name="End">How the link ended.</param>
/// <param name="Fault">Why the first event that was not sent was not; null: all were.</param>
internal sealed record StreamReport(long Events, long Taken, long Full, LinkEnd End, string? Fault)
{
    public bool IsComplete => Lost == 0;

    /// <summary>Gets how many events the collector may not have: those that were not taken, and of the others no more than the link's
    /// packets that were not acknowledged. Those that set entries of a table are among these.</summary>
    private long Lost => Events - Taken + Math.Min(Taken, Open);

    private long Open => Math.Max(0, End.Receipt.Sent - End.Receipt.Acknowledged) + Math.Max(0, End.Receipt.Dropped - Full);

    /// <summary>What was lost, in one line for a person.</summary>
    public override string ToString() => string.Format(
        CultureInfo.InvariantCulture, "{0}{1:N0} of {2:N0} build events did not reach the collector ({3}).",
        Open > 0 ? "up to " : string.Empty, Lost, Events, End.IsClean ? Fault ?? "it was too slow" : End.ToString());
}
