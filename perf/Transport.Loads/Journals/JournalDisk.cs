using System;
using Transport.Loads.Scratch;

namespace Transport.Loads.Journals;

/// <summary>A folder of its own on a real disk: on a file system in memory a sync costs nothing and no figure means anything.</summary>
internal sealed class JournalDisk : IDisposable
{
    private readonly ScratchFolder _folder = new("journals", ScratchPath.Disk);

    public JournalDisk() => Format = ScratchPath.FormatOf(Path);

    public string Path => _folder.Location;

    /// <summary>Gets the file system's name.</summary>
    public string Format { get; }

    public void Dispose() => _folder.Dispose();
}
