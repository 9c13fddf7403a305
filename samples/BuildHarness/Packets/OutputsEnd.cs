using Transport;

namespace BuildHarness.Packets;

/// <summary>Worker to main node: no more outputs of the project come.</summary>
/// <param name="Project">The project's id in the plan.</param>
/// <param name="Files">How many files came.</param>
/// <param name="Bytes">How many bytes they have.</param>
/// <param name="Error">Why they are not all of them, as a sentence's beginning ("a.dll cannot be read: …"), or null.</param>
[Packet(524, Lane = Lane.Bulk)]
internal sealed partial record OutputsEnd(int Project, long Files, long Bytes, string? Error);
