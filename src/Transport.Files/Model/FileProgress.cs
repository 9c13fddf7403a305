using System;

namespace Transport.Files;

/// <summary>How far a <see cref="FileOutput"/> is.</summary>
/// <param name="Files">The files written and closed.</param>
/// <param name="Bytes">The bytes written.</param>
/// <param name="QueuedBytes">
/// The bytes that wait in memory for a writer, counted as in <see cref="FileOutputOptions.MemoryBudget"/>.
/// </param>
/// <param name="QueuedFiles">The files and links accepted and not completed.</param>
/// <param name="Current">The path a writer began last; empty before the first.</param>
/// <param name="Retries">The number of retries.</param>
public readonly record struct FileProgress(long Files, long Bytes, long QueuedBytes, long QueuedFiles, string Current, long Retries)
{
    /// <summary>Returns one line for a log. Control characters are escaped.</summary>
    /// <returns>The line.</returns>
    public override string ToString()
    {
        string current = string.IsNullOrEmpty(Current) ? string.Empty : $", at '{EntryName.Escape(Current)}'";
        string retries = Retries == 0 ? string.Empty : FormattableString.Invariant($", {Retries} tried again");
        string queued = FormattableString.Invariant($"{QueuedFiles} under way ({QueuedBytes} bytes)");
        return FormattableString.Invariant($"{Files} files, {Bytes} bytes, {queued}{retries}{current}");
    }
}
