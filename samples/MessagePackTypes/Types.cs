using System;
using System.Collections.Generic;
using MessagePack;

namespace MessagePackTypes;

/// <summary>What a program of MessagePack-CSharp has already; nothing of Transport is in it.</summary>
[MessagePackObject]
public sealed class TestResult
{
    [Key(0)]
    public string Name { get; set; } = string.Empty;

    [Key(1)]
    public bool Passed { get; set; }

    [Key(2)]
    public TimeSpan Took { get; set; }

    [Key(3)]
    public Dictionary<string, string> Properties { get; set; } = [];
}

[MessagePackObject]
public sealed class RunTests
{
    [Key(0)]
    public string Assembly { get; set; } = string.Empty;
}

[MessagePackObject]
public sealed class Summary
{
    [Key(0)]
    public int Passed { get; set; }

    [Key(1)]
    public int Failed { get; set; }
}
