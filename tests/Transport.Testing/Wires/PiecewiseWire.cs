using System;
using System.IO;
using System.Threading;

namespace Transport.Testing.Wires;

/// <summary>A wire that takes each write in two halves, gives other threads the processor between them, and notices if two threads are ever
/// inside a write at once.</summary>
/// <param name="inner">Where the bytes go as well; owned from now on. Null: nowhere, and nothing can be read.</param>
internal sealed class PiecewiseWire(IWire? inner = null) : IWire
{
    private readonly MemoryStream _bytes = new();
    private int _inside;
    private volatile bool _shared;

    /// <inheritdoc/>
    public WireKind Kind => inner?.Kind ?? WireKinds.OfMemory;

    /// <inheritdoc/>
    public PeerIdentity Peer => inner?.Peer ?? throw new NotSupportedException();

    /// <summary>Gets a value indicating whether two threads were inside <see cref="Write"/> at once.</summary>
    public bool IsShared => _shared;

    /// <summary>Returns everything that was written so far.</summary>
    /// <returns>A copy.</returns>
    public byte[] Bytes()
    {
        lock (_bytes)
        {
            return _bytes.ToArray();
        }
    }

    /// <inheritdoc/>
    public int Read(byte[] buffer, int offset, int count, int patience) =>
        inner?.Read(buffer, offset, count, patience) ?? throw new NotSupportedException();

    /// <inheritdoc/>
    public void Write(byte[] buffer, int offset, int count)
    {
        if (Interlocked.Increment(ref _inside) != 1)
        {
            _shared = true;
        }

        try
        {
            int half = count / 2;
            Put(buffer, offset, half);
            Thread.Yield();
            Put(buffer, offset + half, count - half);
        }
        finally
        {
            Interlocked.Decrement(ref _inside);
        }
    }

    /// <inheritdoc/>
    public void Shutdown() => inner?.Shutdown();

    /// <inheritdoc/>
    public void Abort() => inner?.Abort();

    /// <inheritdoc/>
    public void Dispose() => inner?.Dispose();

    private void Put(byte[] buffer, int offset, int count)
    {
        lock (_bytes)
        {
            _bytes.Write(buffer, offset, count);
        }

        if (count > 0)
        {
            inner?.Write(buffer, offset, count);
        }
    }
}
