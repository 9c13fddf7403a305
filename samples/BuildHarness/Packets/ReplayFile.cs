using Transport;

namespace BuildHarness.Packets;

/// <summary>Main node to worker: send every event of this recorded build, or every packet of this journal.</summary>
/// <param name="Path">The full path of the binary log or of the journal's directory.</param>
/// <param name="Through">Of a journal, the last position to send: it may be growing. 0 for a binary log.</param>
/// <param name="Node">Of a journal, the recorded node whose packets are sent; null (default): all of them.</param>
[Packet(516)]
internal sealed partial record ReplayFile(string Path, long Through = 0, string? Node = null);
