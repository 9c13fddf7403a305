using System;
using System.Threading.Tasks;

namespace Transport;

/// <summary>A full-duplex byte stream between two processes (or two ends in one). No framing, no queue, no thread of its own.</summary>
/// <remarks>
/// One read and one write may be under way at a time, on different threads. There is no token on either: a cancelled write
/// leaves half a packet behind on .NET and is ignored on Mono, so only <see cref="Abort"/> ends one, and the wire with it.
/// </remarks>
public interface IWire : IDisposable
{
    /// <summary>Gets the kind: "unix", "pipe" or "memory".</summary>
    string Kind { get; }

    /// <summary>Gets who is at the other end, as the kernel says.</summary>
    PeerIdentity Peer { get; }

    /// <summary>Reads what has arrived.</summary>
    /// <param name="buffer">Where to put it; the caller owns it and must leave it alone until the task has completed.</param>
    /// <param name="offset">The first byte to fill.</param>
    /// <param name="count">How many bytes there is room for, at least 1.</param>
    /// <returns>The bytes read, at least 1, in one piece or fewer than asked for; 0 at the end of the stream.</returns>
    /// <exception cref="System.IO.IOException">The stream broke (peer reset, wire aborted or disposed). No other exception is thrown.</exception>
    ValueTask<int> ReadAsync(byte[] buffer, int offset, int count);

    /// <summary>Writes all the bytes; blocks the calling thread until the system has taken them, so that the buffer is free when it returns.</summary>
    /// <param name="buffer">The bytes; the caller owns them and must leave them alone until the call returns.</param>
    /// <param name="offset">The first byte to write.</param>
    /// <param name="count">How many bytes.</param>
    /// <exception cref="System.IO.IOException">The stream broke (peer gone, wire aborted or disposed). No other exception is thrown.</exception>
    void Write(byte[] buffer, int offset, int count);

    /// <summary>Ends this direction: the peer reads what was written, then the end of the stream. Reading goes on. Allowed once, after the last write has returned; never throws.</summary>
    void CompleteWriting();

    /// <summary>Ends everything at once: a pending read or write on another thread fails with <see cref="System.IO.IOException"/>. Safe from any thread, any number of times; never throws, never blocks.</summary>
    void Abort();
}

/// <summary>Takes connections at one endpoint.</summary>
public interface IWireListener : IDisposable
{
    /// <summary>Gets the endpoint that a connecting process must be told.</summary>
    WireEndpoint Endpoint { get; }

    /// <summary>Waits for the next connection. One call at a time.</summary>
    /// <returns>The connected wire, owned by the caller.</returns>
    /// <exception cref="System.IO.IOException">This one connection failed or was refused by the system (also: out of descriptors); the listener goes on and may be asked again.</exception>
    /// <exception cref="ObjectDisposedException">The listener was disposed: the only way a wait ends for good.</exception>
    ValueTask<IWire> AcceptAsync();
}
