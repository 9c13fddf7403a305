using System;
using System.Collections.Generic;

namespace Transport.Testing.Links;

/// <summary>Every kind of field, for a packet that goes to the other process and comes back.</summary>
[Packet(1031)]
internal sealed partial record Kinds(
    bool Bool,
    sbyte SByte,
    short Short,
    int Int,
    long Long,
    byte Byte,
    ushort UShort,
    uint UInt,
    ulong ULong,
    float Float,
    double Double,
    decimal Decimal,
    string Text,
    string? Nothing,
    byte[] Bytes,
    ReadOnlyMemory<byte> Memory,
    DateTime Time,
    DateTimeOffset Moment,
    TimeSpan Span,
    Guid Guid,
    DayOfWeek Day,
    int? Maybe,
    long[] Numbers,
    List<string> Texts,
    IReadOnlyList<KeyValuePair<string, string>> Pairs,
    Dictionary<int, Place> Places,
    Place? Home);

/// <summary>A value inside a packet, which may hold itself.</summary>
[PacketObject]
internal sealed partial record Place(string Name, double X, double Y, Place? Beside = null);
