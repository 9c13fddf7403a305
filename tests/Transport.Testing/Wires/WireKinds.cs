using System;
using System.Collections.Generic;

namespace Transport.Testing.Wires;

/// <summary>The wires to run suites over: <c>[ValueSource(typeof(WireKinds), nameof(WireKinds.All))] string wire</c>.</summary>
public static class WireKinds
{
    /// <summary>Unix domain sockets.</summary>
    public const string Unix = "unix";

    /// <summary>Named pipes.</summary>
    public const string Pipe = "pipe";

    /// <summary>Pipes that a child inherits.</summary>
    public const string Inherited = "inherited";

    /// <summary>Inside one process.</summary>
    public const string Memory = "memory";

    /// <summary>The kind that a <see cref="MemoryWire"/> gives.</summary>
    internal const WireKind OfMemory = WireKind.Memory;

    /// <summary>Gets every kind that this system has.</summary>
    public static IReadOnlyList<string> All { get; } = SocketPath.IsWindows ? [Pipe, Memory] : [Unix, Pipe, Inherited, Memory];

    /// <summary>Gets the kinds that have an address.</summary>
    public static IReadOnlyList<string> BetweenProcesses { get; } = SocketPath.IsWindows ? [Pipe] : [Unix, Pipe];

    /// <summary>Returns the library's value for a kind.</summary>
    /// <param name="kind">One of <see cref="All"/>.</param>
    public static WireKind Of(string kind) => kind switch
    {
        Unix => WireKind.UnixSocket,
        Pipe => WireKind.NamedPipe,
        Inherited => WireKind.Inherited,
        Memory => OfMemory,
        _ => throw new ArgumentOutOfRangeException(nameof(kind), kind, "Expected one of All."),
    };

    /// <summary>Starts listening at a fresh private endpoint.</summary>
    /// <param name="kind">One of <see cref="All"/>.</param>
    /// <returns>The listener and its folder, owned by the caller.</returns>
    internal static WireRig Open(string kind) => new(kind);
}
