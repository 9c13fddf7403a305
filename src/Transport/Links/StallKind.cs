namespace Transport.Links;

/// <summary>What stands still, of a link on which both ends are alive.</summary>
public enum StallKind
{
    /// <summary>A handler of this side does not return: nothing is read meanwhile, and the peer waits.</summary>
    Handler,

    /// <summary>The peer takes nothing: what is queued cannot be written, what was written is not handled, or it answers no Ping.</summary>
    Peer,
}
