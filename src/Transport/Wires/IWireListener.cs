using System;
using System.Collections.Generic;

namespace Transport;

/// <summary>Accepts connections at one endpoint, for one thread that also waits for the first bytes of those it has accepted.</summary>
internal interface IWireListener : IDisposable
{
    /// <summary>Gets the endpoint that a connecting process must be given.</summary>
    WireEndpoint Endpoint { get; }

    /// <summary>Blocks until a connection waits to be accepted, an accepted wire has something to read, or <see cref="Wake"/> is called.
    /// </summary>
    /// <param name="wires">Wires that <see cref="TryAccept"/> returned and whose input is waited for.</param>
    /// <param name="ready">Receives the positions in <paramref name="wires"/> of those whose next read does not wait.</param>
    /// <param name="accept">Whether to wait for connections too.</param>
    void Wait(IReadOnlyList<IWire> wires, ICollection<int> ready, bool accept);

    /// <summary>Accepts a connection without waiting.</summary>
    /// <returns>The wire, owned by the caller; null if no connection waits.</returns>
    /// <exception cref="System.IO.IOException">This connection failed, or the system refused it (out of descriptors). The listener goes on.
    /// </exception>
    IWire? TryAccept();

    /// <summary>Ends a <see cref="Wait"/>, or the next one if none is under way. Any thread, any number of times.</summary>
    void Wake();
}
