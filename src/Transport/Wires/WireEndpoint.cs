using System;
using System.Diagnostics.CodeAnalysis;

namespace Transport;

/// <summary>Represents the place a main node listens at: <c>unix:PATH</c> or <c>pipe:NAME</c>; or what a worker has inherited of it:
/// <c>fd:READ,WRITE,INODE,INODE</c>. Immutable.</summary>
/// <param name="Kind">The kind of wire.</param>
/// <param name="Address">The socket's path, or the pipe's name (on Unix an absolute path is used as it is). Of inherited pipes: the
/// descriptors to read and to write, then the inodes of both; empty at the main node, where each worker has its own.</param>
/// <remarks>The constructor checks nothing; <see cref="Parse"/> and every use of the endpoint do. PROTOCOL.md defines the text
/// form.</remarks>
public sealed record WireEndpoint(WireKind Kind, string Address)
{
    private const string Unix = "unix";
    private const string Pipe = "pipe";
    private const string Descriptors = "fd";

    /// <summary>Reads the text form, which travels in <c>TRANSPORT_ENDPOINT</c>.</summary>
    /// <param name="text">For example <c>unix:/run/user/1000/transport/4711-5f0c19aa.sock</c>.</param>
    /// <returns>The endpoint.</returns>
    /// <exception cref="TransportException"><see cref="TransportFault.BadEndpoint"/>: another form, a kind that is not supported, a Unix
    /// path that is not absolute or too long.</exception>
    public static WireEndpoint Parse(string text) =>
        Read(text, out string? fault) ?? throw new TransportException(TransportFault.BadEndpoint, fault!);

    /// <summary>Reads the text form, which travels in <c>TRANSPORT_ENDPOINT</c>.</summary>
    /// <param name="text">The text.</param>
    /// <param name="endpoint">The endpoint, or null.</param>
    /// <returns>False if <see cref="Parse"/> would throw.</returns>
    public static bool TryParse(string? text, [NotNullWhen(true)] out WireEndpoint? endpoint)
    {
        endpoint = Read(text, out _);
        return endpoint is not null;
    }

    /// <summary>Names a new endpoint in a folder that only this user can enter, and removes the sockets that exited processes of this user
    /// left there.</summary>
    /// <param name="kind">The kind of wire.</param>
    /// <returns>An endpoint at which nobody listens yet.</returns>
    /// <remarks>
    /// The folder is <c>TRANSPORT_DIR</c> if that is set, else <c>XDG_RUNTIME_DIR/transport</c>, else <c>transport-UID</c> in the
    /// temporary folder (in <c>/tmp</c> if that path is too long). It is created with mode 0700; every call checks its owner and mode, and
    /// that it is no symbolic link.
    /// </remarks>
    /// <exception cref="ArgumentOutOfRangeException"><paramref name="kind"/> has no such value.</exception>
    /// <exception cref="TransportException"><see cref="TransportFault.BadEndpoint"/>: the folder cannot be used, or this system has no such
    /// wire; the message says why and what to do.</exception>
    public static WireEndpoint CreatePrivate(WireKind kind) => EndpointDirectory.NewEndpoint(kind, EndpointSettings.FromEnvironment());

    /// <summary>Returns the text form, which travels in <c>TRANSPORT_ENDPOINT</c> and which <see cref="Parse"/> reads.</summary>
    /// <returns>For example <c>unix:/run/user/1000/transport/4711-5f0c19aa.sock</c>.</returns>
    public override string ToString() => Word(Kind) + ":" + Address;

    /// <summary>Throws if this endpoint cannot be used on this system.</summary>
    internal void Check()
    {
        if (Fault() is { } fault)
        {
            throw new TransportException(TransportFault.BadEndpoint, fault);
        }
    }

    private static WireEndpoint? Read(string? text, out string? fault)
    {
        int colon = text?.IndexOf(':') ?? -1;
        if (colon < 0)
        {
            fault = $"'{text}' is not an endpoint; expected unix:PATH, pipe:NAME or fd:READ,WRITE,INODE,INODE.";
            return null;
        }

        string word = text!.Substring(0, colon), address = text.Substring(colon + 1);
        if (word is not (Unix or Pipe or Descriptors))
        {
            fault = word is "tcp" or "shm"
                ? $"The endpoint '{text}' is of a kind that this version does not support yet; use unix or pipe."
                : $"The endpoint '{text}' is of no known kind; expected unix, pipe or fd.";
            return null;
        }

        WireKind kind = word == Unix ? WireKind.UnixSocket : word == Pipe ? WireKind.NamedPipe : WireKind.Inherited;
        var endpoint = new WireEndpoint(kind, address);
        fault = endpoint.Fault();
        return fault is null ? endpoint : null;
    }

    private static string Word(WireKind kind) => kind switch
    {
        WireKind.UnixSocket => Unix,
        WireKind.NamedPipe => Pipe,
        WireKind.Inherited => Descriptors,
        _ => kind.ToString(),
    };

    private string? Fault()
    {
        if (Kind == WireKind.Inherited)
        {
            return SocketPath.IsWindows ? "Inherited pipes are for Unix; use pipe on Windows." : InheritedEnds.Fault(Address);
        }

        if (Kind is not (WireKind.UnixSocket or WireKind.NamedPipe))
        {
            return $"The endpoint '{this}' is of no known kind; expected unix, pipe or fd.";
        }

        bool isSocket = Kind == WireKind.UnixSocket;
        if (string.IsNullOrEmpty(Address) || Address.IndexOf('\0') >= 0)
        {
            return $"The endpoint '{Word(Kind)}:' lacks its {(isSocket ? "path" : "name")}.";
        }

        if (!isSocket)
        {
            return SocketPath.IsWindows ? null : SocketPath.PipeFault(Address);
        }

        return Address[0] == '/' ? SocketPath.Fault(Address, SocketPath.MaxBytes) : $"The path of the endpoint '{this}' must be absolute.";
    }
}
