using Transport;

namespace BuildHarness.Packets;

/// <summary>Main node to worker: send every event of this recorded build, or every packet of this journal.</summary>
/// <param name="Path">The full path of the binary log or of the journal's directory.</param>
/// <param name="Through">Of a journal, the last position to send: it may be growing. 0 for a binary log.</param>
/// <param name="Node">Of a journal, the recorded node whose packets are sent; null (default): all of them.</param>
[Packet(516)]
internal sealed partial record ReplayFile(string Path, long Through = 0, string? Node = null);

/// <summary>Worker to main node, after the last event of a recorded build.</summary>
/// <param name="Events">How many events were sent.</param>
/// <param name="Error">Why the file could not be read to its end, or null.</param>
[Packet(517)]
internal sealed partial record Replayed(long Events, string? Error);

/// <summary>Worker to main node if a trace is written: what the worker's end of the link did since its last sample. Overtakes the
/// events, so that it reports a queue while there is one.</summary>
/// <param name="From">The begin, in ticks of the machine's monotonic clock, which all its processes share.</param>
/// <param name="To">The end.</param>
/// <param name="Writes">Writes to the wire.</param>
/// <param name="Bytes">Bytes of them.</param>
/// <param name="WriteMicros">How long the writes took, in microseconds.</param>
/// <param name="QueuedBytes">What waits at the end, in bytes.</param>
[Packet(520, Lane = Lane.Urgent)]
internal sealed partial record LinkSample(long From, long To, long Writes, long Bytes, long WriteMicros, long QueuedBytes);
