using System;
using System.Threading.Tasks;

namespace Transport.Testing.Wires;

/// <summary>A listener at a fresh endpoint in a folder of its own, and a way to connect to it. Disposing removes both.</summary>
internal sealed class WireRig : IDisposable
{
    private readonly TestFolder _folder = new();

    internal WireRig(string kind)
    {
        WireKind wire = WireKinds.Of(kind);
        Endpoint = kind == WireKinds.Memory ? new WireEndpoint(wire, "test") : EndpointDirectory.NewEndpoint(wire, _folder.Settings);
        Listener = kind == WireKinds.Memory ? new MemoryWireListener(Endpoint.Address) : WireFactory.Listen(Endpoint);
    }

    /// <summary>Gets the endpoint.</summary>
    public WireEndpoint Endpoint { get; }

    /// <summary>Gets the listener.</summary>
    public IWireListener Listener { get; }

    /// <summary>Gets the folder in which the endpoint lies.</summary>
    public string Folder => _folder.Path;

    /// <summary>Connects, which does not wait for the listener to accept.</summary>
    /// <returns>The connecting end, owned by the caller.</returns>
    public Task<IWire> ConnectAsync() => Listener is MemoryWireListener memory
        ? Task.Run(memory.Connect)
        : WireFactory.ConnectAsync(Endpoint, WithinExtensions.Bound, []);

    /// <summary>Connects and accepts.</summary>
    /// <returns>Both ends, owned by the caller.</returns>
    public async Task<(IWire Server, IWire Client)> PairAsync()
    {
        Task<IWire> accepting = Listener.AcceptAsync();
        IWire client = await ConnectAsync().Within("connecting").ConfigureAwait(false);
        IWire server = await accepting.Within("accepting").ConfigureAwait(false);
        return (server, client);
    }

    /// <inheritdoc/>
    public void Dispose()
    {
        Listener.Dispose();
        _folder.Dispose();
    }
}
