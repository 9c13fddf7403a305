using System;
using System.Threading;
using System.Threading.Tasks;
using Transport.Wires;

namespace Transport.Links;

/// <summary>Takes links at an endpoint. Each expected node gets a ticket: a secret good for one connection, and the link that it brought.</summary>
public sealed class LinkListener : IAsyncDisposable
{
    /// <summary>Listens over wires of the given listener, which is then owned.</summary>
    public LinkListener(IWireListener wires, LinkOptions? options = null) => throw new NotSupportedException();

    /// <summary>Gets the endpoint to tell the worker.</summary>
    public WireEndpoint Endpoint => throw new NotSupportedException();

    /// <summary>Gets how many connections never got Welcome.</summary>
    public long Refused => throw new NotSupportedException();

    /// <summary>Gets or sets what is called for each refused connection (code as in Reject, or a fault's name; a sentence). On the accepting thread.</summary>
    public Action<string, string>? ConnectionRefused { get; set; }

    /// <summary>Expects one connection.</summary>
    public LinkTicket Expect(string node) => throw new NotSupportedException();

    /// <inheritdoc/>
    public ValueTask DisposeAsync() => throw new NotSupportedException();
}

/// <summary>One expected connection.</summary>
public sealed class LinkTicket
{
    /// <summary>Gets this side's name for the node.</summary>
    public string Node => throw new NotSupportedException();

    /// <summary>Gets the secret, for the worker's environment.</summary>
    public LinkSecret Secret => throw new NotSupportedException();

    /// <summary>Gets the link, once the worker has connected; cancelled by <see cref="Cancel"/> or the listener's end.</summary>
    public Task<Link> Link => throw new NotSupportedException();

    /// <summary>Withdraws the ticket: its secret lets nobody in any more.</summary>
    public void Cancel() => throw new NotSupportedException();
}
