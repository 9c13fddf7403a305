using System;
using System.Collections.Generic;
using System.IO;
using System.Threading;
using System.Threading.Tasks;

namespace Transport;

/// <summary>Takes connections at one endpoint. Each expected node gets a ticket: a secret good for one connection, and the link that it brings.</summary>
/// <remarks>Accepting never waits for a client: every handshake runs beside the others, under its own deadline.</remarks>
public sealed class LinkListener : IAsyncDisposable
{
    private readonly IWireListener _wires;
    private readonly LinkOptions _options;
    private readonly SegmentPool _pool;
    private readonly Heartbeat _pulse;
    private readonly object _gate = new();
    private readonly List<LinkTicket> _tickets = [];
    private readonly LinkedList<AcceptingHandshake> _pending = new();
    private readonly Task _accepting;
    private readonly TaskCompletionSource<bool> _ended = new(TaskCreationOptions.RunContinuationsAsynchronously);
    private long _refused;
    private int _links;
    private int _reserved;   // links that are open, or whose Welcome is being written
    private volatile bool _disposed;

    /// <summary>Initializes a new instance of the <see cref="LinkListener"/> class and begins to accept.</summary>
    /// <param name="wires">Where connections come from; owned by the listener from now on.</param>
    /// <param name="options">Limits and names for every link; null: the defaults. Copied.</param>
    /// <exception cref="TransportException"><see cref="TransportFault.BadOptions"/>.</exception>
    public LinkListener(IWireListener wires, LinkOptions? options = null)
    {
        _wires = wires ?? throw new ArgumentNullException(nameof(wires));
        _options = (options ?? new LinkOptions()).CheckedCopy();
        _pool = _options.GetOrCreatePool();
        _pulse = new Heartbeat(_options, _pool);
        _accepting = Task.Run(AcceptAsync);
    }

    /// <summary>Gets or sets what is called for each connection that got no Welcome; from any thread, one call a connection. It must not throw or wait.</summary>
    public Action<RefusedConnection>? ConnectionRefused { get; set; }

    /// <summary>Gets or sets what is called each time that no connection could be taken, with the system's reason; one call at a time. It must not throw or wait.</summary>
    internal Action<string>? AcceptFailed { get; set; }

    /// <summary>Gets the endpoint to tell whoever is to connect.</summary>
    public WireEndpoint Endpoint => _wires.Endpoint;

    /// <summary>Gets how many connections never got Welcome.</summary>
    public long Refused => Volatile.Read(ref _refused);

    /// <summary>Gets how many links of this listener are open.</summary>
    public int Links => Volatile.Read(ref _links);

    /// <summary>Listens on a new private endpoint.</summary>
    /// <param name="kind">"unix" or "pipe".</param>
    /// <param name="options">Limits and names for every link; null: the defaults. Copied.</param>
    /// <returns>The listener.</returns>
    /// <exception cref="TransportException"><see cref="TransportFault.BadEndpoint"/>, <see cref="TransportFault.BadOptions"/>.</exception>
    public static LinkListener Start(string kind, LinkOptions? options = null) => new(WireFactory.Listen(WireFactory.NewEndpoint(kind)), options);

