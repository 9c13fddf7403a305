using Transport;

namespace BuildHarness.Packets;

/// <summary>Main node to worker, the answer to <see cref="OutputsEnd"/>: all was looked at, checked and handed to the writers. Only now is
/// the project reported as built.</summary>
/// <param name="Project">The project's id in the plan.</param>
[Packet(526, Lane = Lane.Urgent)]
internal sealed partial record OutputsTaken(int Project);
