using System;

namespace Transport.Journal.Spilling;

/// <summary>What a <see cref="SpillReport"/> tells.</summary>
public enum SpillEvent
{
    /// <summary>A link is there.</summary>
    Connected = 0,

    /// <summary>The link has ended; from here on everything goes to the journal.</summary>
    Away = 1,

    /// <summary>An attempt to get a link came to nothing; the next one follows.</summary>
    AttemptFailed = 2,

    /// <summary>The main node is slower than what is sent: from here on packets of a lane go to its journal.</summary>
    SpillingBegan = 3,

    /// <summary>Everything that was spilled has been given to the link: packets go there directly again.</summary>
    SpillingEnded = 4,

    /// <summary>The journal takes nothing more for now, so sends are answered Full: <see cref="SpillReport.Fault"/> says why. It takes packets again once there is room.</summary>
    JournalFull = 5,

    /// <summary>The journal has failed for good. What it had not acknowledged is lost, <see cref="SpillReport.Packets"/> of it at most. What it has is still sent; then packets go directly, and what finds no room is answered Full.</summary>
    JournalFailed = 6,

    /// <summary>A packet that an earlier opening had taken is larger than what the main node takes, and is lost.</summary>
    PacketLost = 7,
}

/// <summary>Something that happened to a <see cref="SpillingSender"/>. Immutable.</summary>
/// <param name="Event">What.</param>
/// <param name="Message">One sentence for a person: what happened, and what to do where something is to be done.</param>
/// <param name="Fault">The journal's fault, for <see cref="SpillEvent.JournalFull"/> and <see cref="SpillEvent.JournalFailed"/>; else null.</param>
/// <param name="Packets">How many packets are concerned, where that is known; else 0.</param>
/// <param name="Cause">The exception underneath, or null.</param>
public sealed record SpillReport(SpillEvent Event, string Message, JournalFault? Fault = null, long Packets = 0, Exception? Cause = null);
