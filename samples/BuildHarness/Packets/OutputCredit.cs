using Transport;

namespace BuildHarness.Packets;

/// <summary>Main node to worker: so many more bytes of outputs may be sent (PACKETS.md says what counts how much).</summary>
/// <param name="Bytes">How many, 1 or more.</param>
[Packet(525, Lane = Lane.Urgent)]
internal sealed partial record OutputCredit(int Bytes);
