using System;
using System.Collections.Generic;
using System.Globalization;
using System.Linq;
using System.Text;

namespace Transport.Files;

/// <summary>What a <see cref="FileOutput"/> has done, told once when it is over.</summary>
public sealed record FileReceipt
{
    private const int MostShown = 3;

    /// <summary>Gets the files written, with mode and times, and closed, or taken over.</summary>
    public required long Files { get; init; }

    /// <summary>Gets how many of <see cref="Files"/> were taken over from <see cref="FileOutputOptions.Earlier"/>; their bytes were not written.</summary>
    public long TakenOver { get; init; }

    /// <summary>Gets the directories made, implied parents included.</summary>
    public required long Directories { get; init; }

    /// <summary>Gets the symbolic and hard links made.</summary>
    public required long Links { get; init; }

    /// <summary>Gets the bytes written into files.</summary>
    public required long Bytes { get; init; }

    /// <summary>Gets what failed, the first first. Empty where all succeeded; more than one where writers were at work on other files when the first failed.</summary>
    public required IReadOnlyList<FileFailure> Failures { get; init; }

    /// <summary>Gets the files and links that were handed over and not written, because something had failed before.</summary>
    public required long Skipped { get; init; }

    /// <summary>Gets how often an operation was tried again because it failed for a moment (busy, sharing violation).</summary>
    public required long Retries { get; init; }

    /// <summary>Gets the time that writers waited between such tries, added up.</summary>
    public required TimeSpan RetryTime { get; init; }

    /// <summary>Gets the time from the start to the end.</summary>
    public required TimeSpan Elapsed { get; init; }

    /// <summary>Gets whether the result stands at its target. Without a publication: whether all succeeded.</summary>
    public required bool IsPublished { get; init; }

    /// <summary>Gets the stagings of earlier, killed runs for the same target that were removed at the start.</summary>
    public int StagingsRemoved { get; init; }

    /// <summary>Gets what could not be removed after publishing (the replaced tree, the empty staging); the next run for this target tries again. Null where nothing is left.</summary>
    public FileFailure? LeftBehind { get; init; }

    /// <summary>Gives one line for a log: what was made in which time, what of it is unusual, and the failures, the first three by their names.</summary>
    /// <returns>The line; control characters are escaped.</returns>
    public override string ToString()
    {
        var line = new StringBuilder(IsPublished ? string.Empty : "not published: ");
        line.Append(FormattableString.Invariant($"{Counted(Files, "file", "files")}, {Counted(Directories, "directory", "directories")}, {Counted(Links, "link", "links")}, {Counted(Bytes, "byte", "bytes")} in {Elapsed.TotalSeconds:0.000} s"));
        Add(TakenOver > 0, $"{TakenOver} taken over");
        Add(Retries > 0, $"{Retries} tried again ({RetryTime.TotalSeconds:0.000} s)");
        Add(StagingsRemoved > 0, $"{Counted(StagingsRemoved, "dead staging", "dead stagings")} removed");
        Add(Skipped > 0, $"{Skipped} skipped");
        Add(Failures.Count > 0, $"{Failures.Count} failed: {string.Join("; ", Failures.Take(MostShown))}{(Failures.Count > MostShown ? "; …" : string.Empty)}");
        Add(LeftBehind is not null, $"left behind, {LeftBehind}");
        return line.ToString();

        static string Counted(long count, string one, string more) => FormattableString.Invariant($"{count} {(count == 1 ? one : more)}");

        void Add(bool isSo, FormattableString what)
        {
            if (isSo)
            {
                line.Append(", ").Append(what.ToString(CultureInfo.InvariantCulture));
            }
        }
    }
}
