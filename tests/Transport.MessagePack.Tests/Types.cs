using System;
using System.Collections.Generic;
using System.Globalization;
using MessagePack;

namespace Transport.MessagePackTests;

/// <summary>A type as a program of MessagePack-CSharp has it.</summary>
[MessagePackObject]
public sealed class Measured
{
    [Key(0)]
    public string Name { get; set; } = string.Empty;

    [Key(1)]
    public long Value { get; set; }

    [Key(2)]
    public int Level { get; set; }

    [Key(3)]
    public double Share { get; set; }

    [Key(4)]
    public DateTime At { get; set; }

    [Key(5)]
    public List<string> Parts { get; set; } = [];

    [Key(6)]
    public Dictionary<string, int> Counts { get; set; } = [];

    public override string ToString() => string.Format(
        CultureInfo.InvariantCulture, "{0} {1} {2} {3:R} {4:O} {5} {6}", Name, Value, Level, Share, At, string.Join(",", Parts),
        string.Join(",", Counts));
}

[MessagePackObject]
public sealed class Doubled
{
    [Key(0)]
    public long Value { get; set; }
}

public sealed class Unmarked
{
    public string Text { get; set; } = string.Empty;
}

/// <summary>Holds itself: nested as deep as somebody writes it.</summary>
[MessagePackObject]
public sealed class Nested
{
    [Key(0)]
    public Nested? Inner { get; set; }
}

[MessagePackObject]
public sealed class Holder
{
    [Key(0)]
    public object? Any { get; set; }

    [Key(1)]
    public int[,]? Table { get; set; }
}

[MessagePackObject]
public sealed class Careless
{
    [Key(0)]
    public Unmarked? Member { get; set; }
}
