using System;
using System.IO;

namespace Transport.Testing.Wires;

/// <summary>A private folder with a short path, removed when disposed.</summary>
public sealed class TestFolder : IDisposable
{
    /// <summary>Initializes a new instance of the <see cref="TestFolder"/> class: makes the folder.</summary>
    public TestFolder()
    {
        string name = "tt-" + Guid.NewGuid().ToString("N").Substring(0, 12);
        Path = SocketPath.IsWindows ? System.IO.Path.Combine(System.IO.Path.GetTempPath(), name) : "/tmp/" + name;
        if (SocketPath.IsWindows)
        {
            Directory.CreateDirectory(Path);
        }
        else if (UnixFolder.TryCreate(Path) is var fault and not Errno.None)
        {
            throw new IOException($"{Path}: {fault.Describe()}");
        }

        Settings = EndpointSettings.FromEnvironment() with { Override = Path };
    }

    /// <summary>Gets the path.</summary>
    public string Path { get; }

    /// <summary>Gets the settings by which private endpoints come to lie in this folder.</summary>
    internal EndpointSettings Settings { get; }

    /// <inheritdoc/>
    public void Dispose() => Directory.Delete(Path, recursive: true);
}
