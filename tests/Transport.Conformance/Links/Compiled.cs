using System.Collections.Generic;
using System.Linq;

namespace Transport.Conformance.Links;

/// <summary>A packet of an application that uses the tables: texts, maps, and values inside.</summary>
[Packet(1024, Tables = true)]
internal sealed partial record Compiled(
    string Project,
    string? Target,
    Dictionary<string, string> Metadata,
    IReadOnlyList<KeyValuePair<string, Input>> Inputs,
    List<string> Warnings,
    int Number)
{
    public static Compiled Make(int i) => new(
        $"src/project{i % 3}.csproj",
        i % 2 == 0 ? null : "CoreCompile",
        new() { ["Configuration"] = "Release", ["Framework"] = $"net{i % 2}.0" },
        [new($"file{i % 2}.cs", new Input("a text that is in every packet", 1))],
        i % 7 == 0 ? [$"only in packet {i}"] : ["unused variable"],
        i);

    public string Show() =>
        $"{Project} {Target} {string.Join(",", Metadata.Select(m => m.Key + "=" + m.Value))} "
        + $"{string.Join(",", Inputs)} {string.Join(",", Warnings)} {Number}";
}

/// <summary>A value inside.</summary>
[PacketObject]
internal readonly partial record struct Input(string Path, int Bytes);
