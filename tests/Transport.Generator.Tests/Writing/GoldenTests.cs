using System;
using System.IO;
using System.Linq;
using System.Text;
using NUnit.Framework;
using Transport.Generator.Tests.Kit;

namespace Transport.Generator.Tests.Writing;

/// <summary>The code that is written, as a person reads it: a change of it is a change that somebody meant.</summary>
internal sealed class GoldenTests
{
    private const string Update = "TRANSPORT_UPDATE_GOLDEN";

    [TestCase("record", "[Packet(1024, Lane = Lane.Bulk)] public sealed partial record Artifact(string Path, long Bytes, string? Hash = null);")]
    [TestCase("class", "namespace Build { public sealed partial class Engine { [Packet(1025, Name = \"engine.state\", LevelProperty = "
        + "nameof(Level))] internal sealed partial class State { public DayOfWeek Level { get; set; } public int? Jobs { get; set; } = 4; "
        + "public required Guid Id { get; init; } } } }")]
    [TestCase("struct", "[PacketObject] public readonly partial record struct Point(double X, double Y);")]
    [TestCase("collections", "[Packet(1026)] public sealed partial record Lists(int[] Numbers, List<string?>? Names, IReadOnlyDictionary<string, "
        + "Point> Points, IReadOnlyList<KeyValuePair<string, string>> Pairs); [PacketObject] public partial struct Point { public int "
        + "X; }")]
    [TestCase(
        "union",
        "[PacketObject] public partial record Circle : Shape; [PacketObject] public sealed partial record Ring(int X) : Circle; "
            + "[PacketUnion(7, typeof(Ring)), PacketUnion(0, typeof(Circle))] public abstract partial record Shape;")]
    [TestCase("service", "[PacketObject] public sealed partial record Artifact(string Path); namespace Build { [Service(2000)] public partial "
        + "interface IArtifacts { System.Threading.Tasks.Task<Artifact?> GetAsync(string name, int depth = 3, "
        + "System.Threading.CancellationToken cancellationToken = default); "
        + "IAsyncEnumerable<(string Name, int Size)> ListAsync(IReadOnlyList<string>? patterns); "
        + "System.Threading.Tasks.Task PutAsync(Artifact artifact); } }")]
    public void The_code_is_as_written_down(string name, string source)
    {
        Compiler.Outcome outcome = Compiler.Run("using System; using System.Collections.Generic; using Transport;\n" + source);
        Assert.That(outcome.Said, Is.Empty);
        Assert.That(outcome.Compiler, Is.Empty);
        string code = outcome.Sources.FirstOrDefault(s => s.Contains("for Shape.\n", StringComparison.Ordinal)
            || s.Contains("for Build.IArtifacts.\n", StringComparison.Ordinal)) ?? outcome.Sources[0];
        string path = Source.Find(Path.Combine("golden", name + ".txt"));
        if (Environment.GetEnvironmentVariable(Update) == "1")
        {
            File.WriteAllText(path, code, new UTF8Encoding(false));
        }

        string then = File.Exists(path) ? File.ReadAllText(path).Replace("\r\n", "\n") : string.Empty;
        Assert.That(code, Is.EqualTo(then), $"The generated code differs from golden/{name}.txt. If that is meant: run this test with "
            + $"{Update}=1 in the environment, look over the change and commit it.");
    }

    [Test]
    public void The_bytes_are_those_of_the_protocol_page()
    {
        // [5, nil, timestamp 1, bin 16, "1.50", 7, {"k": [1]}]
        string hex = Bytes.Hex(Wire.PacketType, new Wire(
            5,
            null,
            DateTime.UnixEpoch.AddSeconds(1),
            new Guid("00112233-4455-6677-8899-aabbccddeeff"),
            1.50m,
            TimeSpan.FromTicks(7),
            new() { ["k"] = [1] }));
        Assert.That(hex, Is.EqualTo(
            "97" + "05" + "c0" + "d6ff00000001" + "c41000112233445566778899aabbccddeeff" + "a4312e3530" + "07" + "81a16b9101"));
    }
}

[Transport.Packet(2300)]
internal sealed partial record Wire(
    int A, string? B, DateTime C, Guid D, decimal E, TimeSpan F, System.Collections.Generic.Dictionary<string, int[]> G);
