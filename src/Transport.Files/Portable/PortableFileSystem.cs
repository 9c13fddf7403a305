using System.IO;

namespace Transport.Files;

/// <summary>The file system by paths and .NET's own calls, for Windows, macOS and 32-bit Linux.</summary>
/// <remarks>
/// It differs from Unix as follows. Links in the way are looked for before a directory is used, and the system does not refuse them. Modes
/// are the system's own. There are no hard links, so nothing is taken over from an earlier tree. Replacing a directory takes two renames.
/// </remarks>
/// <param name="calls">The calls of .NET.</param>
internal sealed class PortableFileSystem(PortableCalls calls) : IFileSystem
{
    /// <inheritdoc/>
    public IOutputTree OpenTree(string directory, Retries retries) => Directory.Exists(directory)
        ? new PortableTree(calls, directory, isOwn: false, retries)
        : throw new FileCallException("open", TransportFault.FileFailed, "no such file or directory");

    /// <inheritdoc/>
    public IStaging CreateStaging(string parent, string name, ExistingTarget existing, Retries retries) =>
        PortableStaging.Create(calls, parent, name, existing, retries);

    /// <inheritdoc/>
    public IEarlierTree? TryOpenEarlier(string directory) => null;
}
