using System;

namespace Transport.Journal;

/// <summary>The states of a lane that spills: where its packets go.</summary>
/// <remarks>
/// <para>Its transitions, in <see cref="SpillTransitions"/>; an empty cell cannot happen:</para>
/// <code>
/// state      | LinkAttached | LinkLost | CommittedSent | AllSent | NoCapacity
/// Away       | Draining     | Away     | Away          | Away    | Away
/// Draining   |              | Away     | CatchingUp    | Direct  | Draining
/// CatchingUp |              | Away     | CatchingUp    | Direct  | Draining
/// Direct     |              | Away     |               | Direct  | Draining
/// </code>
/// </remarks>
internal enum SpillState
{
    /// <summary>There is no link: packets go to the journal.</summary>
    Away = 0,

    /// <summary>A link gets, by rising numbers, what is not acknowledged: out of the memory and out of the journal. Packets go to the
    /// journal, behind it.</summary>
    Draining = 1,

    /// <summary>The link has got everything that is committed; the last spilled packets are not. Packets wait in memory until these are
    /// committed and sent too. Without this state a sender that never pauses would stay a commit behind forever.</summary>
    CatchingUp = 2,

    /// <summary>Everything earlier was given to the link: packets go there directly, and stay in memory until they are
    /// acknowledged.</summary>
    Direct = 3,
}

/// <summary>What changes the state of a lane that spills.</summary>
internal enum SpillChange
{
    /// <summary>There is a link, which has sent nothing yet.</summary>
    LinkAttached = 0,

    /// <summary>The link has ended, or answers Closed.</summary>
    LinkLost = 1,

    /// <summary>Everything that is committed was sent; something that is not committed, or in memory, was not.</summary>
    CommittedSent = 2,

    /// <summary>Everything was sent.</summary>
    AllSent = 3,

    /// <summary>The link's queue, or the lane's memory, has no capacity for a packet.</summary>
    NoCapacity = 4,
}

/// <summary>The transition table of <see cref="SpillState"/>.</summary>
internal static class SpillTransitions
{
    /// <summary>Returns the next state.</summary>
    /// <exception cref="InvalidOperationException">The change cannot happen in this state.</exception>
    public static SpillState Next(SpillState state, SpillChange change) => (state, change) switch
    {
        (SpillState.Away, SpillChange.LinkAttached) => SpillState.Draining,
        (_, SpillChange.LinkAttached) => throw Impossible(state, change),
        (_, SpillChange.LinkLost) => SpillState.Away,
        (SpillState.Away, _) => SpillState.Away,
        (SpillState.Direct, SpillChange.CommittedSent) => throw Impossible(state, change),
        (_, SpillChange.CommittedSent) => SpillState.CatchingUp,
        (_, SpillChange.AllSent) => SpillState.Direct,
        (_, SpillChange.NoCapacity) => SpillState.Draining,
        _ => throw Impossible(state, change),
    };

    private static InvalidOperationException Impossible(SpillState state, SpillChange change) =>
        new($"A lane that spills cannot be {state} when {change} happens.");
}
