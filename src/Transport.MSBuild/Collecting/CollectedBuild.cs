namespace Transport.MSBuild;

/// <summary>What became of one build's link.</summary>
/// <param name="Node">The collector's name for the build: build, build2, …; for a node with a link of its own
/// (<see cref="BuildCollector.CreateForwarder"/>) that of its build, a dot and the node: build.n2.</param>
/// <param name="End">How the link ended. Its receipt counts what the build had to drop (<see cref="LinkReceipt.PeerDropped"/>).</param>
public sealed record CollectedBuild(string Node, LinkEnd End);
