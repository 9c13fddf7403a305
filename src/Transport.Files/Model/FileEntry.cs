using System;

namespace Transport.Files;

/// <summary>The properties of a file or directory besides its bytes. The default is the usual mode and the time of writing.</summary>
public readonly record struct FileEntry
{
    /// <summary>Gets the Unix permission bits.</summary>
    /// <value>
    /// 0 to 0777 (octal). The process's umask is subtracted, and other bits (setuid, setgid, sticky, kind) are dropped. Null stands for
    /// 0666 for a file and 0777 for a directory. A file has its mode from its creation on, a directory after its last entry. Ignored on
    /// Windows.
    /// </value>
    public int? Mode { get; init; }

    /// <summary>Gets the time of the last change. A directory's time is set after its last entry.</summary>
    /// <value>Null leaves it to the system. Ignored if <see cref="FileOutputOptions.SetTimes"/> is off.</value>
    public FileTime? Modified { get; init; }

    /// <summary>Gets the number of bytes a stream must have. No memory or disk space is allocated by it.</summary>
    /// <value>
    /// Null accepts any length. Only for streams and <see cref="OutputFile"/>; another length fails the output with
    /// <see cref="TransportFault.FileSourceFailed"/>.
    /// </value>
    public long? Length { get; init; }

    /// <summary>
    /// Gets the path, in <see cref="FileOutputOptions.Baseline"/>, of a file that is taken over if its bytes, mode, time and owner are the
    /// same.
    /// </summary>
    /// <value>
    /// The default is null: none. Used by <see cref="FileOutput.Open"/> alone, on Linux, and with <see cref="Modified"/> and
    /// <see cref="FileOutputOptions.SetTimes"/>. A path that leads nowhere, out of the tree or through a link finds nothing.
    /// </value>
    public string? Baseline { get; init; }

    /// <summary>Returns the properties as one line, with the mode in octal.</summary>
    /// <returns>The line; control characters are escaped.</returns>
    public override string ToString()
    {
        string mode = Mode is { } bits ? "mode 0" + Convert.ToString(bits, 8) : "usual mode";
        string time = Modified is { } modified ? $", modified {modified}" : string.Empty;
        string length = Length is { } bytes ? FormattableString.Invariant($", {bytes} bytes") : string.Empty;
        string earlier = Baseline is null ? string.Empty : $", earlier '{TerminalText.Escape(Baseline)}'";
        return mode + time + length + earlier;
    }
}
