using Transport;

namespace BuildHarness.Packets;

/// <summary>Worker to main node, after the last event of a recorded build.</summary>
/// <param name="Events">How many events were sent.</param>
/// <param name="Error">Why the file could not be read to its end, or null.</param>
[Packet(517)]
internal sealed partial record Replayed(long Events, string? Error);
