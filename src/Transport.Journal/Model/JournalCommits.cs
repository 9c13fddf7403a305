using System;
using System.Globalization;

namespace Transport.Journal;

/// <summary>How long commits took. A commit is a write with its sync (Always, Group) or a write alone (EverySecond, No).</summary>
/// <remarks>Percentiles cover all commits since the journal was opened and are exact to 7 %.</remarks>
internal readonly record struct JournalCommits
{
    /// <summary>Gets the number of commits.</summary>
    public long Count { get; init; }

    /// <summary>Gets the time that half of them took at most.</summary>
    public TimeSpan Median { get; init; }

    /// <summary>Gets the time that 99 of 100 took at most.</summary>
    public TimeSpan Percentile99 { get; init; }

    /// <summary>Gets the time of the longest one.</summary>
    public TimeSpan Longest { get; init; }

    /// <summary>Gets the time of the longest sync, under any policy: with <see cref="JournalSync.EverySecond"/> a power cut takes at most
    /// this and a second.</summary>
    public TimeSpan LongestSync { get; init; }

    /// <summary>Returns the numbers in a sentence.</summary>
    /// <returns>For example <c>120 commits: half within 0.21 ms, 99 % within 1.4 ms, the longest 3.2 ms, the longest sync 2.9
    /// ms.</c></returns>
    public override string ToString() => Count == 0 ? "No commits." : string.Format(
        CultureInfo.InvariantCulture,
        "{0} {1}: half within {2:0.###} ms, 99 % within {3:0.###} ms, the longest {4:0.###} ms, the longest sync {5:0.###} ms.",
        Count,
        Count == 1 ? "commit" : "commits",
        Median.TotalMilliseconds,
        Percentile99.TotalMilliseconds,
        Longest.TotalMilliseconds,
        LongestSync.TotalMilliseconds);
}
