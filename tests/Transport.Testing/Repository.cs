using System.IO;
using System.Runtime.CompilerServices;

namespace Transport.Testing;

/// <summary>Paths in this repository.</summary>
public static class Repository
{
    /// <summary>Gets the folder that everything is in.</summary>
    public static string Root { get; } = Path.GetFullPath(Path.Combine(Here(), "..", ".."));

    /// <summary>Returns the path of a recorded build.</summary>
    /// <param name="name">Its file name.</param>
    public static string Workload(string name) => Path.Combine(Root, "perf", "workload", name);

    private static string Here([CallerFilePath] string file = "") => Path.GetDirectoryName(file)!;
}
