using System;

namespace Transport;

/// <summary>Reports and counts handlers that threw if the link goes on all the same.</summary>
internal sealed class HandlerFailures(string node, string peerName, MissCounts misses)
{
    /// <summary>Takes the failure of a packet's handler; on the receive thread.</summary>
    public void Take(PacketRouter router, ushort type, string name, Exception thrown)
    {
        misses.AddFailed();
        Report(router, new HandlerFailedEventArgs(peerName, type, name, isRequest: false, thrown));
    }

    /// <summary>Takes the failure of a request's handler, which the answer reports to the peer; any thread.</summary>
    public void TakeRequest(PacketRouter router, ushort type, string name, Exception thrown) =>
        Report(router, new HandlerFailedEventArgs(peerName, type, name, isRequest: true, thrown));

    private void Report(PacketRouter router, HandlerFailedEventArgs failed)
    {
        TransportEventSource.Log.HandlerFailed(node, peerName, failed.PacketName, failed.ToString());
        try
        {
            router.OnHandlerFailed(failed);
        }
        catch (Exception e)
        {
            // Who listens to failures must not make more of them.
            string what = $"{nameof(PacketRouter)}.{nameof(PacketRouter.HandlerFailed)}: {ExceptionText.Full(e)}";
            TransportEventSource.Log.HandlerFailed(node, peerName, failed.PacketName, what);
        }
    }
}
