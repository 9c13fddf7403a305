using System;

namespace Transport.Files;

/// <summary>What a file or directory gets beside its bytes. The default: the usual mode, the time of writing.</summary>
public readonly record struct FileEntry
{
    /// <summary>Gets the Unix permission bits.</summary>
    /// <value>0 to 0777 (octal); the process's umask is taken off, and bits beyond 0777 (setuid, setgid, sticky, kind) are dropped. Null: 0666 for a file, 0777 for a directory. A file has it from its creation, a directory from its last entry on. Without meaning on Windows.</value>
    public int? Mode { get; init; }

    /// <summary>Gets the time of the last change; a directory's is set after its last entry.</summary>
    /// <value>Null: left to the system. Not used where <see cref="FileOutputOptions.SetTimes"/> is off.</value>
    public FileTime? Modified { get; init; }

    /// <summary>Gets how many bytes a stream must have; it is never trusted for allocating memory or disk.</summary>
    /// <value>Null: whatever comes until its end. Only for streams and <see cref="OutputFile"/>; more or fewer bytes fail the output with <see cref="TransportFault.FileSourceFailed"/>.</value>
    public long? Length { get; init; }

    /// <summary>Gets the path, in <see cref="FileOutputOptions.Earlier"/>, of a file that is taken over where it is the same: bytes, mode, time and owner.</summary>
    /// <value>Null, the default: none. Looked at by <see cref="FileOutput.Open"/> alone, on Linux, and with <see cref="Modified"/> and <see cref="FileOutputOptions.SetTimes"/>; a path that leads nowhere, out of there or through a link finds nothing.</value>
    public string? Earlier { get; init; }

    /// <summary>Gives what is asked for, the mode in octal, as a shell writes it.</summary>
    /// <returns>The text; control characters are escaped.</returns>
    public override string ToString()
    {
        string mode = Mode is { } bits ? "mode 0" + Convert.ToString(bits, 8) : "usual mode", time = Modified is { } modified ? $", modified {modified}" : string.Empty;
        string length = Length is { } bytes ? FormattableString.Invariant($", {bytes} bytes") : string.Empty, earlier = Earlier is null ? string.Empty : $", earlier '{EntryName.Escape(Earlier)}'";
        return mode + time + length + earlier;
    }
}
