namespace Transport;

/// <summary>Who owns a segment. One owner at a time; the order is Writing, Sealed, InFlight, Pooled, and any owner may give it
/// back.</summary>
internal enum SegmentState
{
    /// <summary>In the pool: nobody may touch the bytes.</summary>
    Pooled = 0,

    /// <summary>Owned by the lane (or the receive loop) that fills it.</summary>
    Writing = 1,

    /// <summary>Owned by the queue: complete frames that wait for the send loop.</summary>
    Sealed = 2,

    /// <summary>Owned by the send loop, between take and the end of its write.</summary>
    InFlight = 3,
}
