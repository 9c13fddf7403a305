using System.IO;
using System.Runtime.CompilerServices;

namespace Transport.Testing;

/// <summary>Reads what a test compares a page of documentation with: the source of the example that stands on it.</summary>
public static class ExamplePage
{
    /// <summary>Reads a file of the repository, its lines ended by line feeds.</summary>
    /// <param name="file">Its path, relative to the caller's source.</param>
    /// <param name="here">Left to the compiler.</param>
    /// <returns>The text.</returns>
    public static string Text(string file, [CallerFilePath] string here = "") =>
        File.ReadAllText(Path.Combine(Path.GetDirectoryName(here)!, file)).Replace("\r\n", "\n");
}
