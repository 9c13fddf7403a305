using System;
using System.Diagnostics.CodeAnalysis;

namespace Transport;

/// <summary>Where a main node listens: <c>unix:PATH</c>, <c>pipe:NAME</c> or <c>memory:NAME</c>. Immutable.</summary>
/// <param name="Kind">"unix", "pipe" or "memory".</param>
/// <param name="Address">The socket's path, the pipe's name (on Unix an absolute path is used as it is), or the name of an in-memory
/// listener.</param>
/// <remarks>The constructor checks nothing; <see cref="Parse"/> does, and so does whoever uses it. The form is that of
/// PROTOCOL.md.</remarks>
public sealed record WireEndpoint(string Kind, string Address)
{
    internal const string Unix = "unix";
    internal const string Pipe = "pipe";
    internal const string Memory = "memory";

    /// <summary>Reads the form that travels in <c>TRANSPORT_ENDPOINT</c>.</summary>
    /// <param name="text">For example <c>unix:/run/user/1000/transport/4711-5f0c19aa.sock</c>.</param>
    /// <returns>The endpoint.</returns>
    /// <exception cref="TransportException"><see cref="TransportFault.BadEndpoint"/>: another form, a kind that is not supported, a Unix
    /// path that is not absolute or too long.</exception>
    public static WireEndpoint Parse(string text) =>
        Read(text, out string? fault) ?? throw new TransportException(TransportFault.BadEndpoint, fault!);

    /// <summary>Reads the form that travels in <c>TRANSPORT_ENDPOINT</c>.</summary>
    /// <param name="text">The text.</param>
    /// <param name="endpoint">The endpoint, or null.</param>
    /// <returns>False where <see cref="Parse"/> would throw.</returns>
    public static bool TryParse(string? text, [NotNullWhen(true)] out WireEndpoint? endpoint)
    {
        endpoint = Read(text, out _);
        return endpoint is not null;
    }

    /// <summary>Names a new endpoint in a folder that only this user can enter, and removes the sockets that dead processes of this user
    /// left
    /// there.</summary>
    /// <param name="kind">"unix" (not on Windows) or "pipe".</param>
    /// <returns>An endpoint at which nobody listens yet.</returns>
    /// <remarks>
    /// The folder is <c>TRANSPORT_DIR</c> if that is set, else <c>XDG_RUNTIME_DIR/transport</c>, else <c>transport-UID</c> in the
    /// temporary folder (in <c>/tmp</c> if that path is too long). It is created with mode 0700; every call checks its owner and mode, and
    /// that it is no symbolic link.
    /// </remarks>
    /// <exception cref="TransportException"><see cref="TransportFault.BadEndpoint"/>: the folder cannot be used; the message says why and
    /// what
    /// to do.</exception>
    public static WireEndpoint CreatePrivate(string kind) => EndpointDirectory.NewEndpoint(kind, EndpointSettings.FromEnvironment());

    /// <summary>Returns the form that travels in <c>TRANSPORT_ENDPOINT</c>, which <see cref="Parse"/> reads.</summary>
    /// <returns>For example <c>unix:/run/user/1000/transport/4711-5f0c19aa.sock</c>.</returns>
    public override string ToString() => Kind + ":" + Address;

    /// <summary>Throws where this endpoint cannot be used on this system.</summary>
    internal void Check()
    {
        if (Fault(Kind, Address) is { } fault)
        {
            throw new TransportException(TransportFault.BadEndpoint, fault);
        }
    }

    private static WireEndpoint? Read(string? text, out string? fault)
    {
        int colon = text?.IndexOf(':') ?? -1;
        if (colon < 0)
        {
            fault = $"An endpoint is unix:PATH, pipe:NAME or memory:NAME; what came is '{text}'.";
            return null;
        }

        var endpoint = new WireEndpoint(text!.Substring(0, colon), text.Substring(colon + 1));
        fault = Fault(endpoint.Kind, endpoint.Address);
        return fault is null ? endpoint : null;
    }

    private static string? Fault(string kind, string address)
    {
        if (kind is "tcp" or "shm")
        {
            return $"The endpoint '{kind}:{address}' is of a kind that this version does not support yet; use unix, pipe or memory.";
        }

        if (kind is not (Unix or Pipe or Memory))
        {
            return $"The endpoint '{kind}:{address}' is of no known kind; expected unix, pipe or memory.";
        }

        if (string.IsNullOrEmpty(address) || address.IndexOf('\0') >= 0)
        {
            return $"The endpoint '{kind}:' lacks its {(kind == Unix ? "path" : "name")}.";
        }

        return kind switch
        {
            Unix => address[0] == '/' ? SocketPath.Fault(address, SocketPath.MaxBytes) : $"The path of the endpoint 'unix:{address}' must be absolute.",
            Pipe when !SocketPath.IsWindows => SocketPath.PipeFault(address),
            _ => null,
        };
    }
}
