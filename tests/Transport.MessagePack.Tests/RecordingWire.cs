using System;
using System.IO;
using Transport.Testing.Wires;

namespace Transport.MessagePackTests;

/// <summary>A wire that keeps what passes, in each direction.</summary>
/// <param name="inner">The valid wire; owned from now on.</param>
internal sealed class RecordingWire(IWire inner) : IWire
{
    private readonly MemoryStream _read = new();
    private readonly MemoryStream _written = new();

    /// <inheritdoc/>
    public WireKind Kind => inner.Kind;

    /// <inheritdoc/>
    public PeerIdentity Peer => inner.Peer;

    /// <summary>Returns the bytes of both directions so far.</summary>
    public (byte[] Read, byte[] Written) Take()
    {
        lock (_read)
        {
            return (_read.ToArray(), _written.ToArray());
        }
    }

    /// <inheritdoc/>
    public int Read(byte[] buffer, int offset, int count, int patience)
    {
        int read = inner.Read(buffer, offset, count, patience);
        Keep(_read, buffer, offset, Math.Max(0, read));
        return read;
    }

    /// <inheritdoc/>
    public void Write(byte[] buffer, int offset, int count)
    {
        Keep(_written, buffer, offset, count);
        inner.Write(buffer, offset, count);
    }

    /// <inheritdoc/>
    public void Shutdown() => inner.Shutdown();

    /// <inheritdoc/>
    public void Abort() => inner.Abort();

    /// <inheritdoc/>
    public void Dispose() => inner.Dispose();

    private void Keep(MemoryStream kept, byte[] buffer, int offset, int count)
    {
        lock (_read)
        {
            kept.Write(buffer, offset, count);
        }
    }
}
