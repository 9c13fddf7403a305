using System;

namespace Transport.Journal;

/// <summary>What one segment's file was found to hold.</summary>
internal sealed class SegmentState
{
    public required string Name { get; init; }

    public required long Sequence { get; init; }

    public required long FileLength { get; init; }

    /// <summary>Gets what the file says at its beginning.</summary>
    public SegmentHead? Head { get; init; }

    public SegmentHeader Header { get; init; }

    public HeaderState HeaderState { get; init; }

    /// <summary>Gets a value indicating whether something else than a file has its name.</summary>
    public bool IsNoFile { get; init; }

    /// <summary>Gets or sets a value indicating whether its records were looked at.</summary>
    public bool IsScanned { get; set; }

    /// <summary>Gets or sets where its last valid record ends.</summary>
    public long End { get; set; }

    /// <summary>Gets or sets the stored sum of its last valid record, or of its header.</summary>
    public uint Chain { get; set; }

    /// <summary>Gets or sets the position that its last valid record states.</summary>
    public long LastPosition { get; set; }

    /// <summary>Gets or sets its first packet's position; 0 without one.</summary>
    public long FirstPacket { get; set; }

    public long Packets { get; set; }

    /// <summary>Gets or sets the time of its last packet, or when it was begun.</summary>
    public long LastTime { get; set; }

    public JournalSegment ToPublic() => new()
    {
        File = Name,
        Sequence = Sequence,
        Bytes = FileLength,
        UsedBytes = End,
        FirstPosition = Header.FirstPosition,
        LastPosition = Math.Max(LastPosition, 0),
        Packets = Packets,
        Epoch = Header.Epoch,
    };
}
