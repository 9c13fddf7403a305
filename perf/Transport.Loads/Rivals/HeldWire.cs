using System;
using System.Threading;

namespace Transport.Loads.Rivals;

/// <summary>A wire that counts its writes, each of which is one system call, and their bytes; it can be held, so that packets queue behind
/// a write.</summary>
internal sealed class HeldWire(IWire wire) : IWire
{
    private readonly ManualResetEventSlim _open = new(initialState: true);
    private long _begun;
    private long _writes;
    private long _bytes;

    public WireKind Kind => wire.Kind;

    public PeerIdentity Peer => wire.Peer;

    /// <summary>Gets the writes that have begun; one may be held.</summary>
    public long Begun => Volatile.Read(ref _begun);

    /// <summary>Gets the writes that have ended.</summary>
    public long Writes => Volatile.Read(ref _writes);

    /// <summary>Gets their bytes.</summary>
    public long Bytes => Volatile.Read(ref _bytes);

    /// <summary>Lets the next write wait.</summary>
    public void Hold() => _open.Reset();

    /// <summary>Lets it go on, and those behind it.</summary>
    public void Release() => _open.Set();

    public void Write(byte[] buffer, int offset, int count)
    {
        Volatile.Write(ref _begun, _begun + 1);
        _open.Wait();
        wire.Write(buffer, offset, count);
        Volatile.Write(ref _bytes, _bytes + count);
        Volatile.Write(ref _writes, _writes + 1);
    }

    public int Read(byte[] buffer, int offset, int count, int patience) => wire.Read(buffer, offset, count, patience);

    public void Shutdown() => wire.Shutdown();

    public void Abort() => wire.Abort();

    public void Dispose()
    {
        _open.Set();
        wire.Dispose();
    }
}
