using System.Threading.Tasks;

namespace Transport;

/// <summary>A wire inside one process: for tests, and for a worker that runs in the main node's own process.</summary>
public sealed class MemoryWire : IWire
{
    private readonly MemoryChannel _in;
    private readonly MemoryChannel _out;

    private MemoryWire(MemoryChannel @in, MemoryChannel @out, PeerIdentity peer)
    {
        _in = @in;
        _out = @out;
        Peer = peer;
    }

    /// <summary>Gets the bytes that one direction holds before a write blocks: 1 MiB, as a socket's buffer.</summary>
    public static int Capacity => 1 << 20;

    /// <inheritdoc/>
    public string Kind => WireEndpoint.Memory;

    /// <summary>Gets this process: both ends are in it.</summary>
    public PeerIdentity Peer { get; }

    /// <summary>Makes two connected ends.</summary>
    /// <returns>Both ends; each is owned, and must be disposed, by who gets it.</returns>
    public static (MemoryWire First, MemoryWire Second) CreatePair()
    {
        var there = new MemoryChannel(Capacity);
        var back = new MemoryChannel(Capacity);
        EndpointSettings own = EndpointSettings.FromEnvironment();
        var self = new PeerIdentity(SocketPath.IsWindows ? null : (int)own.UserId, null, own.ProcessId, true);
        return (new MemoryWire(back, there, self), new MemoryWire(there, back, self));
    }

    /// <inheritdoc/>
    public ValueTask<int> ReadAsync(byte[] buffer, int offset, int count) => _in.ReadAsync(buffer, offset, count);

    /// <inheritdoc/>
    public void Write(byte[] buffer, int offset, int count) => _out.Write(buffer, offset, count);

    /// <inheritdoc/>
    public void CompleteWriting() => _out.Complete();

    /// <inheritdoc/>
    public void Abort()
    {
        _out.AbortWriter();
        _in.AbortReader();
    }

    /// <summary>The same as <see cref="Abort"/>: what was written can still be read by the peer.</summary>
    public void Dispose() => Abort();
}
