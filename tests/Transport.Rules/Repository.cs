using System;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using NUnit.Framework;

namespace Transport.Rules;

/// <summary>The files of this repository, by their paths relative to its root.</summary>
internal static class Repository
{
    /// <summary>Gets the folder that holds Transport.sln.</summary>
    public static string Root { get; } = FindRoot();

    /// <summary>Returns the files of some folders, without what a build writes.</summary>
    /// <param name="pattern">What their names look like, such as <c>*.cs</c>.</param>
    /// <param name="folders">The folders, relative to the root.</param>
    public static IEnumerable<string> Files(string pattern, params string[] folders) =>
        from folder in folders
        let path = Path.Combine(Root, folder)
        where Directory.Exists(path)
        from file in Directory.EnumerateFiles(path, pattern, SearchOption.AllDirectories)
        let name = Path.GetRelativePath(Root, file).Replace('\\', '/')
        where !name.Contains("/obj/", StringComparison.Ordinal) && !name.Contains("/bin/", StringComparison.Ordinal)
        orderby name
        select name;

    /// <summary>Reads a file of the repository.</summary>
    public static string Text(string name) => File.ReadAllText(Path.Combine(Root, name));

    private static string FindRoot()
    {
        for (DirectoryInfo? folder = new(TestContext.CurrentContext.TestDirectory); folder is not null; folder = folder.Parent)
        {
            if (File.Exists(Path.Combine(folder.FullName, "Transport.sln")))
            {
                return folder.FullName;
            }
        }

        throw new FileNotFoundException(
            $"No Transport.sln above {TestContext.CurrentContext.TestDirectory}: run the tests inside the source tree.");
    }
}
