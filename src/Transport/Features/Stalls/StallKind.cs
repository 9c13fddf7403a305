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

    /// <summary>A loop of this side (<see cref="PacketRouter.ReadAllAsync{T}(int, System.Threading.CancellationToken)"/>) does not take its
    /// next packet, or has not begun: what came for it is not acknowledged meanwhile, and the peer waits.</summary>
    Loop,
}
