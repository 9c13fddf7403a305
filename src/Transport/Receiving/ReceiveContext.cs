using System;
using System.Threading;

namespace Transport;

/// <summary>What all packets of one link have in common for their handlers.</summary>
/// <param name="sender">Sends to the peer.</param>
/// <param name="node">The peer's name.</param>
/// <param name="clock">The link's clock.</param>
/// <param name="ended">Ends the token before the link does.</param>
internal sealed class ReceiveContext(IPacketSender sender, string node, TimeProvider clock, CancellationToken ended = default)
{
    private readonly CancellationTokenSource _ended = CancellationTokenSource.CreateLinkedTokenSource(ended);

    /// <summary>Gets what sends to the peer.</summary>
    public IPacketSender Sender => sender;

    /// <summary>Gets the peer's name.</summary>
    public string Node => node;

    /// <summary>Gets the link's clock.</summary>
    public TimeProvider Clock => clock;

    /// <summary>Gets a token that is cancelled when the link ends.</summary>
    public CancellationToken Ended => _ended.Token;

    /// <summary>Cancels the token. The callbacks of handlers run on the pool.</summary>
    public void End() => CancelOnPool(_ended);

    /// <summary>Cancels a token whose callbacks are those of callers: on the pool, and what they throw is only reported.</summary>
    public static void CancelOnPool(CancellationTokenSource source) =>
        ThreadPool.QueueUserWorkItem(static state => CancelNow((CancellationTokenSource)state!), source);

    private static void CancelNow(CancellationTokenSource ended)
    {
        try
        {
            ended.Cancel();
        }
        catch (AggregateException thrown)
        {
            TransportEventSource.Log.HandlerFailed(string.Empty, string.Empty, "cancellation callback", ExceptionText.MessageOf(thrown));
        }
    }
}
