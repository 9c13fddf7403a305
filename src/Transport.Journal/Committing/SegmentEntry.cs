namespace Transport.Journal;

/// <summary>A segment that is there.</summary>
internal sealed class SegmentEntry
{
    public required string Name { get; init; }

    public required long Sequence { get; init; }

    public required long FirstPosition { get; init; }

    public required long Length { get; init; }

    /// <summary>Gets or sets the last position in it, once another one follows.</summary>
    public long LastPosition { get; set; }

    /// <summary>Gets or sets the time of its last packet, once another one follows.</summary>
    public long LastTime { get; set; }

    /// <summary>Gets or sets how many readers of this journal are in it: it is then not used again.</summary>
    public int Readers { get; set; }
}
