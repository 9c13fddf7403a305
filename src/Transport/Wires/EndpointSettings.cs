using System;
using System.Diagnostics;
using System.IO;

namespace Transport;

/// <summary>What of this process and its environment decides where private endpoints lie. Tests make their own.</summary>
internal sealed record EndpointSettings
{
    /// <summary>Gets the user's choice (TRANSPORT_DIR), or null.</summary>
    public string? Override { get; init; }

    /// <summary>Gets the session's own folder (XDG_RUNTIME_DIR), or null.</summary>
    public string? RuntimeDirectory { get; init; }

    public string TemporaryDirectory { get; init; } = "/tmp";

    /// <summary>Gets the folder that is taken if the temporary folder's path is too long.</summary>
    public string ShortTemporaryDirectory { get; init; } = "/tmp";

    public int MaxPathBytes { get; init; } = SocketPath.MaxBytes;

    public uint UserId { get; init; }

    public int ProcessId { get; init; }

    public static EndpointSettings FromEnvironment()
    {
        using Process self = Process.GetCurrentProcess();
        return new EndpointSettings
        {
            Override = NullIfEmpty(Environment.GetEnvironmentVariable("TRANSPORT_DIR")),
            RuntimeDirectory = NullIfEmpty(Environment.GetEnvironmentVariable("XDG_RUNTIME_DIR")),
            TemporaryDirectory = Path.GetTempPath().TrimEnd('/'),
            UserId = SocketPath.IsWindows ? 0 : Libc.geteuid(),
            ProcessId = self.Id,
        };
    }

    private static string? NullIfEmpty(string? text) => string.IsNullOrEmpty(text) ? null : text;
}
