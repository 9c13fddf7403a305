using System;

namespace Transport.Journal;

/// <summary>A packet's place among those of its journal. A packet that was spilled comes after everything before its position, and before
/// what was then sent without being spilled.</summary>
/// <param name="Position">The packet's position in the journal, from 1; of one that was not spilled, the last position given out when it
/// was sent, from 0.</param>
/// <param name="Opening">0 if it was spilled; else which opening of the journal sent it, from 1.</param>
/// <param name="Index">0 if it was spilled; else its number among those that this opening did not spill, from 1.</param>
internal readonly record struct SpillNumber(long Position, long Opening, long Index) : IComparable<SpillNumber>
{
    /// <summary>Gets a value indicating whether this is the number of a packet, and not what stands before the first.</summary>
    public bool IsAny => Position > 0 || Index > 0;

    /// <summary>Gets a value indicating whether the packet was sent without being spilled.</summary>
    public bool IsDirect => Index > 0;

    public static bool operator <(SpillNumber a, SpillNumber b) => a.CompareTo(b) < 0;

    public static bool operator >(SpillNumber a, SpillNumber b) => a.CompareTo(b) > 0;

    public static bool operator <=(SpillNumber a, SpillNumber b) => a.CompareTo(b) <= 0;

    public static bool operator >=(SpillNumber a, SpillNumber b) => a.CompareTo(b) >= 0;

    /// <summary>Gives the number of what was spilled at a position.</summary>
    public static SpillNumber At(long position) => new(position, 0, 0);

    /// <summary>Gives the number that a neighbour has, so many packets on: at a later position, or with a higher index.</summary>
    public SpillNumber Plus(long packets) => IsDirect ? this with { Index = Index + packets } : this with { Position = Position + packets };

    public int CompareTo(SpillNumber other)
    {
        int order = Position.CompareTo(other.Position);
        order = order != 0 ? order : Opening.CompareTo(other.Opening);
        return order != 0 ? order : Index.CompareTo(other.Index);
    }
}
