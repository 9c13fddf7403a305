namespace Transport;

/// <summary>What a field of a control or handshake packet may be.</summary>
/// <param name="Field">The field.</param>
/// <param name="Kind">The kind of its value.</param>
/// <param name="Need">Whether it may be missing.</param>
/// <param name="Least">The least number, bytes or words.</param>
/// <param name="Most">The largest number; the most characters, bytes or words.</param>
internal readonly record struct FieldRule(
    Field Field, FieldKind Kind, FieldNeed Need = FieldNeed.Optional, long Least = long.MinValue, long Most = long.MaxValue);

/// <summary>The kind of a field's value.</summary>
internal enum FieldKind
{
    /// <summary>An integer. One above what 64 bits with a sign hold counts as the largest that they do.</summary>
    Number,

    /// <summary>A text.</summary>
    Text,

    /// <summary>A text that is a node's name.</summary>
    NodeName,

    /// <summary>Binary data.</summary>
    Bytes,

    /// <summary>An array of texts.</summary>
    Words,

    /// <summary>A map of level (0 to 6; others are skipped) to count.</summary>
    CountsByLevel,

    /// <summary>A map of text to level 0 to 6.</summary>
    LevelsByText,

    /// <summary>A map of packet type to text.</summary>
    NamesByType,
}

/// <summary>Whether a field may be missing.</summary>
internal enum FieldNeed
{
    /// <summary>It may be missing or nil.</summary>
    Optional,

    /// <summary>It may be missing, as far as this reader goes: the handshake says what it needs. Nil is malformed.</summary>
    NotNil,

    /// <summary>Without it the packet is malformed.</summary>
    Required,
}
