namespace Transport;

/// <summary>What has come of one lane.</summary>
/// <param name="Bytes">The bytes of its whole frames, headers included.</param>
/// <param name="Packets">Its whole packets.</param>
internal readonly record struct LaneCount(long Bytes, long Packets);
