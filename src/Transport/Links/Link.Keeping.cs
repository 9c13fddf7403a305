using System;
using System.Threading.Tasks;

namespace Transport;

/// <content>Packets that are kept before they are acknowledged (<see cref="PacketRouter.UseStore"/>).</content>
public sealed partial class Link
{
    void IReceiveSink.OnKeeperFailed(Exception cause) => Cut(new LinkCause(
        TransportFault.HandlerFailed,
        $"What was received could not be made safe (PacketRouter.Keep), so nothing more is acknowledged; {ExceptionText.Brief(cause)}",
        cause,
        TellPeer: true));

    /// <summary>Answers Goodbye; at once where nothing is kept. Where that fails, the link ends by it.</summary>
    private async Task AnswerWhenSafeAsync(ReceivePump loop)
    {
        long handled = loop.Handled;
        if (await loop.SettleAsync().ConfigureAwait(false) && !_lifecycle.IsRecovering)
        {
            _queue.Answer(handled);
        }
    }
}
