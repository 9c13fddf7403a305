using System.IO;
using System.Linq;

namespace Transport.Life;

/// <summary>One way to publish, with both programs.</summary>
/// <param name="Name">jit, ready (ReadyToRun) or native.</param>
/// <param name="Folder">The folder that has a folder for each kind.</param>
internal sealed record Kind(string Name, string Folder)
{
    public string Ours => Path.Combine(Folder, Name, "life");

    public string Bare => Path.Combine(Folder, Name + "-bare", "bare");

    /// <summary>Returns the bytes a program needs beside the shared runtime, without symbols and documentation.</summary>
    public static long SizeOf(string program) => new FileInfo(program).Directory!.EnumerateFiles()
        .Where(file => file.Extension is not (".dbg" or ".pdb" or ".xml")).Sum(file => file.Length);
}
