using System;
using System.IO;

namespace Transport.Testing;

/// <summary>A folder outside of the repository, so that none of its settings reach what is built there. Removed when disposed.</summary>
public sealed class TemporaryFolder : IDisposable
{
    /// <summary>Gets its full path.</summary>
    public string Path { get; } =
        Directory.CreateDirectory(System.IO.Path.Combine(System.IO.Path.GetTempPath(), "transport-test-" + Guid.NewGuid().ToString("N")))
            .FullName;

    /// <summary>Writes a file, and makes the folders it is in.</summary>
    /// <param name="name">Its path in the folder.</param>
    /// <param name="text">What it holds.</param>
    /// <returns>Its full path.</returns>
    public string File(string name, string text)
    {
        string path = System.IO.Path.Combine(Path, name);
        Directory.CreateDirectory(System.IO.Path.GetDirectoryName(path)!);
        System.IO.File.WriteAllText(path, text);
        return path;
    }

    /// <inheritdoc/>
    public void Dispose()
    {
        try
        {
            Directory.Delete(Path, recursive: true);
        }
        catch (IOException)
        {
            // A compiler that outlived its killed parent may still write.
        }
    }
}
