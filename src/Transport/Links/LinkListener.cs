using System;
using System.Collections.Generic;
using System.Globalization;
using System.Threading.Tasks;

namespace Transport;

/// <summary>Takes connections at one endpoint. Each expected node gets a ticket: a secret good for one connection, and the link that it
/// brings.</summary>
/// <remarks>One thread accepts and reads the first packet of every connection, each under its own deadline: no client holds up
/// another.</remarks>
public sealed class LinkListener : IAsyncDisposable, IHandshakeOwner
{
    private readonly LinkOptions _options;
    private readonly SegmentPool _pool;
    private readonly Heartbeat _pulse;
    private readonly HandshakeThread _handshakes;
    private readonly object _gate = new();   // over the fields below; nobody is called while it is held
    private readonly List<LinkTicket> _tickets = [];
    private readonly TaskCompletionSource<bool> _ended = new(TaskCreationOptions.RunContinuationsAsynchronously);
    private long _refused;
    private int _links;
    private int _reserved;         // links that are open, or whose Welcome is being written
    private Exception? _failure;   // what has ended the thread of the handshakes
    private bool _isDisposed;

    /// <summary>Initializes a new instance of the <see cref="LinkListener"/> class and begins to accept.</summary>
    /// <param name="wires">Where connections come from; owned by the listener from now on.</param>
    /// <param name="options">Limits and names for every link; null: the defaults. Copied.</param>
    /// <exception cref="ArgumentException">An option cannot be used; the message names every one.</exception>
    /// <exception cref="TransportException"><see cref="TransportFault.BadEndpoint"/>: the system gives no thread for the
    /// listener.</exception>
    internal LinkListener(IWireListener wires, LinkOptions? options = null)
    {
        try
        {
            _options = (options ?? new LinkOptions()).ForListener();
            _pool = _options.GetOrCreatePool();
            _pulse = new Heartbeat(_options, _pool);
        }
        catch
        {
            wires.Dispose();
            throw;
        }

        Endpoint = wires.Endpoint;
        if (HandshakeThread.TryStart(wires, _options, this) is { } started)
        {
            _handshakes = started;
            return;
        }

        _pulse.Dispose();
        wires.Dispose();
        throw new TransportException(TransportFault.BadEndpoint, $"Cannot listen at {Endpoint}: {Threads.NoMore}.");
    }

    /// <summary>Occurs for each connection that got no Welcome; on the thread of the listener, one call at a time. A subscriber must not
    /// throw or wait: meanwhile nobody else can connect.</summary>
    public event EventHandler<RefusedConnection>? ConnectionRefused;

    /// <summary>Gets or sets what is called each time that no connection could be taken, with the system's reason; one call at a time. It
    /// must not throw or wait.</summary>
    internal Action<string>? AcceptFailed { get; set; }

    /// <summary>Gets the endpoint to give to the process that is to connect.</summary>
    public WireEndpoint Endpoint { get; }

    /// <summary>Gets how many connections never got Welcome.</summary>
    public long RefusedConnections
    {
        get
        {
            lock (_gate)
            {
                return _refused;
            }
        }
    }

    /// <summary>Gets how many links of this listener are open.</summary>
    public int Links
    {
        get
        {
            lock (_gate)
            {
                return _links;
            }
        }
    }

    /// <summary>Listens on a new private endpoint.</summary>
    /// <param name="kind">The kind of wire.</param>
    /// <param name="options">Limits and names for every link; null: the defaults. Copied.</param>
    /// <returns>The listener.</returns>
    /// <exception cref="ArgumentException">An option cannot be used; the message names every one. Or <paramref name="kind"/> has no such
    /// value.</exception>
    /// <exception cref="TransportException"><see cref="TransportFault.BadEndpoint"/>: there is no folder that only this user can
    /// enter.</exception>
    public static LinkListener Start(WireKind kind, LinkOptions? options = null) =>
        Start(WireEndpoint.CreatePrivate(kind), options);

