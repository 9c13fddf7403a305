using System.Globalization;

namespace Transport.MSBuild;

/// <summary>What became of a build's events.</summary>
/// <param name="Events">How many there were.</param>
/// <param name="Delivered">How many of them the collector has acknowledged.</param>
/// <param name="End">How the link ended.</param>
/// <param name="Fault">Why the first event that was not sent was not; null: all were.</param>
internal sealed record StreamReport(long Events, long Delivered, LinkEnd End, string? Fault)
{
    public bool IsComplete => Delivered >= Events;

    /// <summary>What was lost, in one line for a person.</summary>
    public override string ToString() => string.Format(
        CultureInfo.InvariantCulture, "{0:N0} of {1:N0} build events did not reach the collector ({2}).", Events - Delivered, Events,
        End.IsClean ? Fault ?? "it was too slow" : End.ToString());
}
