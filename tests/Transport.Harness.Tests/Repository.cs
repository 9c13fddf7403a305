using System.IO;
using System.Runtime.CompilerServices;

namespace BuildHarness.Tests;

/// <summary>Paths in this repository.</summary>
internal static class Repository
{
    public static string Root { get; } = Path.GetFullPath(Path.Combine(Here(), "..", ".."));

    public static string Workload(string name) => Path.Combine(Root, "perf", "workload", name);

    private static string Here([CallerFilePath] string file = "") => Path.GetDirectoryName(file)!;
}
