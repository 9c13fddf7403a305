using System;
using System.Threading;

namespace Transport;

/// <content>Handlers that throw, and the link goes on.</content>
public sealed partial class Link
{
    private long _handlerFailures;

    /// <summary>Reports a request's handler that threw; its answer tells the peer.</summary>
    internal void OnRequestFailed(int type, string name, Exception thrown) => ReportFailure(new HandlerFailedEventArgs(PeerName, type, name, isRequest: true, thrown));

    /// <summary>On the receive loop.</summary>
    private void OnHandlerFailed(int type, string name, Exception thrown)
    {
        Interlocked.Increment(ref _handlerFailures);
        ReportFailure(new HandlerFailedEventArgs(PeerName, type, name, isRequest: false, thrown));
    }

    private void ReportFailure(HandlerFailedEventArgs failed)
    {
        TransportEventSource.Log.HandlerFailed(_options.Node, PeerName, failed.PacketName, failed.ToString());
        try
        {
            _router?.OnHandlerFailed(failed);
        }
        catch (Exception e)
        {
            // Who listens to failures must not make more of them.
            string what = $"{nameof(PacketRouter)}.{nameof(PacketRouter.HandlerFailed)}: {ExceptionText.Full(e)}";
            TransportEventSource.Log.HandlerFailed(_options.Node, PeerName, failed.PacketName, what);
        }
    }
}
