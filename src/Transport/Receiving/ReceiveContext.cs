using System;
using System.Threading;

namespace Transport;

/// <summary>What all packets of one link have in common for their handlers.</summary>
internal sealed class ReceiveContext
{
    private readonly CancellationTokenSource? _ended;
    private long _turn;            // raised by the receive thread alone, behind a fence, before it uses a packet's memory again; read by any thread
    private volatile bool _isLent; // set by who takes a lease or stream in the handler, seen when the handler is done; cleared with the loan

    /// <param name="sender">Sends to the peer.</param>
    /// <param name="node">The peer's name.</param>
    /// <param name="clock">The link's clock.</param>
    /// <param name="ended">Ends the token before the link does.</param>
    /// <param name="unread">What of the link stands in loops; null if its router has none.</param>
    public ReceiveContext(
        IPacketSender sender, string node, TimeProvider clock, CancellationToken ended = default, UnreadPackets? unread = null)
    {
        (Sender, Node, Clock, Unread) = (sender, node, clock, unread);
        _ended = CancellationTokenSource.CreateLinkedTokenSource(ended);
        CancellationToken = _ended.Token;
    }

    private ReceiveContext(ReceiveContext link, CancellationToken request) =>
        (Sender, Node, Clock, CancellationToken) = (link.Sender, link.Node, link.Clock, request);

    /// <summary>Gets what sends to the peer.</summary>
    public IPacketSender Sender { get; }

    /// <summary>Gets the peer's name.</summary>
    public string Node { get; }

    /// <summary>Gets the link's clock.</summary>
    public TimeProvider Clock { get; }

    /// <summary>Gets a token that is cancelled when the link ends, or, of a request, when nobody waits for its response any more.</summary>
    public CancellationToken CancellationToken { get; }

    /// <summary>Gets what of the link stands in loops; null if its router has none.</summary>
    public UnreadPackets? Unread { get; }

    /// <summary>Gets how many loans of packets have ended. Any thread.</summary>
    public long Turn => Volatile.Read(ref _turn);

    /// <summary>Notes that something which may outlive the handler's stack was made of the packet at hand.</summary>
    public void Lend() => _isLent = true;

    /// <summary>Ends the loan of the packet at hand: its store and its handler are done. On the receive thread. If nothing was made of it that
    /// may outlive them, nobody asks.</summary>
    public void EndLoan()
    {
        if (_isLent)
        {
            _isLent = false;
            Interlocked.Increment(ref _turn);   // a full fence: what is written into the memory next comes behind it
        }
    }

    /// <summary>Makes the context of a request.</summary>
    /// <param name="cancellationToken">Cancelled when nobody waits for its response any more.</param>
    public ReceiveContext OfRequest(CancellationToken cancellationToken) => new(this, cancellationToken);

    /// <summary>Cancels the link's token. The callbacks of handlers run on the pool.</summary>
    public void End() => CancelOnPool(_ended!);

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
