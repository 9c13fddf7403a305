using System.Collections.Generic;

namespace Transport.Rivals.Report;

/// <summary>What was measured of one peer. A figure that is missing was not measured; <see cref="Faults"/> says why.</summary>
/// <param name="Name">The peer.</param>
/// <param name="Shape">How it was used.</param>
internal sealed record PeerResult(string Name, string Shape)
{
    /// <summary>Gets the figures by the name of their column.</summary>
    public Dictionary<string, double> Figures { get; } = [];

    /// <summary>Gets what went wrong, workload by workload.</summary>
    public List<string> Faults { get; } = [];
}
