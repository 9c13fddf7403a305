namespace Transport.Testing.Links;

/// <summary>Where a link stands. It only ever moves down this list.</summary>
internal enum LinkState
{
    /// <summary>The handshake is done; sending works, nothing is read until <see cref="Link.Start"/>.</summary>
    Created = 0,

    /// <summary>Packets go both ways.</summary>
    Open = 1,

    /// <summary>One side has said, or is about to say, Goodbye: nothing new is taken, what is queued is still sent and
    /// acknowledged.</summary>
    Draining = 2,

    /// <summary>The end; <see cref="Link.Completion"/> says how.</summary>
    Closed = 3,
}

/// <summary>Where links stand.</summary>
internal static class LinkStates
{
    public static LinkState State(this Link link) => link.Phase switch
    {
        LinkPhase.Ready => LinkState.Created,
        LinkPhase.Open => LinkState.Open,
        LinkPhase.Closed => LinkState.Closed,
        _ => LinkState.Draining,
    };
}
