using Transport;

namespace BuildHarness.Packets;

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
