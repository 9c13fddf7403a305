using System.IO;
using System.Runtime.InteropServices;
using System.Text;

namespace Transport;

/// <summary>What a path must be to name a Unix domain socket, and which path stands behind a pipe's name.</summary>
internal static class SocketPath
{
#pragma warning disable MA0144 // netstandard2.0 has no OperatingSystem.IsWindows; one source for both.
    public static bool IsWindows { get; } = RuntimeInformation.IsOSPlatform(OSPlatform.Windows);

    public static bool IsLinux { get; } = RuntimeInformation.IsOSPlatform(OSPlatform.Linux);
#pragma warning restore MA0144

    /// <summary>Gets the longest path in bytes: sockaddr_un holds 108 bytes on Linux and 104 on macOS and the BSDs, one of them the closing
    /// NUL.</summary>
    public static int MaxBytes { get; } = IsLinux || IsWindows ? 107 : 103;

    public static bool Fits(string path, int maxBytes) => Encoding.UTF8.GetByteCount(path) <= maxBytes;

    /// <summary>Returns what is wrong with a path's length, or null.</summary>
    public static string? Fault(string path, int maxBytes) => Fits(path, maxBytes)
        ? null
        : $"The socket path '{path}' takes {Encoding.UTF8.GetByteCount(path)} bytes, and this system allows {maxBytes}. Set TRANSPORT_DIR "
            + "to a folder with a shorter path.";

    /// <summary>Returns what is wrong with a pipe's name on Unix, or null.</summary>
    public static string? PipeFault(string name) => name[0] != '/' && name.IndexOf('/') >= 0
        ? $"The pipe name '{name}' must be an absolute path or hold no '/'."
        : Fault(OfPipe(name), MaxBytes);

    /// <summary>The socket that .NET's named pipes use on Unix, so that both meet.</summary>
    public static string OfPipe(string name) => name[0] == '/' ? name : Path.Combine(Path.GetTempPath(), "CoreFxPipe_" + name);
}
