using System;
using System.Threading;
using System.Threading.Tasks;

namespace Transport;

/// <summary>One expected connection: the secret that lets it in, and the link that it becomes.</summary>
public sealed class LinkTicket
{
    private const int Open = 0;
    private const int Claimed = 1;
    private const int Spent = 2;
    private const int Withdrawn = 3;

    private readonly TaskCompletionSource<Link> _link = new(TaskCreationOptions.RunContinuationsAsynchronously);
    private readonly Action<LinkTicket> _forget;
    private volatile bool _cancelled;
    private int _state;

    internal LinkTicket(string node, Action<LinkTicket> forget)
    {
        Node = node;
        _forget = forget;
    }

    /// <summary>Gets this side's name for the node, as given to <see cref="LinkListener.Expect"/>; what the node calls itself is in
    /// <see cref="LinkPeer.Node"/>.</summary>
    public string Node { get; }

    /// <summary>Gets the secret, for the environment of the process that is to connect. Spent by the Welcome that it brings.</summary>
    public LinkSecret Secret { get; } = LinkSecret.Create();

    /// <summary>Waits until the node has connected.</summary>
    /// <param name="cancellationToken">Ends the wait; the ticket stays valid.</param>
    /// <returns>The link. Not started: call <see cref="Transport.Link.Start"/>.</returns>
    /// <exception cref="OperationCanceledException">The wait or the ticket was cancelled, or the listener has ended.</exception>
    /// <exception cref="TransportException"><see cref="TransportFault.ConnectFailed"/>: the link could not be made after the handshake, or
    /// the listener has failed.</exception>
    public Task<Link> WaitForLinkAsync(CancellationToken cancellationToken = default) => Delay.UntilAsync(_link.Task, cancellationToken);

    /// <summary>
    /// Withdraws the ticket: its secret lets nobody in any more. Without effect once Welcome is on its way: then
    /// <see cref="WaitForLinkAsync"/> still returns the link, or is cancelled if Welcome could not be written. So after this call it always
    /// completes, and soon.
    /// </summary>
    public void Cancel()
    {
        _cancelled = true;
        if (Interlocked.CompareExchange(ref _state, Withdrawn, Open) == Open
            || Interlocked.CompareExchange(ref _state, Withdrawn, Claimed) == Claimed)
        {
            _forget(this);
            _link.TrySetCanceled();
        }
    }

    /// <summary>Takes the ticket for a connection that has shown its secret.</summary>
    /// <returns>False if another connection has it: a secret is good once.</returns>
    internal bool TryClaim() => Interlocked.CompareExchange(ref _state, Claimed, Open) == Open;

    /// <summary>The connection failed, at the latest at its Welcome: the secret is good again.</summary>
    /// <param name="spent">Whether its <see cref="TrySpend"/> succeeded: in any other state the ticket may be another connection's.</param>
    internal void Unclaim(bool spent)
    {
        _ = Interlocked.CompareExchange(ref _state, Open, spent ? Spent : Claimed);
        if (_cancelled)
        {
            Cancel();
        }
    }

    /// <summary>Welcome is about to be written: whoever reads it has a link, so from here on the ticket cannot be withdrawn.</summary>
    /// <returns>False if the ticket was withdrawn before.</returns>
    internal bool TrySpend() => Interlocked.CompareExchange(ref _state, Spent, Claimed) == Claimed;

    internal void Complete(Link link)
    {
        _forget(this);
        _link.TrySetResult(link);
    }

    /// <summary>Welcome was written, but no link came of it.</summary>
    internal void Fail(Exception defect)
    {
        _forget(this);
        string message = $"The link of {Node} could not be made after its handshake: {ExceptionText.MessageOf(defect)}";
        SetException(new TransportException(TransportFault.ConnectFailed, message, defect));
    }

    /// <summary>Nobody can connect any more. On the listener's thread, so no connection has the ticket at this moment.</summary>
    internal void Abandon(TransportException failure)
    {
        if (Interlocked.CompareExchange(ref _state, Withdrawn, Open) == Open)
        {
            _forget(this);
            SetException(failure);
        }
    }

    private void SetException(TransportException failure)
    {
        _link.TrySetException(failure);
        _ = _link.Task.Exception;   // seen, also if nobody asks for the link
    }
}
