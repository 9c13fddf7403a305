using System;

namespace Transport.Testing.Wires;

/// <summary>A wire whose calls begin to throw when the test says so.</summary>
/// <param name="inner">The valid wire; owned from now on.</param>
internal sealed class ThrowingWire(IWire inner) : IWire
{
    private readonly object _gate = new();
    private Exception? _read;
    private Exception? _write;
    private Exception? _end;

    /// <inheritdoc/>
    public WireKind Kind => inner.Kind;

    /// <inheritdoc/>
    public PeerIdentity Peer => inner.Peer;

    /// <summary>Lets calls throw from now on; a read that waits throws when its bytes come.</summary>
    /// <param name="read">What reads throw, or null.</param>
    /// <param name="write">What writes throw, or null.</param>
    /// <param name="end">What <see cref="Abort"/> and <see cref="Dispose"/> throw after their work, or null.</param>
    public void Throw(Exception? read = null, Exception? write = null, Exception? end = null)
    {
        lock (_gate)
        {
            (_read, _write, _end) = (read, write, end);
        }
    }

    /// <inheritdoc/>
    public int Read(byte[] buffer, int offset, int count, int patience)
    {
        int read = inner.Read(buffer, offset, count, patience);
        ThrowIfSet(ref _read);
        return read;
    }

    /// <inheritdoc/>
    public void Write(byte[] buffer, int offset, int count)
    {
        ThrowIfSet(ref _write);
        inner.Write(buffer, offset, count);
    }

    /// <inheritdoc/>
    public void Shutdown() => inner.Shutdown();

    /// <inheritdoc/>
    public void Abort()
    {
        inner.Abort();
        ThrowIfSet(ref _end);
    }

    /// <inheritdoc/>
    public void Dispose()
    {
        inner.Dispose();
        ThrowIfSet(ref _end);
    }

    private void ThrowIfSet(ref Exception? chosen)
    {
        lock (_gate)
        {
            if (chosen is not null)
            {
                throw chosen;
            }
        }
    }
}
