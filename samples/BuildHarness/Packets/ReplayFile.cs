using Transport.Packets;

namespace BuildHarness.Packets;

/// <summary>Main node to worker: send every event of this recorded build.</summary>
/// <param name="Path">The full path of the binary log.</param>
[Packet(516)]
internal sealed partial record ReplayFile(string Path);
