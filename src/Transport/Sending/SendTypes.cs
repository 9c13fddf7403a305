namespace Transport;

/// <summary>Where a direction stands. It only goes on, under the control lane's lock.</summary>
internal enum SendState
{
    /// <summary>Packets are taken.</summary>
    Accepting,

    /// <summary>Sends are answered Closed; what is queued is still written.</summary>
    Draining,

    /// <summary>Goodbye is composed: nothing follows it but Ack and Pong.</summary>
    Sealed,

    /// <summary>What is queued is given up and counted. Goodbye may still follow, if it reports a fault and the wire works.</summary>
    Broken,
}

/// <summary>What the queue answers a send.</summary>
/// <param name="Result">Queued, Full or Closed.</param>
/// <param name="Needed">The packet's bytes on the wire; with Full at least how many it needs.</param>
/// <param name="Ordinal">With Queued: the packets committed in the lane up to and including this one, packets of the tables included. As
/// many are written, and acknowledged, once this one is.</param>
internal readonly record struct SendOutcome(SendResult Result, long Needed = 1, long Ordinal = 0);

/// <summary>Hears of every packet of one lane on its way out: when it is committed, and when it is written.</summary>
internal interface ILaneObserver
{
    /// <summary>A packet was admitted. Under the lane's lock, and before the send pump can see it.</summary>
    /// <param name="frames">Its frames, with those of the tables in front; valid during the call.</param>
    /// <param name="packets">How many packets they are: those of the tables count too.</param>
    void Committed(in CommittedFrames frames, int packets);

    /// <summary>Packets were written whole, in the order of their commits. On the send thread.</summary>
    void Written(int packets);
}
