using System;
using System.IO;

namespace Transport.Loads.Journals;

/// <summary>A folder of its own on a real disk: on a file system in memory a sync costs nothing and no figure means anything.</summary>
internal sealed class JournalDisk : IDisposable
{
    /// <summary>Names a folder to measure in; without it: the temporary one, or, where that is in memory, the one of this program.</summary>
    public const string Variable = "TRANSPORT_LOADS_DISK";

    public JournalDisk()
    {
        string wanted = Environment.GetEnvironmentVariable(Variable) ?? (IsMemory(System.IO.Path.GetTempPath()) ? AppContext.BaseDirectory : System.IO.Path.GetTempPath());
        Path = Directory.CreateDirectory(System.IO.Path.Combine(wanted, $"journal-loads-{Environment.ProcessId}")).FullName;
        Format = FormatOf(Path);
    }

    public string Path { get; }

    /// <summary>Gets the file system's name.</summary>
    public string Format { get; }

    public void Dispose() => Directory.Delete(Path, recursive: true);

    private static bool IsMemory(string path) => FormatOf(path) is "tmpfs" or "ramfs";

    private static string FormatOf(string path)
    {
        try
        {
            return new DriveInfo(path).DriveFormat;
        }
        catch (IOException)
        {
            return "unknown";
        }
    }
}