    /// <summary>Expects one connection.</summary>
    /// <param name="node">This side's name for the node.</param>
    /// <returns>Its ticket.</returns>
    /// <exception cref="ObjectDisposedException">The listener has ended.</exception>
    public LinkTicket Expect(string node)
    {
        var ticket = new LinkTicket(node, Forget);
        lock (_gate)
        {
            if (_disposed)
            {
                throw new ObjectDisposedException(nameof(LinkListener));
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
        AcceptingHandshake[] pending;
        bool first;
        lock (_gate)
        {
            first = !_disposed;
            _disposed = true;
            tickets = [.. _tickets];
            pending = [.. _pending];
        }

        if (!first)
        {
            await _ended.Task.ConfigureAwait(false);
            return;
        }

        try
        {
            await EndAsync(tickets, pending).ConfigureAwait(false);
        }
        finally
        {
            _ended.TrySetResult(true);
        }
    }

    private async Task EndAsync(LinkTicket[] tickets, AcceptingHandshake[] pending)
    {
        _wires.Dispose();
        foreach (LinkTicket ticket in tickets)
        {
            ticket.Cancel();
        }

        foreach (AcceptingHandshake handshake in pending)
        {
            handshake.Evict();
        }

        await _accepting.ConfigureAwait(false);
        _pulse.Dispose();
    }

    private async Task AcceptAsync()
    {
        int failures = 0;
        while (!_disposed)
        {
            try
            {
                IWire wire = await _wires.AcceptAsync().ConfigureAwait(false);
                failures = 0;
                _pulse.Hold();   // this handshake, and the link that it becomes
                _ = ShakeHandsAsync(wire);
            }
            catch (ObjectDisposedException)
            {
                return;
            }
            catch (IOException e)
            {
                // One connection failed; where it is the system that has no descriptors left, asking again at once would spin.
                failures++;
                string why = ExceptionText.MessageOf(e);
                TransportEventSource.Log.AcceptFailed(failures, why);
                if (e is DescriptorLimitException crowded)
                {
                    Refuse(crowded.Wire);
                }
                else
                {
                    AcceptFailed?.Invoke(why);
                }

                using var pause = new Delay(_options.Clock, TimeSpan.FromMilliseconds(Math.Min(1 << Math.Min(failures, 7), 100)));
                await pause.Task.ConfigureAwait(false);
            }
        }
    }

    private async Task ShakeHandsAsync(IWire wire)
    {
        bool linked = false, reserved = false;
        var handshake = new AcceptingHandshake(wire, _options, Claim, () => reserved = TryReserve());
        LinkedListNode<AcceptingHandshake> entry = Admit(handshake);
        try
        {
            await Task.Yield();
            HandshakeResult result = await handshake.RunAsync().ConfigureAwait(false);
            var link = new Link(wire, _options, _pool, _pulse, result) { IsMain = true };
            Interlocked.Increment(ref _links);
            linked = true;
            _ = CountDownAsync(link);
            handshake.Ticket!.Complete(link);
        }
        catch (TransportException refusal) when (!handshake.IsWelcomed)
        {
            Refuse(wire, handshake, refusal);
        }
        catch (Exception defect)
        {
            // Nothing but a defect gets here; this connection goes, the others stay.
            Interlocked.Increment(ref _refused);
            wire.Abort();
            wire.Dispose();
            string why = ExceptionText.MessageOf(defect);
            Tell(new RefusedConnection(nameof(TransportFault.HandlerFailed), why, wire.Peer) { Ticket = handshake.Ticket });
            if (handshake.IsWelcomed)
            {
                handshake.Ticket!.Fail(defect);
            }
        }
        finally
        {
            lock (_gate)
            {
                if (entry.List is not null)
                {
                    _pending.Remove(entry);
                }
            }

            handshake.Dispose();
            if (!linked)
            {
                if (reserved)
                {
                    Interlocked.Decrement(ref _reserved);
                }

                _pulse.Dispose();
            }
        }
    }

    /// <summary>Nothing waits here: the answer to a connection that was just made has room.</summary>
    private void Refuse(IWire wire)
    {
        using var handshake = new AcceptingHandshake(wire, _options, Claim, () => false);
        Refuse(wire, handshake, handshake.RefuseForWantOfDescriptors());
    }

    private void Refuse(IWire wire, AcceptingHandshake handshake, TransportException refusal)
    {
        // Told here before the peer hears of it: its process may end at once, and whoever reports that end must know why.
        Interlocked.Increment(ref _refused);
        TransportEventSource.Log.ConnectionRefused(refusal.Code ?? refusal.Fault.ToString(), refusal.Message);
        Tell(new RefusedConnection(refusal.Code ?? refusal.Fault.ToString(), refusal.Message, wire.Peer) { Ticket = handshake.Ticket });
        handshake.AnswerRefusal();
        wire.Abort();
        wire.Dispose();
    }

    private void Tell(RefusedConnection refused)
    {
        try
        {
            ConnectionRefused?.Invoke(refused);
        }
        catch (Exception e)
        {
            // The caller's mistake must not cost a descriptor, nor the peer its answer.
            TransportEventSource.Log.ConnectionRefused(nameof(ConnectionRefused), "the callback threw: " + ExceptionText.MessageOf(e));
        }
    }

    /// <summary>Lets a handshake begin; where too many are pending the oldest goes, so that a flood of silent clients cannot keep a real one out.</summary>
    private LinkedListNode<AcceptingHandshake> Admit(AcceptingHandshake handshake)
    {
        AcceptingHandshake? oldest = null;
        LinkedListNode<AcceptingHandshake> entry;
        lock (_gate)
        {
            if (_disposed)
            {
                oldest = handshake;   // accepted before the end, which did not see it
            }
            else if (_pending.Count >= _options.MaxPendingHandshakes)
            {
                oldest = _pending.First!.Value;
                _pending.RemoveFirst();
            }

            entry = _pending.AddLast(handshake);
        }

        oldest?.Evict();
        return entry;
    }

    /// <summary>Takes one of <see cref="LinkOptions.MaxLinks"/>, before Welcome.</summary>
    private bool TryReserve()
    {
        if (Interlocked.Increment(ref _reserved) <= _options.MaxLinks)
        {
            return true;
        }

        Interlocked.Decrement(ref _reserved);
        return false;
    }

    private async Task CountDownAsync(Link link)
    {
        await link.Ended.ConfigureAwait(false);
        Interlocked.Decrement(ref _reserved);   // first: whoever sees that there are fewer links may connect
        Interlocked.Decrement(ref _links);
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

        return found is not null && found.TryClaim() ? found : null;
    }

    private void Forget(LinkTicket ticket)
    {
        lock (_gate)
        {
            _tickets.Remove(ticket);
        }
    }
}
