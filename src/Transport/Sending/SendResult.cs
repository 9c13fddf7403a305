namespace Transport;

/// <summary>What became of a packet that was given to a link or a journal. Expected answers, so values and not exceptions.</summary>
public enum SendResult
{
    /// <summary>The packet's bytes are in the queue; the caller may reuse the packet.</summary>
    Queued = 0,

    /// <summary>No capacity: the packet was not taken. What then is the caller's choice: drop, wait (<c>SendAsync</c>, <c>Send</c>) or try
    /// later.</summary>
    Full = 1,

    /// <summary>The link or journal is closing or closed: the packet was not taken, and none will be.</summary>
    Closed = 2,
}
