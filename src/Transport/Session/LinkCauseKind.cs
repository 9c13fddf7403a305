namespace Transport;

/// <summary>What a transition says about the cause of a link's end.</summary>
internal enum LinkCauseKind
{
    /// <summary>Nothing: the link goes on, or its cause is known already.</summary>
    None,

    /// <summary>A clean end.</summary>
    Clean,

    PeerGone,
    Timeout,
    Aborted,

    /// <summary>The fault that the event brings.</summary>
    OfEvent,
}
