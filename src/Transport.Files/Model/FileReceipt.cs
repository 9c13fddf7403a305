using System;
using System.Collections.Generic;
using System.Globalization;
using System.Linq;
using System.Text;

namespace Transport.Files;

/// <summary>What a <see cref="FileOutput"/> did, reported once at its end.</summary>
public sealed record FileReceipt
{
    private const int MostShown = 3;

    /// <summary>Gets the number of files written and closed, or taken over.</summary>
    public required long Files { get; init; }

    /// <summary>
    /// Gets the number of <see cref="Files"/> taken over from <see cref="FileOutputOptions.Baseline"/>; their bytes were not written.
    /// </summary>
    public long Reused { get; init; }

    /// <summary>Gets the number of directories created, including implied parents.</summary>
    public required long Directories { get; init; }

    /// <summary>Gets the number of symbolic and hard links created.</summary>
    public required long Links { get; init; }

    /// <summary>Gets the number of bytes written.</summary>
    public required long Bytes { get; init; }

    /// <summary>Gets the failures in their order.</summary>
    /// <value>Empty if everything succeeded. More than one if writers were at work on other files when the first failed.</value>
    public required IReadOnlyList<FileFailure> Failures { get; init; }

    /// <summary>Gets the number of files and links that were accepted and not written, because something else had failed.</summary>
    public required long Skipped { get; init; }

    /// <summary>Gets the number of retries of operations that failed for a moment (busy, sharing violation).</summary>
    public required long Retries { get; init; }

    /// <summary>Gets the sum of the pauses before retries.</summary>
    public required TimeSpan RetryTime { get; init; }

    /// <summary>Gets the time from the start to the end.</summary>
    public required TimeSpan Elapsed { get; init; }

    /// <summary>Gets a value indicating whether the result was published. Without a target: whether everything succeeded.</summary>
    public required bool IsPublished { get; init; }

    /// <summary>Gets the number of stagings of killed runs for the same target that were removed at the start.</summary>
    public int StagingsRemoved { get; init; }

    /// <summary>
    /// Gets what could not be removed after publishing (the replaced tree, the empty staging); the next run for this target tries again.
    /// Null if nothing is left.
    /// </summary>
    public FileFailure? LeftBehind { get; init; }

    /// <summary>Returns one line for a log: what was done in which time, what is unusual about it, and the first three failures.</summary>
    /// <returns>The line; control characters are escaped.</returns>
    public override string ToString()
    {
        var line = new StringBuilder(IsPublished ? string.Empty : "not published: ");
        line.Append(Counted(Files, "file", "files")).Append(", ").Append(Counted(Directories, "directory", "directories")).Append(", ");
        line.Append(Counted(Links, "link", "links")).Append(", ").Append(Counted(Bytes, "byte", "bytes"));
        line.Append(FormattableString.Invariant($" in {Elapsed.TotalSeconds:0.000} s"));
        Add(Reused > 0, $"{Reused} taken over");
        Add(Retries > 0, $"{Retries} tried again ({RetryTime.TotalSeconds:0.000} s)");
        Add(StagingsRemoved > 0, $"{Counted(StagingsRemoved, "abandoned staging", "abandoned stagings")} removed");
        Add(Skipped > 0, $"{Skipped} skipped");
        string more = Failures.Count > MostShown ? "; …" : string.Empty;
        Add(Failures.Count > 0, $"{Failures.Count} failed: {string.Join("; ", Failures.Take(MostShown))}{more}");
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
