using System;
using System.Threading;
using System.Threading.Tasks;

namespace Transport.Links;

/// <summary>One expected connection: the secret that lets it in, and the link that it becomes.</summary>
public sealed class LinkTicket
{
    private const int Open = 0;
    private const int Claimed = 1;
    private const int Spent = 2;

    private readonly TaskCompletionSource<Link> _link = new(TaskCreationOptions.RunContinuationsAsynchronously);
    private readonly Action<LinkTicket> _forget;
    private int _state;

    internal LinkTicket(string node, Action<LinkTicket> forget)
    {
        Node = node;
        _forget = forget;
    }

    /// <summary>Gets this side's name for the node, as given to <see cref="LinkListener.Expect"/>; what the node calls itself is in <see cref="LinkPeer.Node"/>.</summary>
    public string Node { get; }

    /// <summary>Gets the secret, for the environment of the process that is to connect. Spent by the Welcome that it brings.</summary>
    public LinkSecret Secret { get; } = LinkSecret.Create();

    /// <summary>Gets the link; completes when the node has connected, is cancelled by <see cref="Cancel"/> and by the listener's end.</summary>
    public Task<Link> Link => _link.Task;

    /// <summary>Withdraws the ticket: its secret lets nobody in any more. Without effect once the link is there.</summary>
    public void Cancel()
    {
        if (Interlocked.Exchange(ref _state, Spent) != Spent)
        {
            _forget(this);
            _link.TrySetCanceled();
        }
    }

    /// <summary>Takes the ticket for a connection that has shown its secret.</summary>
    /// <returns>False where another connection has it: a secret is good once.</returns>
    internal bool TryClaim() => Interlocked.CompareExchange(ref _state, Claimed, Open) == Open;

    /// <summary>The connection failed before its Welcome: the secret is good again.</summary>
    internal void Unclaim() => Interlocked.CompareExchange(ref _state, Open, Claimed);

    /// <summary>The Welcome is written.</summary>
    /// <returns>False where the ticket was withdrawn meanwhile.</returns>
    internal bool TrySpend() => Interlocked.CompareExchange(ref _state, Spent, Claimed) == Claimed;

    internal void Complete(Link link)
    {
        _forget(this);
        _link.TrySetResult(link);
    }
}
