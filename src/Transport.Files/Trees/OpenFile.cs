using System;

namespace Transport.Files;

/// <summary>A file that is being written; the seam between ways of writing. Used by one thread at a time.</summary>
internal abstract class OpenFile
{
    /// <summary>Writes all of it behind what is there.</summary>
    public abstract void Write(ReadOnlySpan<byte> bytes);

    /// <summary>Sets the time and syncs, as asked, and closes.</summary>
    public abstract void Finish(FileTime? modified, bool sync);

    /// <summary>Closes it as it is; never throws.</summary>
    public abstract void Abandon();
}
