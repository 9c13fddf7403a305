using System;

namespace Transport.Testing.Wires;

/// <summary>A wire that shows each write to the test before it is made; a hook that blocks holds the writer up.</summary>
/// <param name="inner">The valid wire; owned from now on.</param>
/// <param name="beforeWrite">Called with a copy of the bytes, on the writing thread.</param>
internal sealed class HookedWire(IWire inner, Action<byte[]> beforeWrite) : IWire
{
    /// <inheritdoc/>
    public WireKind Kind => inner.Kind;

    /// <inheritdoc/>
    public PeerIdentity Peer => inner.Peer;

    /// <inheritdoc/>
    public int Read(byte[] buffer, int offset, int count, int patience) => inner.Read(buffer, offset, count, patience);

    /// <inheritdoc/>
    public void Write(byte[] buffer, int offset, int count)
    {
        beforeWrite(buffer.AsSpan(offset, count).ToArray());
        inner.Write(buffer, offset, count);
    }

    /// <inheritdoc/>
    public void Shutdown() => inner.Shutdown();

    /// <inheritdoc/>
    public void Abort() => inner.Abort();

    /// <inheritdoc/>
    public void Dispose() => inner.Dispose();
}
