using System;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using Transport.Tests.Packets;

namespace Transport.Tests.Architecture;

/// <summary>This repository's own source files.</summary>
internal static class Sources
{
    private static readonly string[] Areas = ["src", "samples", "tests", "perf"];

    /// <summary>Gets the repository's folder.</summary>
    public static string Root => Path.GetFullPath(Path.Combine(SourceTree.Find("."), "..", ".."));

    /// <summary>Gets every source file of some areas, with its lines.</summary>
    public static IEnumerable<(string Name, string[] Lines)> In(params string[] areas) =>
        from area in areas.Length > 0 ? areas : Areas
        let folder = Path.Combine(Root, area)
        where Directory.Exists(folder)
        from file in Directory.EnumerateFiles(folder, "*.cs", SearchOption.AllDirectories)
        let name = file.Substring(Root.Length + 1).Replace('\\', '/')
        where !name.Contains("/obj/") && !name.Contains("/bin/")
        orderby name
        select (name, File.ReadAllLines(file));
}
