using System;

namespace Transport;

/// <summary>A wire inside one process: two bounded rings of bytes. Keeps the contract of <see cref="IWire"/>.</summary>
internal sealed class MemoryWire : IWire
{
    /// <summary>How many bytes each direction holds before a write blocks: as a socket's buffer.</summary>
    public const int Capacity = 1 << 20;

    private readonly MemoryChannel _in;
    private readonly MemoryChannel _out;

    private MemoryWire(MemoryChannel @in, MemoryChannel @out, PeerIdentity peer)
    {
        _in = @in;
        _out = @out;
        Peer = peer;
    }

    public WireKind Kind => WireKind.Memory;

    /// <summary>Gets this process: both ends are in it.</summary>
    public PeerIdentity Peer { get; }

    /// <summary>Gets a value indicating whether a read does not wait.</summary>
    public bool IsReadable => _in.IsReadable;

    /// <summary>Makes two connected wires.</summary>
    /// <param name="firstIsReadable">Called, outside any lock, whenever the first may have become readable.</param>
    public static (MemoryWire First, MemoryWire Second) CreatePair(Action? firstIsReadable = null)
    {
        var one = new MemoryChannel(Capacity, firstIsReadable);
        var other = new MemoryChannel(Capacity);
        EndpointSettings own = EndpointSettings.FromEnvironment();
        var self = new PeerIdentity
        {
            UserId = SocketPath.IsWindows ? null : (int)own.UserId, ProcessId = own.ProcessId, IsCurrentUser = true,
        };
        return (new MemoryWire(one, other, self), new MemoryWire(other, one, self));
    }

    public int Read(byte[] buffer, int offset, int count, int patience) => _in.Read(buffer, offset, count, patience);

    public void Write(byte[] buffer, int offset, int count) => _out.Write(buffer, offset, count);

    public void Shutdown() => _out.Complete();

    public void Abort()
    {
        _out.AbortWriter();
        _in.AbortReader();
    }

    /// <summary>The same as <see cref="Abort"/>: what was written can still be read by the peer.</summary>
    public void Dispose() => Abort();
}
