using System;

namespace Transport.Files;

/// <summary>A new file, open for writing. Used by one thread at a time; ended by <see cref="Complete"/> or <see cref="Abandon"/>.</summary>
internal interface IWritableFile
{
    /// <summary>Appends all bytes.</summary>
    /// <param name="bytes">The bytes.</param>
    /// <exception cref="FileCallException">
    /// <see cref="TransportFault.FileDiskFull"/>: no space or quota is left. The file must then be abandoned.
    /// </exception>
    void Write(ReadOnlySpan<byte> bytes);

    /// <summary>Sets the time, syncs if asked to, and closes. The file is closed even if this throws.</summary>
    /// <param name="modified">The time of the last change, or null.</param>
    /// <param name="sync">Whether the bytes are synced to the disk.</param>
    /// <exception cref="FileCallException">One of the three steps failed; the exception names it.</exception>
    void Complete(FileTime? modified, bool sync);

    /// <summary>Closes the file as it is. Never throws.</summary>
    void Abandon();
}
