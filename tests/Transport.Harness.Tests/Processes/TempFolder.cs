using System;
using System.IO;

namespace BuildHarness.Tests.Processes;

/// <summary>A folder outside of the repository, so that none of its settings reach what is built there.</summary>
internal sealed class TempFolder : IDisposable
{
    private readonly DirectoryInfo _folder = Directory.CreateTempSubdirectory("harness-test-");

    public string Path => _folder.FullName;

    public string File(string name, string text)
    {
        string path = System.IO.Path.Combine(Path, name);
        Directory.CreateDirectory(System.IO.Path.GetDirectoryName(path)!);
        System.IO.File.WriteAllText(path, text);
        return path;
    }

    public void Dispose()
    {
        try
        {
            _folder.Delete(recursive: true);
        }
        catch (IOException)
        {
            // A compiler that outlived its killed parent may still write.
        }
    }
}
