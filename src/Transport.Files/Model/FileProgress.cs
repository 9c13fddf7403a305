using System;

namespace Transport.Files;

/// <summary>How far a <see cref="FileOutput"/> has come.</summary>
public readonly record struct FileProgress
{
    /// <summary>Gets the number of files written and closed.</summary>
    public long Files { get; init; }

    /// <summary>Gets the number of bytes written.</summary>
    public long Bytes { get; init; }

    /// <summary>Gets the number of bytes in memory that wait for a writer, counted as in <see cref="FileOutputOptions.MemoryBudget"/>.
    /// </summary>
    public long QueuedBytes { get; init; }

    /// <summary>Gets the number of files and links accepted and not completed.</summary>
    public long QueuedFiles { get; init; }

    /// <summary>Gets the path a writer began last; empty or null before the first.</summary>
    public string Current { get; init; }

    /// <summary>Gets the number of operations that were tried again.</summary>
    public long Retries { get; init; }

    /// <summary>Returns one line for a log. Control characters are escaped.</summary>
    /// <returns>The line.</returns>
    public override string ToString()
    {
        string current = string.IsNullOrEmpty(Current) ? string.Empty : $", at '{TerminalText.Escape(Current)}'";
        string retries = Retries == 0 ? string.Empty : FormattableString.Invariant($", {Retries} tried again");
        string queued = FormattableString.Invariant($"{QueuedFiles} under way ({QueuedBytes} bytes)");
        return FormattableString.Invariant($"{Files} files, {Bytes} bytes, {queued}{retries}{current}");
    }
}
