using System;
using System.IO;

namespace Transport.Loads.Scratch;

/// <summary>A folder of this process and for its user alone, which goes with this object.</summary>
internal sealed class ScratchFolder : IDisposable
{
    /// <summary>Initializes a new instance of the <see cref="ScratchFolder"/> class: makes it.</summary>
    /// <param name="what">What it is for, in a word.</param>
    /// <param name="parent">Where; null: the temporary folder.</param>
    public ScratchFolder(string what, string? parent = null)
    {
        Location = ScratchPath.New(what, parent);
        if (OperatingSystem.IsWindows())
        {
            Directory.CreateDirectory(Location);
        }
        else
        {
            Directory.CreateDirectory(Location, UnixFileMode.UserRead | UnixFileMode.UserWrite | UnixFileMode.UserExecute);
        }
    }

    public string Location { get; }

    public void Dispose()
    {
        try
        {
            Directory.Delete(Location, recursive: true);
        }
        catch (DirectoryNotFoundException)
        {
            // The run was stopped, and all of it is gone already.
        }
    }
}
