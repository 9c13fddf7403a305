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
    /// <exception cref="ArgumentException">Something is negative.</exception>
    internal JournalRetention Checked()
    {
        var check = new OptionsCheck();
        Check(check);
        check.ThrowIfWrong("retention");
        return this;
    }

    /// <summary>Notes every value that cannot be used.</summary>
    internal void Check(OptionsCheck check)
    {
        check.Require(MaxBytes is null or >= 0, nameof(MaxBytes), MaxBytes, "0 or more, or null");
        check.Require(MaxAge is null || MaxAge >= TimeSpan.Zero, nameof(MaxAge), MaxAge, "0 or more, or null");
        check.Require(Watermark is null or >= 0, nameof(Watermark), Watermark, "0 or more, or null");
    }
}

/// <summary>What a compaction did.</summary>
public readonly record struct JournalCompaction
{
    /// <summary>Gets the number of segments that were dropped, or put aside for reuse.</summary>
    public int DroppedSegments { get; init; }

    /// <summary>Gets the bytes of their files.</summary>
    public long DroppedBytes { get; init; }

    /// <summary>Gets the oldest position that can still be read; one above the last if no packet is left.</summary>
    public long OldestPosition { get; init; }

    /// <summary>Returns the numbers in a sentence.</summary>
    /// <returns>For example <c>2 segments dropped (134217728 bytes), the oldest position is 48211.</c></returns>
    public override string ToString() => FormattableString.Invariant(
        $"{DroppedSegments} {(DroppedSegments == 1 ? "segment" : "segments")} dropped ({DroppedBytes} bytes), ")
        + FormattableString.Invariant($"the oldest position is {OldestPosition}.");
}
