using System;

namespace Transport.Journal;

/// <summary>What an open journal has done since it was opened, and what it holds. A snapshot.</summary>
public sealed class JournalStatus
{
    /// <summary>Gets the back end: <c>write</c> or <c>uring</c>.</summary>
    public string BackEnd { get; internal init; } = string.Empty;

    /// <summary>Gets why that one.</summary>
    public string BackEndReason { get; internal init; } = string.Empty;

    /// <summary>Gets the policy.</summary>
    public JournalSync Sync { get; internal init; }

    /// <summary>Gets the packets that were acknowledged.</summary>
    public long Packets { get; internal init; }

    /// <summary>Gets the bytes of their bodies.</summary>
    public long BodyBytes { get; internal init; }

    /// <summary>Gets the bytes that were written, headers and padding included.</summary>
    public long WrittenBytes { get; internal init; }

    /// <summary>Gets the bytes that wait to be written.</summary>
    public long QueuedBytes { get; internal init; }

    /// <summary>Gets how often an append without waiting was answered Full.</summary>
    public long Refused { get; internal init; }

    /// <summary>
    /// Gets the number of commits. A commit is a write with its sync (Always, Group) or a write alone (EverySecond, No).
    /// </summary>
    public long CommitCount => Commits.Count;

    /// <summary>Gets the time that half of the commits took at most, exact to 7 %.</summary>
    public TimeSpan CommitMedian => Commits.Median;

    /// <summary>Gets the time that 99 of 100 commits took at most, exact to 7 %.</summary>
    public TimeSpan CommitPercentile99 => Commits.Percentile99;

    /// <summary>Gets the time of the longest commit.</summary>
    public TimeSpan LongestCommit => Commits.Longest;

    /// <summary>Gets the time of the longest sync, under any policy: with <see cref="JournalSync.EverySecond"/> a power cut takes at most
    /// this and a second.</summary>
    public TimeSpan LongestSync => Commits.LongestSync;

    /// <summary>Gets how long commits took.</summary>
    internal JournalCommits Commits { get; init; }

    /// <summary>Gets the segments there are, spare ones not counted.</summary>
    public int Segments { get; internal init; }

    /// <summary>Gets the bytes of all segments' files, spare ones included.</summary>
    public long Bytes { get; internal init; }

    /// <summary>Gets the segments that were made anew.</summary>
    public long MadeSegments { get; internal init; }

    /// <summary>Gets the segments that were made of used ones.</summary>
    public long RecycledSegments { get; internal init; }

    /// <summary>Gets the segments that were dropped.</summary>
    public long DroppedSegments { get; internal init; }

    /// <summary>Returns the numbers that matter in a sentence.</summary>
    /// <returns>For example <c>1204 packets (480123 bytes) in 2 segments, 0 bytes queued, 0 refused; 120 commits: half within 0.21 ms, 99 %
    /// within 1.4 ms, the longest 3.2 ms, the longest sync 2.9 ms.</c></returns>
    public override string ToString() => FormattableString.Invariant(
        $"{Packets} packets ({BodyBytes} bytes) in {Segments} segments, {QueuedBytes} bytes queued, {Refused} refused; {Commits}");
}
