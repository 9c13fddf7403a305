namespace Transport.Nats;

/// <summary>Why a journal could not be shipped or received, or a request not be answered: one short list, sorted by who must act. The
/// groups are 1-9 the caller, 10-19 who runs the server, 20-29 who owns the data.</summary>
public enum FleetFault
{
    /// <summary>No server answered at that address in time, or it refused the credentials. Look at address, server and credentials
    /// (<c>NatsOpts</c>).</summary>
    ConnectFailed = 1,

    /// <summary>The journal is shipped, or the folder received into, by somebody else already. End one of the two.</summary>
    InUse = 2,

    /// <summary>The agent's pool has no worker any more and starts none. Look at its last exit.</summary>
    NoWorker = 3,

    /// <summary>Agents have begun a request as often as is allowed, and none has answered: they died, or were cut off. Look at the agents
    /// that the message names.</summary>
    TriedTooOften = 4,

    /// <summary>The worker that had a request has exited; the message is its exit report. Look at the worker.</summary>
    WorkerExited = 5,

    /// <summary>The server has no JetStream, or not for this account. Start it with JetStream on.</summary>
    NoJetStream = 10,

    /// <summary>The stream, or the bucket of positions, is not there. Create it, or set <see cref="FleetStream.Create"/>.</summary>
    NoStream = 11,

    /// <summary>The stream is there with settings that lose packets or refuse blocks; the message names each. Change them, or name another
    /// stream.</summary>
    StreamDiffers = 12,

    /// <summary>The server's <c>max_payload</c> is below 1,024 bytes: no block fits. Raise it.</summary>
    PayloadTooSmall = 13,

    /// <summary>What is in the folder does not say up to where packets of that journal were received. Receive into another
    /// folder.</summary>
    OriginUnknown = 20,
}
