using System;

namespace Transport.Journal;

/// <summary>What a <see cref="SpillingSender"/> has done since it was opened, all lanes that spill together. A snapshot.</summary>
public sealed record SpillStatus
{
    /// <summary>Gets the packets that went to the link directly.</summary>
    public long Direct { get; internal init; }

    /// <summary>Gets the packets that went to the journal.</summary>
    public long Spilled { get; internal init; }

    /// <summary>Gets the packets that were answered Full, because the journal took none.</summary>
    public long Refused { get; internal init; }

    /// <summary>Gets the packets, of this opening and of earlier ones, that were given to a link again or for the first time out of the
    /// journal.</summary>
    public long SentLater { get; internal init; }

    /// <summary>Gets the packets that earlier openings left behind.</summary>
    public long Found { get; internal init; }

    /// <summary>Gets the packets in the journal that no link was given yet.</summary>
    public long Waiting { get; internal init; }

    /// <summary>Gets the links there were.</summary>
    public long Links { get; internal init; }

    /// <summary>Gets the bytes of memory that packets take which are not acknowledged; at most <see cref="SpillOptions.MaxMemoryBytes"/>
    /// for each lane, and one packet.</summary>
    public long MemoryBytes { get; internal init; }

    /// <summary>Gets the bytes of the journals' files.</summary>
    public long JournalBytes { get; internal init; }

    /// <summary>Gets a value indicating whether everything that was taken is acknowledged by the main node.</summary>
    public bool IsDelivered { get; internal init; }

    /// <summary>Returns the numbers in a sentence.</summary>
    /// <returns>For example <c>1000 packets sent directly, 200 spilled, 200 sent later, 0 waiting, 0 refused; everything is
    /// acknowledged.</c></returns>
    public override string ToString() => FormattableString.Invariant(
        $"{Direct} packets sent directly, {Spilled} spilled, {SentLater} sent later, {Waiting} waiting, {Refused} refused; ")
        + (IsDelivered ? "everything is acknowledged." : "not everything is acknowledged.");
}
