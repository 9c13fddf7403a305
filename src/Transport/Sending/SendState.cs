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
