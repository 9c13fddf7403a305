using System;

namespace Transport.Loads.Rivals;

/// <summary>The worker's link to the main process.</summary>
internal static class WorkerLink
{
    /// <summary>The environment variable that carries the secret: never on a command line.</summary>
    public const string SecretVariable = "TRANSPORT_SECRET";

    /// <summary>Connects and begins to read.</summary>
    /// <param name="address">The endpoint.</param>
    /// <param name="options">Limits; null: the defaults.</param>
    /// <param name="router">Who takes what comes back; null: nobody.</param>
    /// <param name="wire">Puts something between the link and its wire; null: nothing.</param>
    public static Link Connect(
        string address, LinkOptions? options = null, PacketRouter? router = null, Func<IWire, IWire>? wire = null)
    {
        LinkSecret secret = LinkSecret.Parse(Environment.GetEnvironmentVariable(SecretVariable));
        options ??= new LinkOptions();
        options.Buffers ??= LoadBuffers.FromEnvironment();
        WireEndpoint endpoint = WireEndpoint.Parse(address);
        IWire connected = WireFactory.ConnectAsync(endpoint, TimeSpan.FromSeconds(10), []).GetAwaiter().GetResult();
        Link link = LinkConnector.ConnectAsync(wire is null ? connected : wire(connected), secret, options).GetAwaiter().GetResult();
        link.Start(router ?? new PacketRouter());
        return link;
    }
}
