using System;
using System.Threading.Tasks;

namespace Transport;

/// <content>Handlers that throw, if the loop is to go on.</content>
internal sealed partial class ReceivePump
{
    /// <summary>
    /// Gets what takes the failure of a handler (type, name, exception), after which the loop goes on; null: a failure ends it.
    /// </summary>
    public Action<int, string, Exception>? HandlerFailed { get; init; }

    private async ValueTask InvokeAndReportAsync(PacketHandler handler, RawPacket packet)
    {
        try
        {
            await Invoke(handler, packet).ConfigureAwait(false);
        }
        catch (TransportException failed) when (failed.Fault == TransportFault.HandlerFailed)
        {
            HandlerFailed!(packet.Type, handler.Name, failed.InnerException ?? failed);
        }
    }
}
