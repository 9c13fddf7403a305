using System;

namespace Transport.Journal;

/// <summary>What a <see cref="SpillReport"/> reports.</summary>
public enum SpillEvent
{
    /// <summary>A link is there.</summary>
    Connected = 0,

    /// <summary>The link has ended; from here on everything goes to the journal.</summary>
    Away = 1,

    /// <summary>An attempt to get a link came to nothing; the next one follows.</summary>
    AttemptFailed = 2,

    /// <summary>Packets of a lane have begun to go to its journal: there is no main node yet, the link has ended, or the main node is
    /// slower than what is sent (that at most once a second).</summary>
    SpillingBegan = 3,

    /// <summary>Everything that was spilled has been given to the link: packets go there directly, for the first time or again. Follows
    /// each <see cref="SpillingBegan"/>.</summary>
    SpillingEnded = 4,

    /// <summary>The journal takes nothing more for now, so sends are answered Full: <see cref="SpillReport.Fault"/> says why. It takes
    /// packets again once there is capacity.</summary>
    JournalFull = 5,

    /// <summary>
    /// The journal has failed for good. What it had not acknowledged is lost, <see cref="SpillReport.Packets"/> of it at most; what it has
    /// is still sent. Or it cannot be read (<see cref="JournalFault.Damaged"/>, <see cref="JournalFault.ReadFailed"/>): then what it has is
    /// not sent, so many packets at most, and stays there. Then packets go directly, and what finds no capacity is answered Full.
    /// </summary>
    JournalFailed = 6,

    /// <summary>A packet that an earlier opening had taken is larger than what the main node takes, and is lost.</summary>
    PacketLost = 7,

    /// <summary>At the opening: an earlier sender's process was killed, and its journal is put in order. What is in it and not acknowledged
    /// is sent, <see cref="SpillReport.Packets"/> of it.</summary>
    JournalRepaired = 8,

    /// <summary>
    /// At the opening: of what an earlier sender had put into the journal, something cannot be sent. It was damaged and is set aside
    /// (<see cref="JournalOptions.SetDamagedAside"/>): <see cref="SpillReport.Packets"/> can still be read there. Or its oldest files were
    /// taken away, with so many packets at most; or its last one was cut (0: not known how many). <see cref="SpillReport.Fault"/> is
    /// <see cref="JournalFault.Damaged"/>.
    /// </summary>
    JournalDamaged = 9,
}

/// <summary>Reports something that happened to a <see cref="SpillingSender"/>. Immutable.</summary>
public sealed record SpillReport
{
    /// <summary>Gets the event.</summary>
    public SpillEvent Event { get; init; }

    /// <summary>Gets one sentence for a person: what happened, and what to do if something is to be done.</summary>
    public string Message { get; init; } = string.Empty;

    /// <summary>Gets the journal's fault for <see cref="SpillEvent.JournalFull"/>, <see cref="SpillEvent.JournalFailed"/> and
    /// <see cref="SpillEvent.JournalDamaged"/>; else null.</summary>
    public JournalFault? Fault { get; init; }

    /// <summary>Gets the number of packets concerned; 0 if it is not known.</summary>
    public long Packets { get; init; }

    /// <summary>Gets the exception underneath, or null.</summary>
    public Exception? Cause { get; init; }

    /// <summary>Returns event and message on one line.</summary>
    /// <returns>For example <c>Away: The link has ended…</c></returns>
    public override string ToString() => $"{Event}: {Message}";
}
