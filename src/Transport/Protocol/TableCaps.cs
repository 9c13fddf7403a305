namespace Transport;

/// <summary>What both sides of a link can do with tables (PROTOCOL.md, "Tables").</summary>
/// <param name="Strings">Texts may be referred to.</param>
/// <param name="Maps">Maps may be referred to.</param>
/// <param name="Types">Types of applications may be announced.</param>
internal readonly record struct TableCaps(bool Strings, bool Maps, bool Types);
