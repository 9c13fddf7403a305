using System;
using System.IO;

namespace Transport.Journal.Tests.Format;

/// <summary>The folder of journals that earlier revisions have left.</summary>
internal static class GoldenFolder
{
    /// <summary>Gets the folder in the sources.</summary>
    public static string Path { get; } = Find();

    private static string Find()
    {
        DirectoryInfo? at = new(AppContext.BaseDirectory);
        while (at is not null && !Directory.Exists(System.IO.Path.Combine(at.FullName, "golden")))
        {
            at = at.Parent;
        }

        return System.IO.Path.Combine(at!.FullName, "golden");
    }
}
