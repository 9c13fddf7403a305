using System;

namespace Transport.Journal;

/// <summary>
/// How long commits took. A commit is a write with its sync (Always, Group), a write alone (EverySecond, No). Percentiles are of all
/// commits of the run, within 7 %.
/// </summary>
/// <param name="Count">Commits.</param>
/// <param name="Median">Half of them took at most this.</param>
/// <param name="Percentile99">99 of 100 took at most this.</param>
/// <param name="Longest">The longest one.</param>
/// <param name="LongestSync">
/// The longest sync, under any policy: with <see cref="JournalSync.EverySecond"/> a power cut takes at most this and a second.
/// </param>
public readonly record struct JournalCommits(long Count, TimeSpan Median, TimeSpan Percentile99, TimeSpan Longest, TimeSpan LongestSync);
