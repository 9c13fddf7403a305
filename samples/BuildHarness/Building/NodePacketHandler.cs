using Transport;

namespace BuildHarness.Building;

/// <summary>Takes a packet of a node, on loan during the call.</summary>
internal delegate void NodePacketHandler(FleetNode node, RawPacket packet);
