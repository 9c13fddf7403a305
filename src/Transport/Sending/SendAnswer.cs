namespace Transport;

/// <summary>What the queue answers a send.</summary>
/// <param name="Result">Queued, Full or Closed.</param>
/// <param name="Needed">The packet's bytes on the wire; with Full at least how many it needs.</param>
/// <param name="Ordinal">With Queued: the packets committed in the lane up to and including this one, packets of the tables included. As
/// many are written, and acknowledged, once this one is.</param>
internal readonly record struct SendAnswer(SendResult Result, long Needed = 1, long Ordinal = 0);
