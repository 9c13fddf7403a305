using System;

namespace Transport;

/// <summary>A connection between two processes: bytes in both directions, nothing else. It has no framing, no queue and no
/// thread.</summary>
/// <remarks>
/// One thread reads and one thread writes, each blocking in the kernel. There is no cancellation token: a cancelled write would leave half
/// a packet behind, so only <see cref="Abort"/> ends a call, and the connection with it.
/// </remarks>
internal interface IWire : IDisposable
{
    /// <summary>Gets the kind.</summary>
    WireKind Kind { get; }

    /// <summary>Gets the peer's identity as the kernel recorded it.</summary>
    PeerIdentity Peer { get; }

    /// <summary>Reads what has arrived. Blocks the calling thread until something has, the stream ends or time is up.</summary>
    /// <param name="buffer">The buffer to fill.</param>
    /// <param name="offset">The first byte to fill.</param>
    /// <param name="count">How many bytes there is capacity for, at least 1.</param>
    /// <param name="patience">How long to wait for the first byte, in milliseconds; 0 does not wait, -1 waits without limit.</param>
    /// <returns>The bytes read, at least 1; fewer than <paramref name="count"/> if no more had arrived. 0 at the end of the stream; -1 if
    /// nothing arrived in time.</returns>
    /// <exception cref="System.IO.IOException">The stream broke: the peer reset it, or this side aborted it. No other exception is thrown.
    /// </exception>
    int Read(byte[] buffer, int offset, int count, int patience);

    /// <summary>Writes all the bytes. Blocks the calling thread until the kernel has taken them, so the buffer is free when it
    /// returns.</summary>
    /// <param name="buffer">The bytes; they must not change until the call returns.</param>
    /// <param name="offset">The first byte to write.</param>
    /// <param name="count">How many bytes.</param>
    /// <exception cref="System.IO.IOException">The stream broke: the peer is gone, or this side aborted it. No other exception is thrown.
    /// </exception>
    void Write(byte[] buffer, int offset, int count);

    /// <summary>Ends this direction: the peer reads what was written, then the end of the stream. Reading goes on.</summary>
    /// <remarks>Once, after the last write that the peer needs has returned. A late Pong may still be on its way: its write returns, or
    /// throws as on a stream that is over. Never throws.</remarks>
    void Shutdown();

    /// <summary>Ends both directions at once. A blocked read or write on another thread returns.</summary>
    /// <remarks>Any thread, any number of times. Never throws, never blocks. The descriptor is released by
    /// <see cref="IDisposable.Dispose"/>.
    /// </remarks>
    void Abort();
}
