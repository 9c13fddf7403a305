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
        Listener = kind switch
        {
            WireKinds.Memory => new MemoryWireListener("test"),
            WireKinds.Inherited => new InheritedListener(),
            _ => WireFactory.Listen(EndpointDirectory.NewEndpoint(wire, _folder.Settings)),
        };
    }

    /// <summary>Gets the endpoint.</summary>
    public WireEndpoint Endpoint => Listener.Endpoint;

    /// <summary>Gets the listener.</summary>
    public IWireListener Listener { get; }

    /// <summary>Gets the folder in which the endpoint lies.</summary>
    public string Folder => _folder.Path;

    /// <summary>Connects, which does not wait for the listener to accept.</summary>
    /// <returns>The connecting end, owned by the caller.</returns>
    public Task<IWire> ConnectAsync() => Listener switch
    {
        MemoryWireListener memory => Task.Run(memory.Connect),
        InheritedListener inherited => Task.Run(() =>
        {
            (IWire own, IWire child) = CreatePipes();
            inherited.Offer((InheritedWire)own, CurrentProcess.Id);
            return child;
        }),
        _ => WireFactory.ConnectAsync(Endpoint, WithinExtensions.Bound, []),
    };

    /// <summary>Connects and accepts.</summary>
    /// <returns>Both ends, owned by the caller.</returns>
    public async Task<(IWire Server, IWire Client)> PairAsync()
    {
        if (Listener is InheritedListener)
        {
            return CreatePipes();   // accepted is what has written something
        }

        Task<IWire> accepting = Listener.AcceptAsync();
        IWire client = await ConnectAsync().Within("connecting").ConfigureAwait(false);
        IWire server = await accepting.Within("accepting").ConfigureAwait(false);
        return (server, client);
    }

    /// <summary>Both ends in this process: the child's are found as a child finds its own.</summary>
    private static (IWire Own, IWire Child) CreatePipes()
    {
        var pipes = InheritedPipes.Create();
        WireEndpoint told = pipes.Child.Endpoint;
        string[] words = told.Address.Split(',');
        _ = FileDescriptor.TryDuplicate(pipes.Child.Read, out int read);
        _ = FileDescriptor.TryDuplicate(pipes.Child.Write, out int write);
        pipes.Child.Dispose();
        return (pipes.Own, InheritedEnds.TakeOver(told with { Address = $"{read},{write},{words[2]},{words[3]}" }));
    }

    /// <inheritdoc/>
    public void Dispose()
    {
        Listener.Dispose();
        _folder.Dispose();
    }
}
