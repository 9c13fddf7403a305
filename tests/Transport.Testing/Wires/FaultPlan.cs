namespace Transport.Testing.Wires;

/// <summary>What a <see cref="FaultyWire"/> does wrong. Positions count the bytes of one direction from 0. Immutable; the default does
/// nothing wrong.</summary>
public sealed record FaultPlan
{
    /// <summary>Gets the plan that reads one byte at a time.</summary>
    public static FaultPlan Dribble { get; } = new() { MaxRead = 1 };

    /// <summary>Gets the most bytes a read gives; 0 for no limit.</summary>
    public int MaxRead { get; init; }

    /// <summary>Gets how many bytes can be read before the peer seems to have died: the stream ends there.</summary>
    public long? CutReadAt { get; init; }

    /// <summary>Gets a value indicating whether the cut reading direction fails with an IOException (as after a reset) instead of
    /// ending.</summary>
    public bool CutReadThrows { get; init; }

    /// <summary>Gets how many bytes reach the peer before the wire breaks under a write.</summary>
    public long? CutWriteAt { get; init; }

    /// <summary>Gets the position of the read byte whose bits are flipped.</summary>
    public long? FlipReadAt { get; init; }

    /// <summary>Gets the position of the written byte whose bits are flipped; the caller's buffer stays as it is.</summary>
    public long? FlipWriteAt { get; init; }

    /// <summary>Gets which bits are flipped: exclusive or with the byte.</summary>
    public byte FlipMask { get; init; } = 0x01;

    /// <summary>Gets the position at which reading stands still until <see cref="FaultyWire.OpenReads"/>.</summary>
    public long? StallReadAt { get; init; }

    /// <summary>Gets the position at which writing stands still until <see cref="FaultyWire.OpenWrites"/>.</summary>
    public long? StallWriteAt { get; init; }

    /// <summary>Gets a value indicating whether each read waits for a permit of <see cref="FaultyWire.AllowReads"/>: a delay that the test
    /// owns.</summary>
    public bool StepReads { get; init; }
}
