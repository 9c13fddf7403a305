namespace Transport;

/// <summary>What the next value of a <see cref="PacketReader"/> is, whichever of its encodings was used.</summary>
public enum PacketValueKind
{
    /// <summary>Nil: no value.</summary>
    Nil = 0,

    /// <summary>True or false.</summary>
    Boolean = 1,

    /// <summary>An integer of -2^63 to 2^64-1.</summary>
    Integer = 2,

    /// <summary>A floating point number of 32 or 64 bits.</summary>
    Float = 3,

    /// <summary>A text in UTF-8.</summary>
    String = 4,

    /// <summary>Bytes.</summary>
    Binary = 5,

    /// <summary>An array: a count, then as many values.</summary>
    Array = 6,

    /// <summary>A map: a count, then as many pairs of key and value.</summary>
    Map = 7,

    /// <summary>An extension: a type of -128 to 127 and bytes. Type -1 is a timestamp.</summary>
    Extension = 8,
}
