using System;
using System.Threading.Tasks;
using Transport.Testing.Buffers;
using Transport.Testing.Wires;

namespace Transport.Testing.Links;

/// <summary>A main node's link and a worker's link over one wire, both on accusing pools; disposing it closes both and checks the
/// pools.</summary>
internal sealed class LinkRig : IAsyncDisposable
{
    private readonly WireRig? _rig;

    private LinkRig(WireRig rig, LinkListener listener, Link main, Link worker, AccusingPool mainPool, AccusingPool workerPool)
    {
        _rig = rig;
        Listener = listener;
        Main = main;
        Worker = worker;
        MainPool = mainPool;
        WorkerPool = workerPool;
    }

    public LinkListener Listener { get; }

    /// <summary>Gets the listening side's link.</summary>
    public Link Main { get; }

    /// <summary>Gets the connecting side's link.</summary>
    public Link Worker { get; }

    public AccusingPool MainPool { get; }

    public AccusingPool WorkerPool { get; }

    /// <summary>Makes another connection to the same listener.</summary>
    public Task<IWire> AnotherAsync() => _rig!.ConnectAsync();

    /// <summary>Connects two links.</summary>
    /// <param name="kind">The wire.</param>
    /// <param name="main">Changes the main node's options.</param>
    /// <param name="worker">Changes the worker's options.</param>
    /// <param name="fault">Wraps the worker's wire.</param>
    public static async Task<LinkRig> OpenAsync(
        string kind,
        Action<LinkOptions>? main = null,
        Action<LinkOptions>? worker = null,
        Func<IWire, IWire>? fault = null)
    {
        WireRig rig = WireKinds.Open(kind);
        var mainPool = new AccusingPool();
        var workerPool = new AccusingPool();
        var mainOptions = new LinkOptions { Node = "main", Pool = mainPool };
        var workerOptions = new LinkOptions { Node = "w1", Pool = workerPool };
        main?.Invoke(mainOptions);
        worker?.Invoke(workerOptions);
        var listener = new LinkListener(rig.Listener, mainOptions.WithPatience());
        LinkTicket ticket = listener.Expect("w1");
        IWire wire = await rig.ConnectAsync().Within("the link rig").ConfigureAwait(false);
        Link workerLink = await LinkConnector.ConnectAsync(fault is null ? wire : fault(wire), ticket.Secret, workerOptions.WithPatience())
            .Within("the link rig").ConfigureAwait(false);
        Link mainLink = await ticket.WaitForLinkAsync().Within("the link rig").ConfigureAwait(false);
        return new LinkRig(rig, listener, mainLink, workerLink, mainPool, workerPool);
    }

    public async ValueTask DisposeAsync()
    {
        await Task.WhenAll(Worker.CloseAsync(), Main.CloseAsync()).Within("the link rig").ConfigureAwait(false);
        await Listener.DisposeAsync().ConfigureAwait(false);
        _rig?.Dispose();
        MainPool.Judge("main");
        WorkerPool.Judge("worker");
    }
}
