namespace Transport.Wires;

/// <summary>Where a main node listens: <c>unix:PATH</c>, <c>pipe:NAME</c> or <c>memory:NAME</c>. Immutable.</summary>
/// <param name="Kind">"unix", "pipe" or "memory".</param>
/// <param name="Address">The socket's path, the pipe's name (on Unix an absolute path is used as it is), or the name of an in-memory listener.</param>
public sealed record WireEndpoint(string Kind, string Address)
{
    /// <summary>Returns the form that travels in <c>TRANSPORT_ENDPOINT</c>, which <c>Parse</c> reads.</summary>
    /// <returns>For example <c>unix:/run/user/1000/transport/7f3a/m.sock</c>.</returns>
    public override string ToString() => Kind + ":" + Address;
}
