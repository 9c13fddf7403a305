using System;
using System.IO;

namespace Transport.Journal.Tests;

/// <summary>A temporary folder with a journal's directory in it; gone at the end.</summary>
internal sealed class TestFolder : IDisposable
{
    public TestFolder()
    {
        Root = Path.Combine(Path.GetTempPath(), "transport-journal-" + Guid.NewGuid().ToString("N"));
        Directory.CreateDirectory(Root);
        Journal = Path.Combine(Root, "journal");
    }

    public string Root { get; }

    /// <summary>Gets the journal's directory, which is not made yet.</summary>
    public string Journal { get; }

    /// <summary>Gets the path of a segment.</summary>
    public string Segment(int number) =>
        Path.Combine(Journal, number.ToString("D10", System.Globalization.CultureInfo.InvariantCulture) + ".segment");

    /// <summary>Copies a directory's files, as they are, into a new one.</summary>
    public string CopyOf(string directory, string name)
    {
        string to = Path.Combine(Root, name);
        Directory.CreateDirectory(to);
        foreach (string file in Directory.GetFiles(directory))
        {
            // The writer's lock is on the file itself, and some runtimes mind it; its contents are nothing.
            using FileStream copy = File.Create(Path.Combine(to, Path.GetFileName(file)));
            if (Path.GetFileName(file) != "lock")
            {
                using var original = new FileStream(file, FileMode.Open, FileAccess.Read, FileShare.ReadWrite);
                original.CopyTo(copy);
            }
        }

        return to;
    }

    public void Dispose() => Directory.Delete(Root, recursive: true);
}
