using System;
using System.Threading;
using System.Threading.Tasks;

namespace Transport;

/// <summary>One expected connection: the secret that lets it in, and the link that it becomes.</summary>
public sealed class LinkTicket : ITicket
{
    private readonly TaskCompletionSource<Link> _link = new(TaskCreationOptions.RunContinuationsAsynchronously);
    private readonly Action<LinkTicket> _forget;
    private readonly object _lock = new();   // over the fields below
    private bool _isCancelled;
    private State _state;

    /// <summary>Initializes a new instance of the <see cref="LinkTicket"/> class.</summary>
    /// <param name="node">This side's name for the node.</param>
    /// <param name="forget">Called without a lock, once the ticket lets nobody in any more.</param>
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
        lock (_lock)
        {
            _isCancelled = true;
        }

        if (TryGo(State.Open, State.Withdrawn) || TryGo(State.Claimed, State.Withdrawn))
        {
            _forget(this);
            _link.TrySetCanceled();
        }
    }

    /// <inheritdoc/>
    bool ITicket.TryClaim() => TryGo(State.Open, State.Claimed);

    /// <inheritdoc/>
    void ITicket.Unclaim(bool spent)
    {
        TryGo(spent ? State.Spent : State.Claimed, State.Open);
        bool isCancelled;
        lock (_lock)
        {
            isCancelled = _isCancelled;
        }

        if (isCancelled)
        {
            Cancel();
        }
    }

    /// <inheritdoc/>
    bool ITicket.TrySpend() => TryGo(State.Claimed, State.Spent);

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
        if (TryGo(State.Open, State.Withdrawn))
        {
            _forget(this);
            SetException(failure);
        }
    }

    private bool TryGo(State from, State to)
    {
        lock (_lock)
        {
            bool isThere = _state == from;
            _state = isThere ? to : _state;
            return isThere;
        }
    }

    private void SetException(TransportException failure)
    {
        _link.TrySetException(failure);
        _ = _link.Task.Exception;   // seen, also if nobody asks for the link
    }

    private enum State
    {
        Open,
        Claimed,
        Spent,
        Withdrawn,
    }
}
