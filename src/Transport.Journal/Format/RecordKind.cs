namespace Transport.Journal;

/// <summary>What a record is (docs/reference/journal-format.md).</summary>
internal enum RecordKind : byte
{
    None = 0,
    Packet = 1,

    /// <summary>The first of an opening: its position is the base of what follows.</summary>
    Open = 2,

    /// <summary>The last of an opening that was closed.</summary>
    Close = 3,

    /// <summary>Reports what is synced by now.</summary>
    Mark = 4,

    /// <summary>Fills a block.</summary>
    Pad = 5,

    /// <summary>Positions up to this one were given out, and refused afterwards.</summary>
    Gap = 6,
}
