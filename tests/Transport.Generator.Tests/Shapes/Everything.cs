using System;
using System.Collections.Generic;

namespace Transport.Generator.Tests.Shapes;

internal enum Small : byte
{
    None = 0,
    One = 1,
    Many = 255,
}

internal enum Wide : long
{
    Least = long.MinValue,
    None = 0,
    Most = long.MaxValue,
}

internal enum Huge : ulong
{
    None = 0,
    Most = ulong.MaxValue,
}

/// <summary>Every scalar there is.</summary>
[Packet(2000, Name = "scalars", Lane = Lane.Bulk, LevelProperty = nameof(Int))]
internal sealed partial record Scalars(
    bool Bool,
    sbyte SByte,
    byte Byte,
    short Short,
    ushort UShort,
    int Int,
    uint UInt,
    long Long,
    ulong ULong,
    float Float,
    double Double,
    decimal Decimal,
    string Text,
    byte[] Bytes,
    ReadOnlyMemory<byte> Memory,
    DateTime Time,
    DateTimeOffset Moment,
    TimeSpan Span,
    Guid Guid,
    Small Small,
    Wide Wide,
    Huge Huge);

/// <summary>The same, each of which may be null.</summary>
[Packet(2001)]
internal sealed partial class Nullables
{
    public bool? Bool { get; set; }

    public sbyte? SByte { get; set; }

    public byte? Byte { get; set; }

    public short? Short { get; set; }

    public ushort? UShort { get; set; }

    public int? Int { get; set; }

    public uint? UInt { get; set; }

    public long? Long { get; set; }

    public ulong? ULong { get; set; }

    public float? Float { get; set; }

    public double? Double { get; set; }

    public decimal? Decimal { get; set; }

    public string? Text { get; set; }

    public byte[]? Bytes { get; set; }

    public ReadOnlyMemory<byte>? Memory { get; set; }

    public DateTime? Time { get; set; }

    public DateTimeOffset? Moment { get; set; }

    public TimeSpan? Span { get; set; }

    public Guid? Guid { get; set; }

    public Small? Small { get; set; }

    public Point? Point { get; set; }

    public Leaf? Leaf { get; set; }

    public int[]? Numbers { get; set; }

    public List<string?>? Texts { get; set; }

    public Dictionary<string, int?>? Map { get; set; }
}

/// <summary>Every collection there is, and nested ones.</summary>
[Packet(2002)]
internal sealed partial class Collections
{
    public int[] Array { get; init; } = [];

    public List<string> List { get; init; } = [];

    public IReadOnlyList<Guid> Items { get; init; } = [];

    public IList<double> Mutable { get; init; } = [];

    public Dictionary<string, long> Map { get; init; } = [];

    public IReadOnlyDictionary<Small, string?> ByEnum { get; init; } = new Dictionary<Small, string?>();

    public IDictionary<int, Leaf> ByNumber { get; init; } = new Dictionary<int, Leaf>();

    public IReadOnlyList<KeyValuePair<string, string>> Pairs { get; init; } = [];

    public List<KeyValuePair<int, byte[]?>> PairList { get; init; } = [];

    public int[][] Jagged { get; init; } = [];

    public string?[]?[] Holes { get; init; } = [];

    public List<List<Point>> Deep { get; init; } = [];

    public Dictionary<string, List<Leaf?>> Lists { get; init; } = [];

    public Leaf[] Leaves { get; init; } = [];

    public byte[][] Blobs { get; init; } = [];
}

[PacketObject]
internal readonly partial record struct Point(int X, int Y);

[PacketObject]
internal sealed partial record Leaf(string Name, Point At, Leaf? Next = null);

/// <summary>Places instead of the order of declaration, and a keyword for a name.</summary>
[Packet(2003)]
internal partial struct Placed
{
    [PacketField(2)]
    public string @class { get; set; }

    [PacketField(0)]
    public int First { get; set; }

    [PacketField(1)]
    public int Second;

    [PacketIgnore]
    public int Ignored { get; set; }

    public readonly int Sum => First + Second;
}

/// <summary>A constructor and required members.</summary>
[Packet(2004)]
internal sealed partial class Built(string path, int size = 7)
{
    public string Path { get; } = path;

    public int Size { get; } = size;

    public required string Owner { get; init; }

    public string Group { get; init; } = "users";

    public int? Mode { get; set; } = 0x1a4;
}

internal static partial class Outer
{
    internal partial struct Middle
    {
        [Packet(2005)]
        internal sealed partial record Nothing;
    }
}

/// <summary>A tree: holds itself by way of a list.</summary>
[PacketObject]
internal sealed partial record Tree(string Name, List<Tree> Branches);

[Packet(2006)]
internal sealed partial record Forest(List<Tree> Trees, Tree? King);