    /// <summary>Listens on an endpoint.</summary>
    /// <param name="endpoint">The endpoint; the folder of a socket must exist. A socket that an exited process left there is
    /// replaced.</param>
    /// <param name="options">Limits and names for every link; null: the defaults. Copied.</param>
    /// <returns>The listener.</returns>
    /// <exception cref="ArgumentException">An option cannot be used; the message names every one.</exception>
    /// <exception cref="TransportException"><see cref="TransportFault.BadEndpoint"/>: the endpoint cannot be used, or another process
    /// listens there.</exception>
    public static LinkListener Start(WireEndpoint endpoint, LinkOptions? options = null)
    {
        ArgumentGuard.NotNull(endpoint, nameof(endpoint));
        LinkOptions checkedOptions = (options ?? new LinkOptions()).ForListener();
        return new LinkListener(WireFactory.Listen(endpoint), checkedOptions);
    }

    /// <summary>Expects one connection.</summary>
    /// <param name="node">This side's name for the node: 1 to 64 characters of A-Z a-z 0-9 . _ -</param>
    /// <returns>Its ticket.</returns>
    /// <exception cref="ArgumentException">The name is null or cannot be used.</exception>
    /// <exception cref="ObjectDisposedException">The listener has ended.</exception>
    /// <exception cref="TransportException"><see cref="TransportFault.ConnectFailed"/>: the listener has failed, nobody can connect any
    /// more.</exception>
    public LinkTicket Expect(string node)
    {
        NodeName.Check(node, nameof(node));
        var ticket = new LinkTicket(node, Forget);
        lock (_gate)
        {
            if (_isDisposed)
            {
                throw new ObjectDisposedException(nameof(LinkListener));
            }

            if (_failure is not null)
            {
                throw CreateFailedException(_failure);
            }

            _tickets.Add(ticket);
        }

        return ticket;
    }

    /// <summary>Stops accepting, withdraws every ticket and frees the endpoint. Links that are open stay open.</summary>
    /// <returns>Completes when nothing is accepted any more.</returns>
    public async ValueTask DisposeAsync()
    {
        LinkTicket[] tickets;
        bool first;
        lock (_gate)
        {
            first = !_isDisposed;
            _isDisposed = true;
            tickets = [.. _tickets];
        }

        if (!first)
        {
            await _ended.Task.ConfigureAwait(false);
            return;
        }

        try
        {
            _handshakes.Stop();
            foreach (LinkTicket ticket in tickets)
            {
                ticket.Cancel();
            }

            await _handshakes.Ended.ConfigureAwait(false);
            _pulse.Dispose();
        }
        finally
        {
            _ended.TrySetResult(true);
        }
    }

    void IHandshakeOwner.OnHello(AcceptingHandshake handshake)
    {
        LinkThreads? threads = null;
        bool reserved = false, held = false, linked = false;
        try
        {
            HandshakeResult result = handshake.Answer(Claim, () => Reserve(out reserved, out threads));
            _pulse.Hold();
            held = true;
            var link = new Link(handshake.Wire, _options, _pool, _pulse, result, threads!, isMain: true);
            linked = true;
            Count(links: 1);
            _ = CountDownAsync(link);
            ((LinkTicket)handshake.Ticket!).Complete(link);
        }
        catch (TransportException refusal) when (!handshake.IsWelcomed)
        {
            Refuse(handshake, refusal);
        }
        catch (Exception defect)
        {
            GiveUp(handshake, defect);
        }
        finally
        {
            if (!linked)
            {
                threads?.End();
                Count(reserved: reserved ? -1 : 0);
                if (held)
                {
                    _pulse.Dispose();
                }
            }
        }
    }

    void IHandshakeOwner.OnRefused(AcceptingHandshake handshake, TransportException refusal) => Refuse(handshake, refusal);

    void IHandshakeOwner.OnAcceptFailed(int failures, string why)
    {
        TransportEventSource.Log.AcceptFailed(failures, why);
        AcceptFailed?.Invoke(why);
    }

    void IHandshakeOwner.OnFailed(Exception failure)
    {
        LinkTicket[] tickets;
        lock (_gate)
        {
            _failure = failure;
            tickets = [.. _tickets];
        }

        TransportException failed = CreateFailedException(failure);
        TransportEventSource.Log.AcceptFailed(0, failed.Message);
        try
        {
            AcceptFailed?.Invoke(failed.Message);   // first: the report of a ticket's end then has the reason
        }
        finally
        {
            foreach (LinkTicket ticket in tickets)
            {
                ticket.Abandon(failed);
            }
        }
    }

