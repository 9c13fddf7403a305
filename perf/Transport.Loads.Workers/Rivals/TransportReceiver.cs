using System;
using System.Threading.Tasks;
using Transport.Loads.Events;

namespace Transport.Loads.Rivals;

/// <summary>This library's listening end, over a Unix socket, with one expected worker.</summary>
internal sealed class TransportReceiver : IEventReceiver
{
    private readonly LinkListener _listener;
    private readonly LinkTicket _ticket;

    public TransportReceiver(EventSink sink)
        : this(_ => new PacketRouter().On(LoadEventFormatter.Type, (one, _) => sink.Take(one)), sink.Fail)
    {
    }

    /// <summary>Initializes a new instance of the <see cref="TransportReceiver"/> class.</summary>
    /// <param name="router">Makes the router, given the link.</param>
    /// <param name="failed">Called with how the link ended, if that was not clean.</param>
    /// <param name="maxPacketBytes">The most bytes of a packet; null: the default.</param>
    public TransportReceiver(Func<Link, PacketRouter> router, Action<string> failed, int? maxPacketBytes = null)
    {
        var options = new LinkOptions { Buffers = LoadBuffers.FromEnvironment() };
        options.MaxPacketBytes = maxPacketBytes ?? options.MaxPacketBytes;
        _listener = LinkListener.Start(WireKind.UnixSocket, options);
        _ticket = _listener.Expect("worker");
        _ = RunAsync(router, failed);
    }

    public string Address => _listener.Endpoint.ToString();

    public string Secret => _ticket.Secret.Reveal();

    public void Dispose() => _listener.DisposeAsync().AsTask().GetAwaiter().GetResult();

    private async Task RunAsync(Func<Link, PacketRouter> router, Action<string> failed)
    {
        Link link = await _ticket.WaitForLinkAsync().ConfigureAwait(false);
        link.Start(router(link));
        LinkEnd end = await link.Completion.ConfigureAwait(false);
        if (!end.IsClean)
        {
            failed($"The link ended: {end}");
        }
    }
}
