using System.IO;
using System.Runtime.CompilerServices;

namespace Transport.Generator.Tests.Kit;

/// <summary>Files of this project as they stand in the source tree.</summary>
internal static class Source
{
    public static string Find(string name, [CallerFilePath] string here = "") =>
        Path.GetFullPath(Path.Combine(Path.GetDirectoryName(here)!, "..", name));
}
