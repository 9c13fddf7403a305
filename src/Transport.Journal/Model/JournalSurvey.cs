using System;
using System.Collections.Generic;

namespace Transport.Journal;

/// <summary>What a journal on disk holds, counted by reading all of it; its files are not changed, and it may be in use.</summary>
public sealed class JournalSurvey
{
    /// <summary>Gets the report that <see cref="PacketJournal.Verify"/> would give.</summary>
    public required JournalReport Report { get; init; }

    /// <summary>Gets the journal's id; the default value if no segment has a valid header.</summary>
    public Guid Id { get; internal init; }

    /// <summary>Gets the bytes of all bodies.</summary>
    public long BodyBytes { get; internal init; }

    /// <summary>Gets the time of the earliest packet; null without packets.</summary>
    public DateTimeOffset? Earliest { get; internal init; }

    /// <summary>Gets the time of the latest packet; null without packets.</summary>
    public DateTimeOffset? Latest { get; internal init; }

    /// <summary>Gets the packets of each node and type, the most first.</summary>
    public IReadOnlyList<JournalCount> Counts { get; internal init; } = [];

    /// <summary>Gets how often the journal was opened, as far as that can still be seen.</summary>
    public int Openings { get; internal init; }

    /// <summary>
    /// Gets the back end of the last opening with its reason, for instance <c>write (the default)</c>; null if that cannot be seen.
    /// </summary>
    public string? BackEnd { get; internal init; }

    /// <summary>Gets the policy of the last opening, or null.</summary>
    public JournalSync? Sync { get; internal init; }

    /// <summary>
    /// Gets a sentence on how long the last opening's commits took, as last written down: when it paused for a moment, filled a segment or
    /// was closed; null if that cannot be seen.
    /// </summary>
    public string? CommitTimes => Commits?.ToString();

    /// <summary>Gets how long the last opening's commits took.</summary>
    internal JournalCommits? Commits { get; init; }

    /// <summary>
    /// Gets the average rate between the earliest and the latest packet, in packets a second; 0 if that cannot be reported.
    /// </summary>
    public double PacketsPerSecond => Latest > Earliest ? Report.Packets / (Latest.Value - Earliest!.Value).TotalSeconds : 0;

    /// <summary>Returns the report with the bytes and the times, in a sentence.</summary>
    /// <returns>For example <c>Closed: 1204 packets in 2 segments, positions 1 to 1204, nothing found; 480123 bytes of bodies, 301 packets
    /// a second.</c></returns>
    public override string ToString() => FormattableString.Invariant(
        $"{Report.ToString().TrimEnd('.')}; {BodyBytes} bytes of bodies, {PacketsPerSecond:0.#} packets a second.");
}

/// <summary>Counts the packets of one node and type.</summary>
public readonly record struct JournalCount
{
    /// <summary>Gets the node's name.</summary>
    public string Node { get; init; }

    /// <summary>Gets the packet type.</summary>
    public ushort Type { get; init; }

    /// <summary>Gets the number of packets.</summary>
    public long Packets { get; init; }

    /// <summary>Gets the bytes of their bodies.</summary>
    public long BodyBytes { get; init; }

    /// <summary>Returns the numbers in a sentence.</summary>
    /// <returns>For example <c>n1: 12 packets of type 1024, 4820 bytes.</c></returns>
    public override string ToString() =>
        FormattableString.Invariant($"{Node}: {Packets} {(Packets == 1 ? "packet" : "packets")} of type {Type}, {BodyBytes} bytes.");
}
