using Transport;

namespace KeepPackets;

/// <summary>Worker to main node: one measured value.</summary>
[Packet(1024)]
internal sealed partial record Measured(string Name, double Value);
