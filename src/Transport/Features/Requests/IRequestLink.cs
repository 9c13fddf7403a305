using System;
using System.Threading;
using System.Threading.Tasks;

namespace Transport;

/// <summary>What requests need of their link.</summary>
internal interface IRequestLink
{
    /// <summary>Gets what handlers of requests see of the link.</summary>
    ReceiveContext Context { get; }

    /// <summary>Gets a value indicating whether the peer knows items and credit.</summary>
    bool PeerStreams { get; }

    /// <summary>Counts a wait for an item, if it was begun in a handler of the same link.</summary>
    Task<bool> NoteAsync(Task<bool> waiting);

    /// <summary>Queues bytes, waiting for capacity.</summary>
    ValueTask<SendResult> SendRawAsync(ushort type, ReadOnlyMemory<byte> body, Lane lane, CancellationToken cancellationToken);

    /// <summary>Queues bytes if there is capacity.</summary>
    SendResult TrySendRaw(ushort type, ReadOnlyMemory<byte> body, Lane lane);

    /// <summary>Finds who answers requests of a type; null if nobody does.</summary>
    RequestHandler? FindRequest(int type);

    /// <summary>Takes the failure of a request's handler.</summary>
    void OnRequestFailed(ushort type, string name, Exception thrown);
}
