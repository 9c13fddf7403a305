using System;

namespace Transport.Files;

/// <summary>How far a <see cref="FileOutput"/> is; a look, taken from any thread at any time.</summary>
/// <param name="Files">Files written and closed.</param>
/// <param name="Bytes">Bytes written.</param>
/// <param name="QueuedBytes">Bytes that wait in memory for a writer, charged as in <see cref="FileOutputOptions.MemoryBudget"/>.</param>
/// <param name="QueuedFiles">Files and links handed over and not finished.</param>
/// <param name="Current">The path a writer began last; empty before the first.</param>
/// <param name="Retries">Tries beyond the first.</param>
public readonly record struct FileProgress(long Files, long Bytes, long QueuedBytes, long QueuedFiles, string Current, long Retries)
{
    /// <summary>Gives one line for a log. Control characters are escaped.</summary>
    /// <returns>The line.</returns>
    public override string ToString()
    {
        string current = string.IsNullOrEmpty(Current) ? string.Empty : $", at '{EntryName.Escape(Current)}'", retries = Retries == 0 ? string.Empty : FormattableString.Invariant($", {Retries} tried again");
        return FormattableString.Invariant($"{Files} files, {Bytes} bytes, {QueuedFiles} under way ({QueuedBytes} bytes){retries}{current}");
    }
}
