namespace Transport;

/// <summary>The lane a packet travels in. Order holds within a lane; a smaller number may overtake between frames.</summary>
public enum Lane
{
    /// <summary>The transport's own packets (types 0-255). Not for callers.</summary>
    Control = 0,

    /// <summary>Packets that must not wait behind others: cancels, requests, urgent events.</summary>
    Urgent = 1,

    /// <summary>Log events and everything else that is small and many. The default.</summary>
    Normal = 2,

    /// <summary>Large packets that may wait.</summary>
    Bulk = 3,
}
