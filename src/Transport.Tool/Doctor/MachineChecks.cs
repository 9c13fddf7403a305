using System;
using System.Collections.Generic;
using System.Globalization;
using System.IO;
using System.Linq;
using System.Runtime.InteropServices;
using System.Text;
using Transport.Terminal;

namespace Transport.Tool;

/// <summary>What this machine allows a process: read, not tried.</summary>
internal static class MachineChecks
{
    /// <summary>A main node has pipes, a link and a tail for each of dozens of workers, and threads for each.</summary>
    private const long FewDescriptors = 1024, FewThreads = 512;

    /// <summary>A longer address does not fit into a socket's (sun_path of unix(7), with its ending zero).</summary>
    private const int MostOfPath = 107;

    private const long FewBuffer = 128 << 10;

    public static IEnumerable<Finding> All()
    {
        yield return new Finding("runtime", $"{RuntimeInformation.FrameworkDescription}, {RuntimeInformation.OSDescription}, "
            + $"{RuntimeInformation.ProcessArchitecture}, {Counted.Of(Environment.ProcessorCount, "processor")}");
        yield return Endpoint();
        if (OperatingSystem.IsLinux())
        {
            yield return Limit("Max open files", "descriptors", FewDescriptors, "raise it: ulimit -n 4096");
            yield return Limit("Max processes", "processes and threads of this user", FewThreads, "raise it: ulimit -u");
            var container = new GroupLimits();
            yield return Judge(
                "processes and threads of this container", container.Processes(), FewThreads, "raise the container's limit of pids");
            yield return Judge("memory of this container", container.Memory(), 512L << 20, "raise the container's limit of memory");
            yield return SocketBuffer();
        }
    }

    private static Finding Endpoint()
    {
        try
        {
            WireKind kind = OperatingSystem.IsWindows() ? WireKind.NamedPipe : WireKind.UnixSocket;
            WireEndpoint endpoint = WireEndpoint.CreatePrivate(kind);
            if (kind == WireKind.NamedPipe)
            {
                return new Finding("endpoints", endpoint.Address);
            }

            int bytes = Encoding.UTF8.GetByteCount(endpoint.Address);
            return new Finding("endpoints", string.Create(CultureInfo.InvariantCulture,
                $"{Path.GetDirectoryName(endpoint.Address)}, addresses of {bytes} of {MostOfPath} bytes"));
        }
        catch (TransportException e)
        {
            return new Finding("endpoints", "none", e.Message);
        }
    }

    private static Finding Limit(string name, string what, long few, string advice)
    {
        string? line = Lines("/proc/self/limits").FirstOrDefault(one => one.StartsWith(name, StringComparison.Ordinal));
        string soft = line?[name.Length..].Split(' ', StringSplitOptions.RemoveEmptyEntries).FirstOrDefault() ?? "unknown";
        return Judge(what, soft, few, advice);
    }

    private static Finding SocketBuffer()
    {
        string bytes = Lines("/proc/sys/net/core/wmem_default").FirstOrDefault() ?? "unknown";
        return Judge("bytes of a socket's buffer", bytes, FewBuffer, "raise it: sysctl net.core.wmem_default=212992");
    }

    private static Finding Judge(string what, string value, long few, string advice)
    {
        bool isNumber = long.TryParse(value, NumberStyles.None, CultureInfo.InvariantCulture, out long number);
        string shown = isNumber ? number.ToString("N0", CultureInfo.InvariantCulture) : value;
        return new Finding(what, shown, isNumber && number < few
            ? string.Create(CultureInfo.InvariantCulture, $"fewer than {few:N0}: {advice}") : null);
    }

    /// <summary>Reads a file of the system's; none of its lines if it is not there or may not be read.</summary>
    internal static string[] Lines(string path)
    {
        try
        {
            return File.ReadAllLines(path);
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException)
        {
            return [];
        }
    }
}
