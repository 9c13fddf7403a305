using System;
using System.Threading;
using System.Threading.Tasks;

namespace Transport;

/// <summary>What requests need of their link.</summary>
internal interface IRequestLink
{
    /// <summary>Gets what handlers of requests see of the link.</summary>
    ReceiveContext Context { get; }

    /// <summary>Queues bytes, waiting for capacity.</summary>
    ValueTask<SendResult> SendRawAsync(ushort type, ReadOnlyMemory<byte> body, Lane lane, CancellationToken cancellationToken);

    /// <summary>Queues bytes if there is capacity.</summary>
    SendResult TrySendRaw(ushort type, ReadOnlyMemory<byte> body, Lane lane);

    /// <summary>Finds who answers requests of a type; null if nobody does.</summary>
    RequestHandler? FindRequest(int type);

    /// <summary>Takes the failure of a request's handler.</summary>
    void OnRequestFailed(int type, string name, Exception thrown);
}
