using Transport;

namespace SpillWhileAway;

/// <summary>Sender to main node: one of many.</summary>
[Packet(1024)]
internal sealed partial record Event(int Number);
