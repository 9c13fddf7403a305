namespace Transport;

/// <summary>What stands still while both ends are alive.</summary>
public enum StallKind
{
    /// <summary>A handler of this side does not return: nothing is read meanwhile, and the peer waits.</summary>
    Handler,

    /// <summary>The peer takes nothing: what is queued cannot be written, what was written is not handled, or it answers no Ping.</summary>
    Peer,

    /// <summary>A worker was started and has not connected: there is no link yet (<c>WorkerProcess.Stalled</c>).</summary>
    Connecting,
}
