using System;

namespace Transport.Journal;

/// <summary>
/// How much of a journal is kept. Whole segments are dropped, oldest first, while any of the rules that are set allows it; the one being
/// written to always stays.
/// </summary>
public sealed record JournalRetention
{
    /// <summary>Gets the bytes of segments to come down to.</summary>
    /// <value>From 0; null (the default): the size drops nothing.</value>
    public long? MaxBytes { get; init; }

    /// <summary>Gets the age, by its last packet's time, from which a segment is dropped.</summary>
    /// <value>From zero; null (the default): age drops nothing.</value>
    public TimeSpan? MaxAge { get; init; }

    /// <summary>
    /// Gets the application's watermark: packets below this position are no longer needed. It drops by itself; with a size or an age it
    /// also holds them back: nothing at or above it is dropped.
    /// </summary>
    /// <value>From 0; null (the default): no watermark.</value>
    public long? Watermark { get; init; }

    /// <summary>Refuses negative numbers: each would let everything go but the last segment.</summary>
    internal JournalRetention Checked() => MaxBytes is < 0 || MaxAge < TimeSpan.Zero || Watermark is < 0
        ? throw new JournalException(JournalFault.BadOptions, $"Retention: {nameof(MaxBytes)} = {MaxBytes}, {nameof(MaxAge)} = {MaxAge}, {nameof(Watermark)} = {Watermark}: none of them may be negative.")
        : this;
}

/// <summary>What a compaction did.</summary>
/// <param name="DroppedSegments">Segments dropped or put aside to be used again.</param>
/// <param name="DroppedBytes">Their bytes.</param>
/// <param name="OldestPosition">The oldest position that can still be read; one above the last where there is no packet left.</param>
public readonly record struct JournalCompaction(int DroppedSegments, long DroppedBytes, long OldestPosition);