    private TransportException CreateFailedException(Exception failure) => new(
        TransportFault.ConnectFailed,
        $"The listener at {Endpoint} has failed ({ExceptionText.MessageOf(failure)}): nobody can connect any more. Start another.",
        failure);

    private void Refuse(AcceptingHandshake handshake, TransportException refusal)
    {
        // Report first: the peer's process may end as soon as it hears, and the report of that end must have the reason.
        Count(refused: 1);
        string code = refusal.Code ?? refusal.Fault.ToString();
        TransportEventSource.Log.ConnectionRefused(code, refusal.Message);
        Report(new RefusedConnection
        {
            Code = code, Message = refusal.Message, Identity = handshake.Peer, Ticket = (LinkTicket?)handshake.Ticket,
        });
        handshake.AnswerRefusal();
        handshake.Wire.TryAbort(_options.OwnNode);
        handshake.Wire.TryDispose(_options.OwnNode);
    }

    /// <summary>Nothing but a defect gets here: this connection goes, the others stay.</summary>
    private void GiveUp(AcceptingHandshake handshake, Exception defect)
    {
        Count(refused: 1);
        handshake.Wire.TryAbort(_options.OwnNode);
        handshake.Wire.TryDispose(_options.OwnNode);
        string why = ExceptionText.MessageOf(defect);
        Report(new RefusedConnection
        {
            Code = nameof(TransportFault.HandlerFailed), Message = why, Identity = handshake.Peer, Ticket = (LinkTicket?)handshake.Ticket,
        });
        if (handshake.IsWelcomed)
        {
            ((LinkTicket)handshake.Ticket!).Fail(defect);
        }
    }

    private void Report(RefusedConnection refused)
    {
        try
        {
            ConnectionRefused?.Invoke(this, refused);
        }
        catch (Exception e)
        {
            // The caller's mistake must not cost a descriptor, nor the peer its answer.
            TransportEventSource.Log.ConnectionRefused(nameof(ConnectionRefused), "the callback threw: " + ExceptionText.MessageOf(e));
        }
    }

    /// <summary>Takes one of <see cref="LinkOptions.MaxLinks"/> and the threads of a link, before Welcome.</summary>
    private Shortage? Reserve(out bool reserved, out LinkThreads? threads)
    {
        threads = null;
        lock (_gate)
        {
            reserved = _reserved < _options.MaxLinks;
            _reserved += reserved ? 1 : 0;
        }

        if (!reserved)
        {
            string most = _options.MaxLinks.ToString(CultureInfo.InvariantCulture);
            return new Shortage("links", most, $"{most} links are open already (LinkOptions.MaxLinks)");
        }

        threads = LinkThreads.TryStart();
        return threads is null
            ? new Shortage(
                "threads", null, "the system gives the main node's process no more threads; raise their number there (ulimit -u)")
            : null;
    }

    private async Task CountDownAsync(Link link)
    {
        await link.Completion.ConfigureAwait(false);
        Count(links: -1, reserved: -1);   // together: a process that sees that there are fewer links may connect
        _pulse.Dispose();
    }

    /// <summary>Finds the ticket of a secret, comparing with every one in constant time, and takes it.</summary>
    private LinkTicket? Claim(byte[] secret)
    {
        LinkTicket? found = null;
        lock (_gate)
        {
            foreach (LinkTicket ticket in _tickets)
            {
                if (LinkSecret.AreEqual(ticket.Secret.Bytes, secret))
                {
                    found = ticket;
                }
            }
        }

        return found is ITicket known && known.TryClaim() ? found : null;
    }

    private void Count(int links = 0, int reserved = 0, int refused = 0)
    {
        lock (_gate)
        {
            _links += links;
            _reserved += reserved;
            _refused += refused;
        }
    }

    private void Forget(LinkTicket ticket)
    {
        lock (_gate)
        {
            _tickets.Remove(ticket);
        }
    }
}
