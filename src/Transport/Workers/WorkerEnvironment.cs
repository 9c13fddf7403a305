using System;
using System.Runtime.InteropServices;

namespace Transport;

/// <summary>The environment variables by which a worker finds its main node (PROTOCOL.md).</summary>
internal static class WorkerEnvironment
{
    public const string Endpoint = "TRANSPORT_ENDPOINT", Secret = "TRANSPORT_SECRET", Tail = "TRANSPORT_TAIL";

    /// <summary>The W3C trace context in which the worker was started; OpenTelemetry's name. No secret: it stays, for children to
    /// have.</summary>
    public const string TraceParent = "TRACEPARENT";

    /// <summary>Reads a variable and removes it: from the runtime's own copy, which children started by .NET get, and from the C library's,
    /// which native code hands on.</summary>
    public static string? Take(string name)
    {
        string? value = Environment.GetEnvironmentVariable(name);
        if (value is not null)
        {
            if (!RuntimeInformation.IsOSPlatform(OSPlatform.Windows))
            {
                Erase(name);
            }

            Environment.SetEnvironmentVariable(name, null);
        }

        return value;
    }

    /// <summary>Overwrites the value first: the block that a process was started with stays readable in /proc/PID/environ.</summary>
    private static unsafe void Erase(string name)
    {
        using var strings = new NativeStrings();
        byte* native = strings.One(name);
        for (byte* at = Libc.getenv(native); at != null && *at != 0; at++)
        {
            *at = (byte)'-';
        }

        _ = Libc.unsetenv(native);
    }
}
