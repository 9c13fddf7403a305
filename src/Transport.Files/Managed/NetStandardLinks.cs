using System.IO;
using Transport.Files.Trees;

namespace Transport.Files.Managed;

/// <summary>Symbolic links by path, which .NET has and .NET Standard lacks.</summary>
internal static class NetStandardLinks
{
    public static void Make(string path, string target)
    {
#if NET
        File.CreateSymbolicLink(path, target);
#else
        throw new FileCallException("link", TransportFault.FileFailed, $"no symbolic link '{path}' to '{target}': on this system they are made with .NET 6 and later");
#endif
    }
}
